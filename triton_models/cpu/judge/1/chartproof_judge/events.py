"""What happened and what did not: not given, only planned, only if, one of two, taken up again.

These readings need more than a trigger and a direction (see `assertion`): whether a clause says
that something was carried out, or what stands between two words.
"""

from __future__ import annotations

from collections.abc import Sequence

from .vocabulary.events import (
    AFTER_NOT,
    ALARM_LEADS,
    ALARMS,
    CARRIED_OUT,
    DID,
    FUTURE_TIMES,
    LINKS,
    NO_OBJECT,
    PERIODS,
    PERSONS,
    RESUMED,
    SENTENCE_ENDS,
    STOPS,
    VERSUS_ENDS,
)
from .vocabulary.triggers import CLAUSE_ENDS, Status

REACH = 12
"""Tokens looked back over at most."""
YEAR_DIGITS = 4


def not_done(words: Sequence[str], at: int) -> range | None:
    """What `not given`, `never been started`, ... at `at` deny of what stands before, and they."""
    end = at + 1
    while end < len(words) and end < at + 4 and words[end] in AFTER_NOT:
        end += 1
    if end >= len(words) or words[end] not in CARRIED_OUT:
        return None
    follows = words[end + 1] if end + 1 < len(words) else "."
    start = _clause_start(words, at)
    if (follows[0].isalpha() and follows not in NO_OBJECT) or PERSONS & set(words[start:at]):
        return None  # he was not given tPA: the scope is forwards
    return range(start, end + 1) if start < at else None


def _clause_start(words: Sequence[str], at: int) -> int:
    """Where the clause of `at` begins; `and` parts only clauses with a verb of their own."""
    start = at
    while start > max(0, at - REACH):
        word = words[start - 1]
        if word == "and" and not _carried_out(words[_sentence_start(words, start) : start]):
            start -= 1
            continue
        if word in CLAUSE_ENDS and not (word == ":" and start == at):
            break
        start -= 1
    return start


def _sentence_start(words: Sequence[str], at: int) -> int:
    back = at
    while back > max(0, at - REACH) and words[back - 1] not in SENTENCE_ENDS:
        back -= 1
    return back


def _sentence_end(words: Sequence[str], at: int) -> int:
    end = at
    while end < len(words) and words[end] not in SENTENCE_ENDS:
        end += 1
    return end


def _stands_alone(words: Sequence[str], at: int) -> bool:
    """Whether a verb has neither subject nor object beside it: `on metoprolol, stopped 3/1`."""
    follows = words[at + 1] if at + 1 < len(words) else "."
    return words[at - 1] in (",", ";", ":", "-") and (
        not follows[0].isalpha() or (follows in NO_OBJECT and follows not in ("if", "and", "or"))
    )


def _carried_out(words: Sequence[str]) -> bool:
    """Whether a stretch says that something was done, found or taken."""
    return any(
        word in DID or (len(word) > 4 and word.endswith("ed") and word not in ("need", "planned"))
        for word in words
    )


def carried_out(words: Sequence[str]) -> bool:
    """Whether a text says anywhere that something was done; a date is as good as a verb."""
    return _carried_out(words) or any(
        word == "/" or (word.isdigit() and len(word) == YEAR_DIGITS) for word in words
    )


def mark(words: Sequence[str], found: list[Status]) -> None:
    """Add to the status of every token what its clause says of it."""
    for at, word in enumerate(words):
        if word == "if" or (word in FUTURE_TIMES and _is_future(words, at)):
            _add(found, _undone(words, at), Status.PLANNED)
        elif word in STOPS and at > 1 and _stands_alone(words, at):
            _add(found, range(_sentence_start(words, at - 1), at - 1), Status.STOPPED)
        elif word == "should" and (at == 0 or words[at - 1] == "."):
            _add(found, range(at, _sentence_end(words, at)), Status.HYPOTHETICAL)
        elif word == "plan" and words[at + 1 : at + 2] == (":",):
            _planned_items(words, at + 2, found)
        elif word == "versus":
            _add(found, _alternatives(words, at), Status.POSSIBLE)
        elif word in ALARMS and (at == 0 or words[at - 1] in ALARM_LEADS):
            _add(found, _alarms(words, at), Status.HYPOTHETICAL)
        elif word in RESUMED:
            _add(found, _taken_up_again(words, at), Status.RESUMED)


def _add(found: list[Status], places: range, status: Status) -> None:
    for place in places:
        found[place] |= status


def _is_future(words: Sequence[str], at: int) -> bool:
    following = tuple(words[at : at + 4])
    if following[0] == "in" and len(following) > 2 and following[2].removesuffix("s") in PERIODS:
        return following[1].isdigit() or following[1] in ("a", "one", "two", "three", "few")
    return any(following[: len(phrase)] == phrase for phrase in FUTURE_TIMES[words[at]])


def _undone(words: Sequence[str], at: int) -> range:
    """The clause before a condition or a time to come, unless it says that it was done."""
    start = at
    while start > max(0, at - REACH) and words[start - 1] not in SENTENCE_ENDS:
        start -= 1
    return range(0) if _carried_out(words[start:at]) else range(start, at)


def _planned_items(words: Sequence[str], start: int, found: list[Status]) -> None:
    """The items after the label `Plan:`, each that does not say that it was done."""
    at = start
    while at < len(words) and at < start + 60:
        end = _sentence_end(words, at)
        if not _carried_out(words[at:end]):
            _add(found, range(at, end), Status.PLANNED)
        if words[end : end + 1] == (".",):
            return
        at = end + 1


def _alternatives(words: Sequence[str], at: int) -> range:
    """What stands before `versus`; of two numbers neither is a diagnosis."""
    if any(word[0].isdigit() for word in (*words[max(0, at - 1) : at], *words[at + 1 : at + 2])):
        return range(0)
    start = at
    while start > max(0, at - 5) and words[start - 1] not in VERSUS_ENDS:
        start -= 1
    return range(start, at)


def _alarms(words: Sequence[str], at: int) -> range:
    """What follows `call the doctor for`, `return to the ED with`."""
    for place in range(at + 1, min(at + 8, len(words))):
        if words[place] in SENTENCE_ENDS:
            break
        if words[place] in ("for", "if", "with"):
            end = place
            while end < min(len(words), place + 3 * REACH) and words[end] not in (".", ";"):
                end += 1
            return range(place, end)
    return range(0)


def _taken_up_again(words: Sequence[str], at: int) -> range:
    """What `..., restarted today` and `... and was resumed on` speak of: what stands before."""
    follows = words[at + 1] if at + 1 < len(words) else "."
    if follows[0].isalpha() and follows not in NO_OBJECT:
        return range(0)
    back = at - 1
    while back >= 0 and words[back] in LINKS:
        back -= 1
    if not {",", ";", "and", "but"} & set(words[back + 1 : at]):
        return range(0)
    start = back
    while start > max(0, at - 2 * REACH) and words[start - 1] != ".":
        start -= 1
    return range(max(start, 0), at)

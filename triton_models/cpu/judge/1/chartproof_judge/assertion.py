"""What is asserted of each token: affirmed, negated, possible, hypothetical, someone else's, …

A trigger opens a scope forwards or backwards, which ends at a boundary; see `triggers`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from . import allergies, attempts, orders, questions
from .events import mark, not_done
from .relatives import of_relatives
from .vocabulary.events import NO_OBJECT
from .vocabulary.tables import word_set
from .vocabulary.triggers import (
    AGAIN,
    BACKWARD,
    BOUNDARY,
    CLAUSE_ENDS,
    DENYING,
    FORWARD,
    LABELLED,
    LIST_BREAKERS,
    MODIFIES,
    PSEUDO,
    PURPOSE,
    SUBJECT_BEFORE,
    Status,
)

__all__ = ["Status", "statuses"]

_SINCE = word_set("at since for on and today now")
_IS = word_set("was is were are been be being :")
_TO_COME = word_set("going gon na to be yet currently")
_ADJECTIVES = {"negative": 3, "non": 2, "off": 3}
_ANEW = word_set(
    """continue continued continues continuing start started begin began resume resumed restarted
    increase increased give gave given add added switch switched status underwent"""
)
"""Where what is stopped, or planned, ends."""

"""They reach their noun only; a hyphen is a token."""
_SPEAKERS = word_set("i we")
"""Begin a clause of their own, where speech has no punctuation."""
REACH = 40
"""Tokens that a scope spans at most; sentences are shorter, and odd input stays linear."""


def statuses(words: Sequence[str], section: str = "") -> list[Status]:
    """The status of every lower-case token; `section` may say that all is family history."""
    found = [Status(0)] * len(words)
    blocked = _blocked(words)
    for at in range(len(words)):
        if at in blocked:
            continue
        before = not_done(words, at) if words[at] in SUBJECT_BEFORE else None
        if before is not None:
            for place in before:
                found[place] |= Status.NEGATED | Status.NOT_DONE
            continue
        size, status = _trigger(words, at, FORWARD)
        if size and not _has_no_object(words, at + size, status):
            _forward(words, at + size, status, found)
            if words[at] in SUBJECT_BEFORE:
                _subject(words, at, found)
        size, status = _trigger(words, at, BACKWARD)
        if size:
            _backward(words, at, status, found)
        elif _no_label(words, at):
            _backward(words, at - 1, Status.NEGATED, found)
        elif _free_of(words, at):
            found[at - 2 if words[at - 1] == "-" else at - 1] |= Status.NEGATED
    mark(words, found)
    orders.mark(words, found)
    attempts.mark(words, found)
    questions.mark(words, found)
    allergies.mark(words, section, found)
    for at in of_relatives(words, section):
        found[at] |= Status.FAMILY
    return found


def _has_no_object(words: Sequence[str], after: int, status: Status) -> bool:
    """Whether a verb that stops something stands behind it: warfarin stopped and ..."""
    stops = status in (Status.STOPPED, Status.NOT_DONE)
    return stops and after < len(words) and words[after] in NO_OBJECT


def _no_label(words: Sequence[str], at: int) -> bool:
    """Whether a word denies the label before it: `Chest pain: no`."""
    labelled = at > 1 and words[at] in LABELLED and words[at - 1] in (":", "-")
    return labelled and (at + 1 == len(words) or not words[at + 1][0].isalnum())


def _free_of(words: Sequence[str], at: int) -> bool:
    """Whether `free` denies the word before it: `pain free`, `seizure-free since May`."""
    if words[at] != "free" or at < 1 + (words[at - 1] == "-") or words[at - 1] in _IS:
        return False
    return at + 1 == len(words) or not words[at + 1][0].isalpha() or words[at + 1] in _SINCE


def _blocked(words: Sequence[str]) -> set[int]:
    """Tokens of phrases that only look like negations."""
    blocked: set[int] = set()
    joined = " ".join(words)
    for phrase in PSEUDO:
        if phrase in joined:
            parts = phrase.split()
            for at in range(len(words) - len(parts) + 1):
                if list(words[at : at + len(parts)]) == parts:
                    blocked.update(range(at, at + len(parts)))
    for at in range(len(words) - 1):
        if words[at] in DENYING and words[at + 1] in AGAIN:
            blocked.update((at, at + 1))
    return blocked


def _trigger(words: Sequence[str], at: int, table: Mapping[str, Status]) -> tuple[int, Status]:
    for size in (4, 3, 2, 1):
        if at + size <= len(words):
            status = table.get(" ".join(words[at : at + size]))
            if status is not None:
                return size, status
    return 0, Status(0)


def _forward(words: Sequence[str], start: int, status: Status, found: list[Status]) -> None:
    end = min(start + _ADJECTIVES.get(words[start - 1], REACH), len(words))
    if "ruled" in words[max(0, start - 2) : start] and _ruled_out_before(words, start):
        return
    if words[start - 1] in DENYING and _modifies(words, start):
        return
    verb = words[start - 1] in SUBJECT_BEFORE or bool(status & Status.INSTRUCTED)
    for at in range(start, end):
        word = words[at]
        if verb and word in PURPOSE and at > start + 1:
            return
        if word in BOUNDARY and at > start:
            return
        if word in (".", ";") or (word in _SPEAKERS and at > start + 1):
            return
        if word in _ANEW and at > start and status in (Status.STOPPED, Status.PLANNED):
            return
        if word == "," and status & Status.NEGATED and _list_ends(words, at):
            return
        found[at] |= status


def _ruled_out_before(words: Sequence[str], start: int) -> bool:
    """Whether `ruled out` is of what stands before it: PE was ruled out, PE ruled out by CTA."""
    if start > 2 and words[start - 3] in _IS:
        return True
    follows = words[start] if start < len(words) else "."
    return not follows[0].isalpha() or follows in NO_OBJECT


def _modifies(words: Sequence[str], start: int) -> bool:
    """Whether it is a change that is denied: not going to change your amlodipine."""
    ahead = [word for word in words[start : start + 4] if word not in _TO_COME]
    return bool(ahead) and ahead[0] in MODIFIES


def _subject(words: Sequence[str], at: int, found: list[Status]) -> None:
    for back in range(at - 1, max(-1, at - 14), -1):
        if words[back] in CLAUSE_ENDS:
            return
        found[back] |= Status.SUBJECT


def _list_ends(words: Sequence[str], comma: int) -> bool:
    """Whether what follows this comma is a new statement rather than the next item of a list."""
    for word in words[comma + 1 : comma + 9]:
        if word in (",", ".", ";", "but", "however", "except"):
            return False
        if word in LIST_BREAKERS or word in BOUNDARY:
            return True
    return False


def _backward(words: Sequence[str], at: int, status: Status, found: list[Status]) -> None:
    """Reach back over the subject, to the clause's beginning."""
    if words[at] in ("negative", "resolved", "suspected", "possible", "likely", "absent"):
        follows = words[at + 1] if at + 1 < len(words) else "."
        if follows not in (".", ",", ";", ")", "and", "on", "at", "in", "today", "by", "since"):
            return  # an adjective or verb of what follows
    if words[at] == "ruled" and not _ruled_out_before(words, at + 2):
        return
    if words[at] in _CHANGES and words[at + 2 : at + 3] and _not_a_drug(words[at + 2]):
        return  # changed to 50 mg: the same drug goes on
    start = at - 1
    if words[at] in _VERBS and not _passive(words, at):
        if not _refusal(words, at):
            return
        while start > 0 and words[start] not in (",", "-", ";"):  # EGD offered, pt declined
            start -= 1
        start -= 1
    for back in range(start, max(-1, at - 12), -1):
        word = words[back]
        if word in (".", ";", ",") or (word in ("but", "and", "however") and at - back > 1):
            return
        found[back] |= status


_CHANGES = word_set("switched changed transitioned")
_FORMS = word_set("oral po iv daily bid tid nightly prn extended long short once twice an a the")


def _not_a_drug(word: str) -> bool:
    return word[0].isdigit() or word in _FORMS


_PERSONS = word_set("he she they i we patient pt who it")
_VERBS = word_set(
    """stopped discontinued held refused declined denied deferred cancelled canceled ordered
    recommended scheduled"""
)


def _refusal(words: Sequence[str], at: int) -> bool:
    """Whether a refusal names no object of its own, so that it is of what stands before."""
    after = words[at + 1] if at + 1 < len(words) else "."
    return words[at] in ("declined", "refused") and not after[0].isalnum()


def _passive(words: Sequence[str], at: int) -> bool:
    """Whether what stands before a verb is its object: "was held", "EGD deferred"."""
    if at == 0:
        return False
    if words[at - 1] in ("was", "were", "is", "been", "be", "are", ":", "then", "temporarily"):
        return True
    for back in range(at - 1, max(-1, at - 8), -1):
        if words[back] in CLAUSE_ENDS:
            break
        if words[back] in _PERSONS:
            return False
    return words[at - 1] not in CLAUSE_ENDS

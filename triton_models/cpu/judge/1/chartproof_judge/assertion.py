"""What is asserted of each token: affirmed, negated, possible, hypothetical, someone else's, …

A trigger (`vocabulary.triggers`) opens a scope forwards or backwards, up to a boundary (`scopes`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from . import allergies, attempts, orders, questions
from .events import mark, not_done
from .relatives import of_relatives
from .scopes import IS, backward, forward, subject
from .vocabulary.events import NO_OBJECT
from .vocabulary.tables import word_set
from .vocabulary.triggers import (
    AGAIN,
    BACKWARD,
    DENYING,
    FORWARD,
    LABELLED,
    PSEUDO,
    SUBJECT_BEFORE,
    Status,
)

__all__ = ["Status", "statuses"]

_OF_IT = word_set("prior history hx significant known issues complaints current use past recent")
"""May follow the `no` of a label: `Tobacco: no prior history`."""
_SINCE = word_set("at since for on and today now")
"""May follow `pain free`, where it denies pain."""


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
            forward(words, at + size, status, found)
            if words[at] in SUBJECT_BEFORE and not _trigger(words, at, BACKWARD)[0]:
                subject(words, at, found)
        size, status = _trigger(words, at, BACKWARD)
        if size:
            backward(words, at, status, found)
        elif _no_label(words, at):
            backward(words, at - 1, Status.NEGATED, found)
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
    after = at + 1
    while after < len(words) and words[after] in _OF_IT:
        after += 1
    return labelled and (after == len(words) or not words[after][0].isalnum())


def _free_of(words: Sequence[str], at: int) -> bool:
    """Whether `free` denies the word before it: `pain free`, `seizure-free since May`."""
    if words[at] != "free" or at < 1 + (words[at - 1] == "-") or words[at - 1] in IS:
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

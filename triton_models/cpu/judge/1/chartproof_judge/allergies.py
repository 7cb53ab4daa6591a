"""Allergies: a drug that is named as an allergy is not one that is taken."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from .vocabulary.tables import word_set
from .vocabulary.triggers import Status

_ALLERGIES = word_set("allergy allergies allergic intolerance intolerances anaphylaxis")
_TO = word_set("to : include includes including are")
_ENDS = word_set(". ; but on takes taking started given is was has denies received")
_CLAUSE = word_set(". ; , : - and but with has have to known no")
_TOLERATE = word_set("tolerate tolerates tolerated tolerating")
_ANOTHER = word_set(". ; but no not denies denied without")
"""Where another statement begins."""
REACH = 16
"""Tokens of a list of allergies at most."""


def mark(words: Sequence[str], section: str, found: list[Status]) -> None:
    """Mark what is named as an allergy; all of a section of allergies."""
    if "allerg" in section.lower():
        _add(found, range(len(words)))
        return
    for at, word in enumerate(words):
        if word not in _ALLERGIES:
            continue
        if set(words[at + 1 : at + 2]) & _TO:
            end = at + 2
            while end < min(len(words), at + REACH) and words[end] not in _ENDS:
                end += 1
            _add(found, range(at, end))
            continue
        start = at
        while start > max(0, at - 4) and words[start - 1] not in _CLAUSE:
            start -= 1
        _add(found, range(start, at + 1))


def mark_intolerance(words: Sequence[str], drugs: Collection[int], found: list[Status]) -> None:
    """`Does not tolerate statins, which ...` denies neither the statins nor what they do.

    `drugs`: places of the names of drugs. A diet or a mask that is not tolerated is not there.
    """
    for at, word in enumerate(words):
        if word not in _TOLERATE or not found[at] & Status.NEGATED:
            continue
        end = at + 1
        while end < min(len(words), at + REACH) and words[end] not in _ANOTHER:
            end += 1
        if any(place in drugs for place in range(at + 1, end)):
            for place in range(at + 1, end):
                found[place] &= ~Status.NEGATED
            _add(found, range(at + 1, end))


def _add(found: list[Status], places: range) -> None:
    for place in places:
        found[place] |= Status.ALLERGY

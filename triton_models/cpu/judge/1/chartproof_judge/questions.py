"""Questions: what is asked is not said. "Any fever?" and "have you had chest pain" affirm nothing.

Transcripts and patients' messages ask; notes seldom do.
"""

from __future__ import annotations

from collections.abc import Sequence

from .vocabulary.tables import word_set
from .vocabulary.triggers import Status

REACH = 40
"""Tokens of a question at most; without a question mark `SPOKEN`."""
SPOKEN = 16
_ASKED = word_set("you your")
_ASKS = word_set("do did does are were have has")
_PERFECT = word_set(
    """ever had been noticed experienced any seen taken tried felt got gotten started stopped
    recently still also"""
)
_OPENS = word_set(
    """any how what when why where which who is are do does did has have was were can could should
    would so and okay"""
)
_ENDS = word_set(". ? ! ; [ ]")


def mark(words: Sequence[str], found: list[Status]) -> None:
    """Mark what questions ask as possible."""
    for at, word in enumerate(words):
        if word == "?":
            start = at
            while start > max(0, at - REACH) and words[start - 1] not in _ENDS:
                start -= 1
            if words[start] in _OPENS:
                _add(found, range(start, at))
        elif word in _ASKED and at and words[at - 1] in _ASKS and _asks(words, at):
            end = at
            while end < min(len(words), at + SPOKEN) and words[end] not in _ENDS:
                end += 1
            _add(found, range(at, end))


def _asks(words: Sequence[str], at: int) -> bool:
    """Not so `I'd like to have you rest`, nor `what I did, you know`."""
    if words[at + 1 : at + 2] == ["know"] or words[at + 1 : at + 2] == ("know",):
        return False
    return words[at - 1] != "have" or bool(_PERFECT & set(words[at + 1 : at + 3]))


def _add(found: list[Status], places: range) -> None:
    for place in places:
        found[place] |= Status.POSSIBLE

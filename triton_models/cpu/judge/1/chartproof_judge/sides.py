"""Which side and which part: left and right, upper and lower, medial and lateral; with its noun."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

from .lexicon import Term

_WORDS = {
    "left": ("side", "left"), "lt": ("side", "left"), "l": ("side", "left"),
    "right": ("side", "right"), "rt": ("side", "right"), "r": ("side", "right"),
    "bilateral": ("side", "both"), "bilaterally": ("side", "both"), "both": ("side", "both"),
    "leftward": ("side", "left"), "rightward": ("side", "right"),
    "upper": ("level", "upper"), "lower": ("level", "lower"), "middle": ("level", "middle"),
    "medial": ("depth", "medial"), "lateral": ("depth", "lateral"),
    "anterior": ("face", "anterior"), "posterior": ("face", "posterior"),
    "proximal": ("reach", "proximal"), "distal": ("reach", "distal"),
    "inferior": ("pole", "inferior"), "superior": ("pole", "superior"),
}  # fmt: skip
_WITHIN = {
    "clear to auscultation bilaterally": (("side", "both"),),
    "lower extremity": (("level", "lower"),),
    "upper extremity": (("level", "upper"),),
    "left lower extremity": (("side", "left"), ("level", "lower")),
    "right lower extremity": (("side", "right"), ("level", "lower")),
    "left upper extremity": (("side", "left"), ("level", "upper")),
    "right upper extremity": (("side", "right"), ("level", "upper")),
    "right upper lobe": (("side", "right"), ("level", "upper")),
    "right middle lobe": (("side", "right"), ("level", "middle")),
    "right lower lobe": (("side", "right"), ("level", "lower")),
    "left upper lobe": (("side", "left"), ("level", "upper")),
    "left lower lobe": (("side", "left"), ("level", "lower")),
    "right upper quadrant": (("side", "right"), ("level", "upper")),
    "right lower quadrant": (("side", "right"), ("level", "lower")),
    "left upper quadrant": (("side", "left"), ("level", "upper")),
    "left lower quadrant": (("side", "left"), ("level", "lower")),
}
_NO_SIDE_AFTER = {
    "left": frozenset(
        [
            "the",
            "against",
            "ama",
            "to",
            "work",
            "for",
            "without",
            "before",
            "after",
            "her",
            "his",
            "in",
            "at",
        ]
    ),
    "right": frozenset(["now", "away", "after", "before", "up", "then", "back"]),
    "both": frozenset(["of", "and", "the", "his", "her", "their"]),
    "upper": frozenset(("respiratory", "endoscopy", "gi")),
    "lower": frozenset(("than", "the", "his", "her", "dose", "gi")),
}
_REACH = 4
"""Tokens between a side and its noun at most."""
_NEAR = 20
"""Tokens before a side in which such a noun begins."""
_ABBREVIATED = frozenset(("l", "r", "lt", "rt"))


class Side(NamedTuple):
    axis: str
    value: str
    nouns: frozenset[str]
    """Keys of the nearest content terms: what is on that side."""


def sides(words: Sequence[str], terms: Sequence[Term]) -> list[Side]:
    """Every side said, with its noun, once."""
    found: list[Side] = []
    starts = [term.start for term in terms]
    for at, word in enumerate(words):
        pair = _WORDS.get(word)
        if pair is None:
            continue
        after = words[at + 1] if at + 1 < len(words) else ""
        before = words[at - 1] if at else ""
        if after in _NO_SIDE_AFTER.get(word, ()) and not (word == "both" and pair[1] != "both"):
            continue
        if word in _ABBREVIATED and (not after.isalpha() or before.isdecimal()):
            continue
        if word == "right" and before in ("all", "is", "that's"):
            continue
        near = terms[bisect_left(starts, at - _NEAR) : bisect_left(starts, at + _REACH + 1)]
        found.append(Side(*pair, _nouns(near, at)))
    for term in terms:
        for axis, value in _WITHIN.get(term.key, ()):
            found.append(Side(axis, value, frozenset({term.key, *term.parts})))
    return list(dict.fromkeys(found))


def _nouns(terms: Sequence[Term], at: int) -> frozenset[str]:
    after = [term for term in terms if 0 < term.start - at <= _REACH and term.weight >= 0.9][:2]
    before = [term for term in terms if 0 <= at - term.end <= _REACH and term.weight >= 0.9][-1:]
    near = after or before
    parts = [term for term in near if term.kind == "anatomy"] or near
    return frozenset(key for term in parts for key in (term.key, *term.parts))

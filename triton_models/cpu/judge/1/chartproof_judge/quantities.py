"""Numbers with what they measure: values, pairs, ranges, ages, dates, durations, frequencies.

A quantity is anchored to the analyte, vital or drug beside it; a value of another anchor is never
compared with it. Values are in the unit of their dimension (`units.Units`).
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from .lexicon import Term
from .numbers_read import ARROW, read_number
from .units import NO_UNIT, Units
from .vocabulary.tables import word_set

_COMPARATORS = {
    "<": "<", "under": "<", "below": "<", ">": ">", "over": ">", "above": ">",
    "less than": "<", "fewer than": "<", "no more than": "<", "at most": "<",
    "greater than": ">", "more than": ">", "at least": ">", "no less than": ">",
}  # fmt: skip
_ROUGH = word_set("about approximately around roughly nearly almost ~ several")
_ANCHORS = frozenset(("measure", "drug"))
_LATER = word_set(
    """repeat repeated recheck rechecked now currently later subsequently today afterwards improved
    thereafter"""
)
"""Before a value: it is later than those before it of the same thing."""
_FIRST = word_set("admission presentation arrival initially baseline triage")
_LAST = word_set("discharge")
"""Behind a value: the first or the last of the stay."""
_ANCHOR_REACH = 9
"""Tokens between a measure and its value, at most."""
_AFTER = 3
"""Tokens between a value and the measure behind it, at most."""
_NEAR = 24
"""Tokens before a number in which a term begins that can be its anchor: its name is long too."""


class Quantity(NamedTuple):
    """`kind`: value, pair, fraction, age, date, day, clock, ago, duration, frequency."""

    kind: str
    dimension: str
    low: float
    high: float
    said: tuple[float, float]
    """Low and high as written, before units."""
    scale: float
    """What one of the written unit is in the dimension's unit."""
    places: int
    """Decimals written: a number says no more than that."""
    operator: str
    rough: bool
    anchor: str | None
    context: frozenset[str]
    outdated: bool
    """The first of `from A to B`."""
    negated: bool
    start: int
    end: int
    written: str


def quantities(raw: Sequence[str], terms: Sequence[Term], units: Units) -> list[Quantity]:
    """Every quantity of a tokenised statement, in order."""
    words = [token.lower() for token in raw]
    starts = [term.start for term in terms]
    found: list[Quantity] = []
    at = 0
    while at < len(words):
        read = read_number(words, at, units)
        if read is None:
            at += 1
            continue
        before = words[max(0, at - 3) : at]
        near = terms[bisect_left(starts, at - _NEAR) : bisect_right(starts, read.end + _AFTER)]
        anchor = _anchor(words, near, at, read.end, read.kind)
        unit = units.of(anchor, read.unit, read.said[0]) if read.kind == "value" else read.unit
        timed = read.kind != "value" or unit == NO_UNIT
        found.append(
            Quantity(
                kind=read.kind,
                dimension=read.dimension if timed else unit.dimension,
                low=read.low if timed else unit.base(read.said[0]),
                high=read.high if timed else unit.base(read.said[1]),
                said=read.said,
                scale=unit.scale,
                places=_places(raw[at : read.end], read.said),
                operator=_operator(before),
                rough=bool(_ROUGH & set(before[-2:])),
                anchor=anchor,
                context=_context(near, at, read.end),
                outdated=_outdated(words, at, read.end),
                negated=False,
                start=at,
                end=read.end,
                written=_written(raw, at, read.end),
            )
        )
        at = read.end
    return _superseded(words, _of_stay(words, found))


def _places(tokens: Sequence[str], said: tuple[float, float]) -> int:
    written = [len(token.partition(".")[2]) for token in tokens if token[0].isdigit()]
    places = min(written, default=0)
    return max(places, 2) if any(round(number, places) != number for number in said) else places


def _outdated(words: list[str], start: int, end: int) -> bool:
    """Whether this is the first of `from A to B`, `A → B`."""
    after = words[end : end + 3]
    led = words[max(0, start - 2) : start]
    return after[:1] == [ARROW] or ("to" in after and "from" in led)


def _of_stay(words: list[str], found: list[Quantity]) -> list[Quantity]:
    """`Na 128 on admission, 134 at discharge`: one thing, of which the first is out of date."""
    for place, (first, last) in enumerate(pairwise(found)):
        plain = first.kind == last.kind == "value" and last.anchor in (None, first.anchor)
        labels = set(words[first.end : last.start]), set(words[last.end : last.end + 3])
        if plain and labels[0] & _FIRST and labels[1] & _LAST and first.anchor:
            found[place] = first._replace(outdated=True)
            found[place + 1] = last._replace(anchor=first.anchor)
    return found


def _superseded(words: list[str], found: list[Quantity]) -> list[Quantity]:
    """`K 3.1, repeat 4.0`: a later value of the same thing puts the earlier ones out of date."""
    for place, later in enumerate(found):
        if later.anchor and _LATER & set(words[max(0, later.start - 4) : later.start]):
            for at in range(place):
                if (found[at].anchor, found[at].kind) == (later.anchor, later.kind):
                    found[at] = found[at]._replace(outdated=True)
    return found


def _written(raw: Sequence[str], start: int, end: int) -> str:
    text = " ".join(raw[start:end])
    return re.sub(r" ?([/-]) ?", r"\1", text).replace(" %", "%")


def _operator(before: Sequence[str]) -> str:
    for size in (3, 2, 1):
        said = _COMPARATORS.get(" ".join(before[-size:])) if before else None
        if said:
            return said
    return "="


def _anchor(words: list[str], terms: Sequence[Term], start: int, end: int, kind: str) -> str | None:
    """The measure or drug this belongs to: the nearest before it in the clause, else after it."""
    if kind == "age":
        return "age"
    if kind in ("date", "ago", "day", "clock", "size"):
        return None
    wanted = frozenset(("drug",)) if kind == "frequency" else _ANCHORS
    for term in reversed(terms):
        if term.end <= start and term.kind in wanted and start - term.end <= _ANCHOR_REACH:
            gap = words[term.end : start]
            again = bool(_LATER & set(gap))  # K 3.1, repeat 4.0
            if ";" in gap or "." in gap or (term.kind == "measure" and "," in gap and not again):
                break
            return term.key
    for term in terms:
        if term.start >= end and term.kind in wanted and term.start - end <= _AFTER:
            return None if {";", ".", ","} & set(words[end : term.start]) else term.key
    return None


def _context(terms: Sequence[Term], start: int, end: int) -> frozenset[str]:
    return frozenset(
        term.key
        for term in terms
        if term.weight >= 0.5 and (0 <= start - term.end <= 2 or 0 <= term.start - end <= 1)
    )

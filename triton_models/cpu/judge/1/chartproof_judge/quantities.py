"""Numbers with what they measure: values, pairs, ranges, ages, dates, durations, frequencies.

A quantity is anchored to the analyte, vital or drug beside it; a value of another anchor is never
compared with it. Values are in the units of `units.UNITS`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from .lexicon import Term
from .numbers_read import read_number
from .vocabulary.tables import word_set

_COMPARATORS = {
    "<": "<", "under": "<", "below": "<", ">": ">", "over": ">", "above": ">",
    "less than": "<", "fewer than": "<", "no more than": "<", "at most": "<",
    "greater than": ">", "more than": ">", "at least": ">", "no less than": ">",
}  # fmt: skip
_ROUGH = word_set("about approximately around roughly nearly almost ~ several")
_ANCHORS = frozenset(("measure", "drug"))
_ANCHOR_REACH = 9
"""Tokens between a measure and its value, at most."""


class Quantity(NamedTuple):
    """`kind`: value, pair, fraction, age, date, ago, duration, frequency."""

    kind: str
    dimension: str
    low: float
    high: float
    said: tuple[float, float]
    """Low and high as written, before units."""
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


def quantities(raw: Sequence[str], terms: Sequence[Term]) -> list[Quantity]:
    """Every quantity of a tokenised statement, in order."""
    words = [token.lower() for token in raw]
    found: list[Quantity] = []
    at = 0
    while at < len(words):
        read = read_number(words, at)
        if read is None:
            at += 1
            continue
        before = words[max(0, at - 3) : at]
        found.append(
            Quantity(
                kind=read.kind,
                dimension=read.dimension,
                low=read.low,
                high=read.high,
                said=read.said,
                operator=_operator(before),
                rough=bool(_ROUGH & set(before[-2:])),
                anchor=_anchor(words, terms, at, read.end, read.kind),
                context=_context(terms, at, read.end),
                outdated=before[-1:] == ["from"] and "to" in words[read.end : read.end + 3],
                negated=False,
                start=at,
                end=read.end,
                written=_written(raw, at, read.end),
            )
        )
        at = read.end
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
    if kind in ("date", "ago"):
        return None
    wanted = frozenset(("drug",)) if kind == "frequency" else _ANCHORS
    for term in reversed(terms):
        if term.end <= start and term.kind in wanted and start - term.end <= _ANCHOR_REACH:
            gap = words[term.end : start]
            if ";" in gap or "." in gap or (term.kind == "measure" and "," in gap):
                break
            return term.key
    for term in terms:
        if term.start >= end and term.kind in wanted and term.start - end <= 3:
            return None if {";", ".", ","} & set(words[end : term.start]) else term.key
    return None


def _context(terms: Sequence[Term], start: int, end: int) -> frozenset[str]:
    return frozenset(
        term.key
        for term in terms
        if term.weight >= 0.5 and (0 <= start - term.end <= 2 or 0 <= term.start - end <= 1)
    )

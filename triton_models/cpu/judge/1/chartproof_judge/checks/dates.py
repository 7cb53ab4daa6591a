"""Calendar dates: named in the fact, or the day it was written."""

from __future__ import annotations

import re
from datetime import date
from functools import lru_cache
from typing import NamedTuple

from ..reading import Dated
from .signal import Signal, unknown

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            ("jan", "january"), ("feb", "february"), ("mar", "march"), ("apr", "april"),
            ("may",), ("jun", "june"), ("jul", "july"), ("aug", "august"),
            ("sep", "sept", "september"), ("oct", "october"), ("nov", "november"),
            ("dec", "december"),
        ),
        1,
    )
    for name in names
}  # fmt: skip
_NAME = "|".join(sorted(_MONTHS, key=len, reverse=True))
_DATE = re.compile(
    rf"\b(?P<y1>\d{{4}})-(?P<m1>\d\d?)-(?P<d1>\d\d?)\b"
    rf"|\b(?P<n2>{_NAME})\.? (?P<d2>\d\d?)(?:st|nd|rd|th)?(?:,? (?P<y2>\d{{4}}))?\b"
    rf"|\b(?P<d3>\d\d?)(?:st|nd|rd|th)?(?: of)? (?P<n3>{_NAME})\.?(?:,? (?P<y3>\d{{4}}))?\b"
    rf"|\b(?P<a4>\d\d?)/(?P<b4>\d\d?)(?:/(?P<y4>\d{{4}}|\d\d))?\b",
    re.IGNORECASE,
)


class Named(NamedTuple):
    """`days` are (month, day) as it can be read; `year` 0: not written."""

    span: tuple[int, int]
    days: frozenset[tuple[int, int]]
    year: int


@lru_cache(8192)
def dates(text: str) -> tuple[Named, ...]:
    return tuple(each for match in _DATE.finditer(text) if (each := _named(match)) is not None)


def _named(match: re.Match[str]) -> Named | None:
    given = match.groupdict()
    year = int(given["y1"] or given["y2"] or given["y3"] or given["y4"] or 0)
    year += 2000 if 0 < year < 100 else 0
    if given["m1"]:
        pairs = [(int(given["m1"]), int(given["d1"]))]
    elif given["n2"]:
        pairs = [(_MONTHS[given["n2"].lower()], int(given["d2"]))]
    elif given["n3"]:
        pairs = [(_MONTHS[given["n3"].lower()], int(given["d3"]))]
    else:
        # Day first or month first: whatever is a date.
        first, second = int(given["a4"]), int(given["b4"])
        pairs = [(first, second), (second, first)]
    days = frozenset((m, d) for m, d in pairs if 1 <= m <= 12 and 1 <= d <= 31)
    return Named(match.span(), days, year) if days else None


def check(statement: Dated, fact: Dated) -> list[Signal]:
    """One signal for each date of the statement."""
    mine = dates(statement.read.text)
    if not mine:
        return []
    theirs = list(dates(fact.read.text))
    written = fact.time.date() if fact.time else None
    return [_judge(each, theirs, written, statement, fact) for each in mine]


def _judge(
    mine: Named, theirs: list[Named], written: date | None, statement: Dated, fact: Dated
) -> Signal:
    if written is not None and (written.month, written.day) in mine.days:
        return Signal("agree", mine.span, 0.7)
    for other in theirs:
        if mine.days & other.days and (not mine.year or not other.year or mine.year == other.year):
            return Signal("agree", mine.span)
    shared = statement.read.content() & fact.read.content()
    if len(theirs) == 1 and len(shared) >= 2:
        return Signal("conflict", mine.span, 0.6, fact.read.text[slice(*theirs[0].span)])
    return unknown(mine.span)

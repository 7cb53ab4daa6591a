"""Times said in words: for a few weeks, last month, yesterday, in the evening, after lunch.

Numbers with units are `quantities`, which must be in the chart; these need not be, but where the
chart tells another time of the same thing, one of the two is wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from .lexicon import Term
from .numerals import NUMBER_WORDS, figures
from .vocabulary.times import (
    AFTER,
    AGO,
    AMOUNTS,
    BACK,
    BEFORE,
    CLAUSES,
    FOREVER,
    LASTING,
    NEXT,
    ONES,
    PARTS,
    PERIODS,
    POINTS,
    WEEKDAYS,
)

Kind = Literal["span", "point", "part", "weekday", "order"]
_MAY_BE_MANY = (*WEEKDAYS, *PERIODS)
_TRIGGERS = frozenset(
    ("prior", *POINTS, *PARTS, *BEFORE, *AFTER, *_MAY_BE_MANY, *(f"{p}s" for p in _MAY_BE_MANY))
)
AROUND = 8
"""Tokens on either side, in the same clause, that say what a time is of."""
SECOND = 5
"""Tokens after `before` and `after` that say of what."""
_MODIFIERS = BACK | NEXT | {"the", "about", "approximately"}
_ROUND = 0.1
"""Share by which a counted time may differ from one that is told in words."""
_SOONEST, _LATEST = 0.55, 1.05
"""`Last week` is three days ago or eleven."""
_NEAR_ONE = 0.75, 1.5
"""`A month` is said of three weeks and of six, not of one."""


class Time(NamedTuple):
    """`low` and `high`: days; of a point those before the text, negative after it; of an order 0
    for before and 1 for after."""

    kind: Kind
    low: float
    high: float
    value: str
    """Part of the day or weekday; empty for the rest."""
    around: frozenset[str]
    """Keys of the terms that it is of; of an order those of the second event."""
    written: str
    counted: bool = False
    """Whether a number says how long, so that it is a quantity as well."""


def times(words: Sequence[str], terms: Sequence[Term], taken: frozenset[int]) -> tuple[Time, ...]:
    """Every time of a tokenised statement (lower case), but those at places in `taken`."""
    found: list[Time] = []
    for at, word in enumerate(words):
        if word not in _TRIGGERS:
            continue
        if (
            word in BEFORE
            or word in AFTER
            or (word == "prior" and tuple(words[at + 1 : at + 2]) == ("to",))
        ):
            found.extend(_order(words, at, terms))
        elif word.removesuffix("s") in WEEKDAYS:
            found.append(_of_day("weekday", word.removesuffix("s"), words, at, terms))
        elif word in POINTS:
            low, high = POINTS[word]
            found.append(Time("point", low, high, "", _around(words, at, terms), word))
        else:
            if word in PARTS and words[max(0, at - 1)] != "good":
                found.append(_of_day("part", PARTS[word], words, at, terms))
            if word.removesuffix("s") in PERIODS and at not in taken:
                found.extend(_period(words, at, terms))
    return tuple(found)


def _of_day(kind: Kind, value: str, words: Sequence[str], at: int, terms: Sequence[Term]) -> Time:
    return Time(kind, 0.0, 0.0, value, _around(words, at, terms), words[at])


def _around(words: Sequence[str], at: int, terms: Sequence[Term]) -> frozenset[str]:
    start, end = at, at
    while start > max(0, at - AROUND) and words[start - 1] not in CLAUSES:
        start -= 1
    while end < min(len(words), at + AROUND) and words[end] not in CLAUSES:
        end += 1
    return frozenset(term.key for term in terms if start <= term.start < end and term.weight >= 0.5)


def _order(words: Sequence[str], at: int, terms: Sequence[Term]) -> list[Time]:
    if "and" in words[at + 1 : at + 2] or (at and words[at - 1] == "and"):
        return []  # before and after meals
    end = at + 1
    while end < min(len(words), at + 1 + SECOND) and words[end] not in (*CLAUSES, ","):
        end += 1
    second = frozenset(
        part
        for term in terms
        if at < term.start < end and term.weight >= 0.5
        for part in (term.key, *term.parts)
    )
    side = float(words[at] in AFTER)
    written = " ".join(words[at:end])
    return [Time("order", side, side, "", second, written)] if second else []


def _period(words: Sequence[str], at: int, terms: Sequence[Term]) -> list[Time]:
    """What `day`, `weeks`, ... at `at` are the end of; nothing when they measure no time here."""
    amount = _amount(words, at)
    if amount is None:
        return []
    low, high, start = amount
    counted = words[start][0].isdecimal() or words[start] in NUMBER_WORDS
    if tuple(words[at + 1 : at + 4]) == ("and", "a", "half"):
        low, high = low + 0.5, high + 0.5
    led: set[str] = set()
    while start > 0 and words[start - 1] in _MODIFIERS:
        start -= 1
        led.add(words[start])
    preposition = words[start - 1] if start else ""
    days = PERIODS[words[at].removesuffix("s")]
    kind, low, high = _placed(words[at + 1 : at + 3], led, preposition, (low * days, high * days))
    written = " ".join(words[start : at + 1])
    return [Time(kind, low, high, "", _around(words, at, terms), written, counted)]


def _placed(
    after: Sequence[str], led: set[str], preposition: str, length: tuple[float, float]
) -> tuple[Kind, float, float]:
    """Whether a length of time is one, or says how long ago or how soon."""
    low, high = length
    lasting = preposition in LASTING
    if after[:1] and after[0] in AGO and tuple(after) != ("prior", "to"):
        return "point", low, high
    if tuple(after) == ("from", "now") or (preposition == "in" and not led & BACK):
        return "point", -high, -low
    if led & NEXT and not lasting:
        return "point", -high * _LATEST, -low * _SOONEST
    if led & BACK and not lasting:
        return "point", low * _SOONEST, high * _LATEST
    return "span", low, high


def _amount(words: Sequence[str], at: int) -> tuple[float, float, int] | None:
    """How many of the period at `at`, least and most, and where that begins."""
    if at > 1 and words[at - 1] == "of" and words[at - 2] in AMOUNTS:
        at -= 1  # a couple of weeks
        before = words[at - 1]
    else:
        before = words[at - 1] if at else ""
    if before in AMOUNTS:
        return *AMOUNTS[before], at - 1 - (at > 1 and words[at - 2] == "a")
    number = _number(words, at - 1 - (before == "-"))
    if number:
        return number[0] * (1 - _ROUND), number[0] * (1 + _ROUND), number[1]
    return _some(words, at, before) if words[at].endswith("s") else _one(words, at, before)


def _some(words: Sequence[str], at: int, before: str) -> tuple[float, float, int] | None:
    """The amount of `for weeks`, `years ago`, `the past months`."""
    if words[at + 1 : at + 2] and words[at + 1] in AGO:
        return 2.0, 12.0, at
    told = before in BACK or before in NEXT or before in ("for", "over")
    return (2.0, FOREVER, at) if told else None


def _one(words: Sequence[str], at: int, before: str) -> tuple[float, float, int] | None:
    """The amount of `a week`, `half an hour`, `last year`, `over the year`; not of `the day of`."""
    if before == "half":
        return 0.4, 0.6, at - 1
    if before in BACK or before in NEXT:
        return *_NEAR_ONE, at
    if before not in ONES:
        return None
    ahead = words[at - 2] if at > 1 else ""
    if ahead == "half":
        return 0.4, 0.6, at - 2
    return None if before == "the" and ahead not in LASTING else (*_NEAR_ONE, at - 1)


def _number(words: Sequence[str], at: int) -> tuple[float, int] | None:
    if at < 0:
        return None
    said = NUMBER_WORDS.get(words[at])
    if said is not None and words[at] != "one":
        return float(said), at
    read = figures(words[at], at) if words[at][0].isdecimal() else None
    return (read[0], at) if read else None

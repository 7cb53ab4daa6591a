"""Two quantities side by side: do they measure the same thing, and do they say the same of it?"""

from __future__ import annotations

from typing import Literal

from . import dates
from .quantities import Quantity

Relation = Literal["agree", "conflict", "open"]
"""`open`: the chart's value leaves it open whether the proposition's is right."""

BODY = 20_000.0
"""Milligrams from which a unit (ounce, pound, kilogram) weighs patients, not drugs."""
CONVERTED = 0.012
"""Share by which a value may differ after a change of units."""
ROUGH = 0.1
"""The same where one of the two says `about`, and between weeks and months."""
_ALMOST = 1 - 1e-6
"""2.5 is not written 2: half a step is one too many, whatever binary fractions make of it."""
LONGER = 2.0
"""`Over 5 days` is not said of five months: how much more still agrees with a bound on a time."""


def comparable(wanted: Quantity, other: Quantity) -> bool:
    """Whether two quantities measure the same thing, so that a difference is a contradiction."""
    if wanted.kind == "date" and other.kind in ("fraction", "value"):  # BMP 2/18, CABG 2015
        return _undressed_date(wanted, other)
    kinds = {wanted.kind, other.kind}
    if len(kinds) > 1 and kinds != {"duration", "ago"}:
        return False
    if wanted.dimension != other.dimension and wanted.dimension and other.dimension:
        return wanted.anchor is not None and (wanted.anchor, wanted.said) == (
            other.anchor, other.said
        )  # fmt: skip
    if wanted.anchor or other.anchor:
        return wanted.anchor == other.anchor or (
            relate(wanted, other) == "agree" and not (wanted.anchor and other.anchor)
        )
    if wanted.kind == "value" and not (wanted.dimension and other.dimension):
        return bool(wanted.context & other.context) or relate(wanted, other) == "agree"
    heavy = (wanted.scale >= BODY, other.scale >= BODY)
    return wanted.dimension != "[mass]" or heavy[0] == heavy[1]


def _undressed_date(wanted: Quantity, other: Quantity) -> bool:
    """Whether numbers that nothing marks as a date are this one."""
    year, month, day = dates.parts(wanted.low)
    if other.kind == "fraction":
        return (month, day) == other.said
    return not month and other.said == (year, year) and not other.dimension


def relate(wanted: Quantity, other: Quantity) -> Relation:
    """What the chart's value says of the proposition's; of comparable quantities only."""
    if wanted.kind == "date":
        return "agree" if other.kind != "date" or _same_date(wanted, other) else "conflict"
    if wanted.dimension and other.dimension and wanted.dimension != other.dimension:
        return "conflict"
    if wanted.operator == other.operator:
        return "agree" if _equal(wanted, other) else "conflict"
    if wanted.operator != "=":
        return "agree" if other.operator == "=" and _within(wanted, other) else "conflict"
    if not _within(other, wanted):
        return "conflict"
    (low, _), (limit, _) = _values(wanted, other)
    return "agree" if abs(low - limit) <= CONVERTED * abs(limit) else "open"


def _same_date(wanted: Quantity, other: Quantity) -> bool:
    """Dates that agree in all that both say; a year within a range of years is in it."""
    if wanted.low == wanted.high and other.low != other.high:
        return other.low // dates.YEAR <= wanted.low // dates.YEAR <= other.high // dates.YEAR
    return dates.agree(wanted.low, other.low) and dates.agree(wanted.high, other.high)


def _within(bound: Quantity, other: Quantity) -> bool:
    """Whether a value keeps to `< 7`, `> 5 days`."""
    (limit, _), (low, high) = _values(bound, other)
    if bound.operator == "<":
        return high <= limit
    timed = bound.kind in ("duration", "ago", "age")
    return low >= limit and not (timed and low > LONGER * limit)


def _values(one: Quantity, two: Quantity) -> tuple[tuple[float, float], tuple[float, float]]:
    """Both values in one unit: as written where one of them names no unit."""
    if one.dimension != two.dimension:
        return one.said, two.said
    return (one.low, one.high), (two.low, two.high)


def _equal(wanted: Quantity, other: Quantity) -> bool:
    """Whether two values are one, as far as they are written out and after a change of units."""
    (low, high), (least, most) = _values(wanted, other)
    as_written = wanted.dimension != other.dimension
    rounding = max(
        0.5 * 10.0**-each.places * (1.0 if as_written else each.scale) for each in (wanted, other)
    )
    same_unit = as_written or wanted.scale == other.scale
    share = 0.0 if same_unit and wanted.kind != "frequency" else CONVERTED
    rounding *= wanted.kind != "frequency"
    if wanted.rough or other.rough or (share and wanted.kind in ("duration", "ago", "age")):
        share = ROUGH

    def near(one: float, two: float) -> bool:
        apart = abs(one - two)
        return one == two or apart < rounding * _ALMOST or apart <= share * max(abs(one), abs(two))

    if low == high and least != most and wanted.kind == "value":  # an end of a range
        return near(low, least) or near(low, most)
    return near(low, least) and near(high, most)

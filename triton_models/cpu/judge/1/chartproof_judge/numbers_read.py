"""Reading one number where it stands: its kind, its unit, its value and where it ends."""

from __future__ import annotations

from typing import NamedTuple

from . import frequencies, moments, numerals
from .dates import MONTHS, date
from .frequencies import frequency
from .moments import moment
from .numerals import Value, value
from .units import NO_UNIT, RATE, TEMPERATURE, TIME, Unit, Units
from .vocabulary.tables import word_set

_AGE_TAILS = frozenset(("old", "yo"))
_STARTS = numerals.STARTS | frequencies.STARTS | moments.STARTS | MONTHS.keys()
_LENGTH = "[length]"
ARROW = "\u2192"
_CHANGES = word_set(
    """from increased decreased rose fell dropped climbed improved worsened went up down uptrended
    downtrended increasing decreasing rising falling"""
)
"""Words before `2 to 5` or `5 to 2` of which the first is the earlier, not the lower."""


class Read(NamedTuple):
    """`low` and `high` in the dimension's unit; `said` as written; `end` is one past the tokens."""

    kind: str
    dimension: str
    low: float
    high: float
    end: int
    said: tuple[float, float]
    unit: Unit = NO_UNIT


def read_number(words: list[str], at: int, units: Units) -> Read | None:
    """The quantity that starts at `words[at]` (lower case), or None."""
    word = words[at]
    if not (word[0].isdecimal() or word[0] == "q" or word in _STARTS):
        return None
    often = frequency(words, at, units)
    if often:
        low, high, end = often
        return Read("frequency", "per day", low, high, end, (low, high))
    dated = date(words, at)
    if dated and not (dated[2] == at + 1 and units.at(words, at + 1)):  # by 2000 mL
        low, high, end = dated
        return Read("date", "date", low, high, end, (low, high))
    then = moment(words, at, units)
    if then:
        kind, dimension, number, end = then
        return Read(kind, dimension, number, number, end, (number, number))
    return _number(words, at, units)


def _number(words: list[str], at: int, units: Units) -> Read | None:
    read = value(words, at, units)
    if read is None:
        return None
    low, end = read
    joint = words[end] if end < len(words) else ""
    second = value(words, end + 1, units) if joint in ("/", "-", "to", "or", ARROW) else None
    if second and joint == "/":
        return _over(words, low, second, units)
    change = joint == ARROW or (at > 0 and words[at - 1] in _CHANGES)
    later = _with_unit(words, low, low, second[1], units) if second and change else None
    if later and later.unit.dimension == TIME and words[at - 1] == "from":
        change = False  # lasts from 4 to 72 hours
    if later and change and units.at(words, end) is None:  # from 130 to 120 pounds
        both = later if later.dimension else _with_unit(words, low, low, end, units)
        return both._replace(end=end)
    if second and second[0] > low and (joint != "or" or units.at(words, second[1])):
        return _with_unit(words, low, second[0], second[1], units)
    return (
        _size(words, low, end, units)
        or (None if change else _range(words, low, end, units))
        or _with_unit(words, low, low, end, units)
    )


def _range(words: list[str], low: float, end: int, units: Units) -> Read | None:
    """`6 weeks to 8 weeks`: a unit at each end."""
    first = units.at(words, end)
    if not first or words[end + first[1] : end + first[1] + 1] not in (["to"], ["-"]):
        return None
    high = value(words, end + first[1] + 1, units)
    if high and high[0] > low and units.at(words, high[1]) == first:
        return _with_unit(words, low, high[0], high[1], units)
    return None


def _over(words: list[str], low: float, second: Value, units: Units) -> Read:
    """120/80, 4/5, and 1/2 of what is counted."""
    unit = units.at(words, second[1])
    counted = unit and low == 1 and second[0] in (2, 4) and unit[0].dimension != _LENGTH
    if counted and second[0] and unit:
        part = low / second[0]
        return _with_unit(words, part, part, second[1], units)
    kind = "pair" if low >= 20 and second[0] >= 10 else "fraction"
    pressure = unit is not None and words[second[1]] in ("mmhg", "mm") and kind == "pair"
    stop = second[1] + (unit[1] if unit and pressure else 0)
    return Read(kind, kind, low, second[0], stop, (low, second[0]))


def _size(words: list[str], low: float, end: int, units: Units) -> Read | None:
    """`2 x 3 cm`, `2 cm x 3 cm x 1 cm`: the first two of what was measured, in their unit."""
    first = units.at(words, end)
    step = end + (first[1] if first else 0)
    second = value(words, step + 1, units) if words[step : step + 1] in (["x"], ["by"]) else None
    if not second:
        return None
    after = units.at(words, second[1])
    last = second[1] + (after[1] if after else 0)
    third = value(words, last + 1, units) if words[last : last + 1] in (["x"], ["by"]) else None
    read = _with_unit(words, low, second[0], third[1] if third and not after else second[1], units)
    return read._replace(kind="size") if read.unit.dimension == _LENGTH else None


def _with_unit(words: list[str], low: float, high: float, end: int, units: Units) -> Read:
    said = (low, high)
    hyphen = end < len(words) and words[end] == "-"
    found = units.at(words, end + hyphen)
    if words[end : end + 1] in (["more"], ["additional"], ["extra"]):  # 20 more pounds
        hyphen, found = True, units.at(words, end + 1)
    elif words[end : end + 1] == ["'"] and value(words, end + 1, units):  # 5'10"
        found = (units.foot, 1)
    if found is None or (found[0].dimension == TEMPERATURE and not 25 <= low <= 115):
        return Read("value", "", low, high, end, said)
    unit, used = found
    stop = end + hyphen + used
    smaller = _smaller(words, low, stop, unit, units) if low == high else None
    if smaller:
        low = high = smaller[0]
        said, stop = (low, high), smaller[1]
    based = (unit.base(low), unit.base(high))
    if unit.dimension == TIME:
        return _of_time(words, Read("duration", TIME, *based, stop, said, unit))
    if unit.dimension == RATE and words[stop : stop + 2] == ["per", "minute"]:
        stop += 2
    return Read("value", unit.dimension, *based, stop, said, unit)


def _smaller(words: list[str], number: float, end: int, unit: Unit, units: Units) -> Value | None:
    """5 feet 10 inches, 6 lb 4 oz: one length, one weight, in the larger unit."""
    more = value(words, end + (words[end : end + 1] in ([","], ["and"])), units)
    if not more or unit.offset or unit.dimension == TIME:
        return None
    inches = unit == units.foot and words[more[1] : more[1] + 1] in (["in"], ['"'])
    found = (units.inch, 1) if inches else units.at(words, more[1])
    if not found or found[0].dimension != unit.dimension:
        return None
    part = more[0] * found[0].scale / unit.scale
    return (number + part, more[1] + found[1]) if part < 1 else None


def _of_time(words: list[str], read: Read) -> Read:
    """`67 years old` is an age, `two weeks ago` a time, all else a duration."""
    follows = words[read.end : read.end + 2]
    for at, word in enumerate(follows):
        if word in _AGE_TAILS and read.low >= read.said[0]:
            return read._replace(kind="age", dimension="age", end=read.end + at + 1)
    return read._replace(kind="ago") if "ago" in follows else read

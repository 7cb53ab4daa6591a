"""Reading one number where it stands: its kind, its unit, its value and where it ends."""

from __future__ import annotations

from typing import NamedTuple

from .dates import date
from .frequencies import frequency
from .numerals import Value, value
from .units import NO_UNIT, RATE, TEMPERATURE, TIME, Unit, Units
from .vocabulary.tables import word_set

_AGE_TAILS = frozenset(("old", "yo"))
_LENGTH = "[length]"
ARROW = "\u2192"
_CHANGES = word_set(
    """from increased decreased rose fell dropped climbed improved worsened went up down uptrended
    downtrended increasing decreasing rising falling"""
)
"""Words before `2 to 5` or `5 to 2` of which the first is the earlier, not the lower."""
_NUMBERED_DAYS = {
    ("pod",): "operation", ("post", "op", "day"): "operation", ("postop", "day"): "operation",
    ("post", "-", "op", "day"): "operation", ("postoperative", "day"): "operation",
    ("post", "operative", "day"): "operation", ("post", "-", "operative", "day"): "operation",
    ("hospital", "day"): "hospital", ("hosp", "day"): "hospital", ("hd", "#"): "hospital",
    ("icu", "day"): "intensive care", ("day", "of", "life"): "life", ("dol",): "life",
}  # fmt: skip
"""What the days are counted from: postoperative day 2, hospital day 3."""
_STARTS = frozenset(words[0] for words in _NUMBERED_DAYS)
_NOON = 12


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
    day = _numbered_day(words, at, units) if words[at] in _STARTS else None
    if day:
        return day
    often = frequency(words, at, units)
    if often:
        low, high, end = often
        return Read("frequency", "per day", low, high, end, (low, high))
    dated = date(words, at)
    if dated:
        low, high, end = dated
        return Read("date", "date", low, high, end, (low, high))
    return _clock(words, at) or _number(words, at, units)


def _plain(kind: str, number: float, end: int) -> Read:
    return Read(kind, kind, number, number, end, (number, number))


def _numbered_day(words: list[str], at: int, units: Units) -> Read | None:
    for said, counted in _NUMBERED_DAYS.items():
        end = at + len(said)
        if tuple(words[at:end]) == said:
            end += words[end : end + 1] in (["#"], ["number"])
            number = value(words, end, units)
            if number:
                return _plain("day", *number)._replace(dimension=f"day of {counted}")
    return None


def _clock(words: list[str], at: int) -> Read | None:
    """`14:30`, `8 am`, `8:30 pm` as minutes of the day."""
    if not (words[at].isascii() and words[at].isdecimal() and len(words[at]) <= 2):
        return None
    hour, minute, end = int(words[at]), 0, at + 1
    if words[end : end + 1] == [":"] and len("".join(words[end + 1 : end + 2])) == 2:
        if not (words[end + 1].isascii() and words[end + 1].isdecimal()):
            return None
        minute, end = int(words[end + 1]), end + 2
    half = words[end] if end < len(words) else ""
    if half in ("am", "pm") and 1 <= hour <= _NOON:
        hour, end = hour % _NOON + _NOON * (half == "pm"), end + 1
    elif end == at + 1:
        return None
    return _plain("clock", 60 * hour + minute, end) if hour < 24 and minute < 60 else None


def _number(words: list[str], at: int, units: Units) -> Read | None:
    read = value(words, at, units)
    if read is None:
        return None
    low, end = read
    joint = words[end] if end < len(words) else ""
    second = value(words, end + 1, units) if joint in ("/", "-", "to", "or", ARROW) else None
    if joint == "or" and second and units.at(words, second[1]) is None:
        second = None
    if second and joint == "/":
        return _over(words, low, second, units)
    change = joint == ARROW or (at > 0 and words[at - 1] in _CHANGES)
    if second and second[0] > low and not change:
        return _with_unit(words, low, second[0], second[1], units)
    if second and change and joint != "/" and units.at(words, end) is None:
        later = _with_unit(words, low, low, second[1], units)  # from 130 to 120 pounds
        both = later if later.dimension else _with_unit(words, low, low, end, units)
        return both._replace(end=end)
    first = units.at(words, end)
    if first and not change and words[end + first[1] : end + first[1] + 1] in (["to"], ["-"]):
        again = value(words, end + first[1] + 1, units)  # 6 weeks to 8 weeks
        if again and again[0] > low and units.at(words, again[1]) == first:
            return _with_unit(words, low, again[0], again[1], units)
    return _with_unit(words, low, low, end, units)


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


def _with_unit(words: list[str], low: float, high: float, end: int, units: Units) -> Read:
    said = (low, high)
    hyphen = end < len(words) and words[end] == "-"
    found = units.at(words, end + hyphen)
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
    start = end + (words[end : end + 1] in ([","], ["and"]))
    more = value(words, start, units)
    found = units.at(words, more[1]) if more else None
    if not more or not found or found[0].dimension != unit.dimension or unit.offset:
        return None
    part = more[0] * found[0].scale / unit.scale
    return (number + part, more[1] + found[1]) if part < 1 and unit.dimension != TIME else None


def _of_time(words: list[str], read: Read) -> Read:
    """`67 years old` is an age, `two weeks ago` a time, all else a duration."""
    follows = words[read.end : read.end + 2]
    for at, word in enumerate(follows):
        if word in _AGE_TAILS and read.low >= read.said[0]:
            return read._replace(kind="age", dimension="age", end=read.end + at + 1)
    return read._replace(kind="ago") if "ago" in follows else read

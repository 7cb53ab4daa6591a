"""Reading one number where it stands: its kind, its dimension, its value and where it ends."""

from __future__ import annotations

import re
from typing import NamedTuple

from .units import FREQUENCIES, MONTHS, MULTIPLES, NUMBER_WORDS, unit_at
from .vocabulary.tables import word_set

_EVERY = re.compile(r"q(\d{1,2})(h|hr|hrs|d|w)?")
_AGE_TAILS = frozenset(("old", "yo"))
_BEFORE_A_DATE = word_set(
    """on since dated until by through thru from starting day due mon tue wed thu fri sat sun monday
    tuesday wednesday thursday friday saturday sunday"""
)
_LONGEST = 15
"""Digits read of one number: more says nothing, and would lose precision."""


class Read(NamedTuple):
    """`low` and `high` in the dimension's unit; `said` as written; `end` is one past the tokens."""

    kind: str
    dimension: str
    low: float
    high: float
    end: int
    said: tuple[float, float]


def read_number(words: list[str], at: int) -> Read | None:
    """The quantity that starts at `words[at]` (lower case), or None."""
    return _frequency(words, at) or _date(words, at) or _number(words, at)


def _plain(kind: str, dimension: str, value: float, end: int) -> Read:
    return Read(kind, dimension, value, value, end, (value, value))


def _value(words: list[str], at: int) -> tuple[float, int] | None:
    """The number at `at`, in figures or words, and one past its tokens."""
    if at >= len(words):
        return None
    word = words[at]
    if word[0].isdecimal():
        return _figures(word, at)
    if word in MULTIPLES:
        unit = unit_at(words, at + 1 + (words[at + 1 : at + 2] == ["-"]))
        return (float(MULTIPLES[word]), at + 1) if unit else None
    value = NUMBER_WORDS.get(word)
    if value is None or (word == "one" and words[at + 1 : at + 2] in (["of"], ["or"])):
        return None
    end = at + 1
    if value >= 20:
        step = end + (words[end : end + 1] == ["-"])
        ones = NUMBER_WORDS.get(words[step], 0) if step < len(words) else 0
        if 0 < ones < 10:
            return float(value + ones), step + 1
    return float(value), end


def _figures(word: str, at: int) -> tuple[float, int] | None:
    if not word.isascii() or len(word) > _LONGEST:
        return None
    try:
        return float(word), at + 1
    except ValueError:
        return None


def _frequency(words: list[str], at: int) -> Read | None:
    for size in (4, 3, 2, 1):
        if at + size <= len(words):
            times = FREQUENCIES.get(" ".join(words[at : at + size]))
            if times is not None:
                return _plain("frequency", "per day", times, at + size)
    every = _EVERY.fullmatch(words[at])
    if every and every[1].isascii():
        days = {"d": 1.0, "w": 7.0}.get(every[2] or "h", 1 / 24)
        return _plain("frequency", "per day", 1 / max(days * int(every[1]), 0.01), at + 1)
    if words[at] in ("every", "q") and (number := _value(words, at + 1)) and number[0] > 0:
        unit = unit_at(words, number[1])
        if unit and unit[0] == "time":
            times = 1 / max(number[0] * unit[1], 0.001)
            return _plain("frequency", "per day", times, number[1] + unit[2])
    return None


def _date(words: list[str], at: int) -> Read | None:
    """Month and day as month * 100 + day; the year, where said, is a quantity of its own."""
    month = MONTHS.get(words[at])
    if month and (day := _value(words, at + 1)) and 1 <= day[0] <= 31 and day[0] % 1 == 0:
        end = day[1] + (day[1] < len(words) and words[day[1]] in ("st", "nd", "rd", "th"))
        return _plain("date", "date", month * 100 + day[0], end)
    if at + 2 < len(words) and words[at + 1] == "/" and words[at].isdecimal():
        first, second = _value(words, at), _value(words, at + 2)
        if not first or not second or not (1 <= first[0] <= 12 and 1 <= second[0] <= 31):
            return None
        with_year = at + 4 < len(words) and words[at + 3] == "/" and words[at + 4].isdecimal()
        led = at > 0 and words[at - 1] in _BEFORE_A_DATE
        if with_year or led:
            end = at + (5 if with_year else 3)
            return _plain("date", "date", first[0] * 100 + second[0], end)
    return None


def _number(words: list[str], at: int) -> Read | None:
    read = _value(words, at)
    if read is None:
        return None
    low, end = read
    joint = words[end] if end < len(words) else ""
    second = _value(words, end + 1) if joint in ("/", "-", "to") else None
    if second and joint == "/":
        kind = "pair" if low >= 20 and second[0] >= 10 else "fraction"
        unit = unit_at(words, second[1])
        stop = second[1] + (unit[2] if unit and unit[0] == "mmhg" else 0)
        return Read(kind, kind, low, second[0], stop, (low, second[0]))
    change = at > 0 and words[at - 1] == "from"
    if second and second[0] > low and not change:
        return _with_unit(words, low, second[0], second[1])
    if second and joint == "to" and unit_at(words, end) is None:  # from 130 to 120 pounds
        later = _with_unit(words, low, low, second[1])
        return later._replace(end=end) if later.dimension else _with_unit(words, low, low, end)
    first = unit_at(words, end)
    if first and not change and words[end + first[2] : end + first[2] + 1] == ["to"]:
        again = _value(words, end + first[2] + 1)  # 6 weeks to 8 weeks
        if again and again[0] > low and unit_at(words, again[1]) == first:
            return _with_unit(words, low, again[0], again[1])
    return _with_unit(words, low, low, end)


def _with_unit(words: list[str], low: float, high: float, end: int) -> Read:
    said = (low, high)
    if words[end : end + 1] in (["times"], ["x"]) and words[end + 1 : end + 2] in (["a"], ["per"]):
        every = unit_at(words, end + 2)
        if every and every[0] == "time":
            days = every[1]
            return Read("frequency", "per day", low / days, high / days, end + 2 + every[2], said)
    hyphen = end < len(words) and words[end] == "-"
    unit = unit_at(words, end + hyphen)
    if unit is None or (unit[0] == "f" and not 25 <= low <= 115):
        return Read("value", "", low, high, end, said)
    dimension, factor, used = unit
    stop = end + hyphen + used
    low, high = low * factor, high * factor
    if dimension == "time":
        return _of_time(words, Read("duration", "time", low, high, stop, said))
    if dimension == "f" and factor != 1.0:
        low, high = low + 32, high + 32
    if dimension == "rate" and words[stop : stop + 2] == ["per", "minute"]:
        stop += 2
    return Read("value", dimension, low, high, stop, said)


def _of_time(words: list[str], read: Read) -> Read:
    """`67 years old` is an age, `two weeks ago` a time, all else a duration."""
    follows = words[read.end : read.end + 2]
    for at, word in enumerate(follows):
        if word in _AGE_TAILS and read.low >= read.said[0]:
            return read._replace(kind="age", dimension="age", end=read.end + at + 1)
    return read._replace(kind="ago") if "ago" in follows else read

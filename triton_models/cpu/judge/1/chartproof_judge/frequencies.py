"""How often: twice daily, q6h, every other day, three times a week, 40 mg a day -> times a day."""

from __future__ import annotations

import re

from .numerals import NUMBER_WORDS, Value, value
from .units import TIME, Units
from .vocabulary.tables import word_set

FREQUENCIES = {
    "bid": 2.0, "tid": 3.0, "qid": 4.0, "qd": 1.0, "daily": 1.0, "qday": 1.0, "nightly": 1.0,
    "qhs": 1.0, "qam": 1.0, "qpm": 1.0, "weekly": 1 / 7, "monthly": 12 / 365.25, "hourly": 24.0,
    "yearly": 1 / 365.25, "annually": 1 / 365.25, "qod": 0.5, "qwk": 1 / 7, "qweek": 1 / 7,
    "at bedtime": 1.0, "every night": 1.0, "every morning": 1.0, "every evening": 1.0,
    "each morning": 1.0, "each evening": 1.0, "each night": 1.0, "every other day": 0.5,
    "every other week": 1 / 14, "every other month": 6 / 365.25, "alternate days": 0.5,
    "around the clock": 24.0,
}  # fmt: skip
"""Phrase -> times a day."""
_LONGEST = 3
_COUNTS = {"once": 1.0, "twice": 2.0, "thrice": 3.0}
_OF_DAYS = {"daily": 1.0, "weekly": 7.0, "monthly": 365.25 / 12, "yearly": 365.25, "nightly": 1.0}
STARTS = frozenset(
    (
        "times",
        "x",
        "every",
        "q",
        "each",
        "a",
        "an",
        "per",
        "/",
        *_COUNTS,
        *(phrase.partition(" ")[0] for phrase in FREQUENCIES),
    )
)
"""Words with which a frequency may begin; else a number, or q6h."""
_EVERY = re.compile(r"q(\d{1,2})(h|hr|hrs|d|w)?")
_PER = frozenset(("a", "an", "per", "every", "each", "/"))
_NOT_OFTEN = word_set(
    """for in over within during about after before been of is was than and or nearly almost since
    until by at on to with approximately around only just lasted lasting took takes last next past
    such what quite not also as"""
)
"""Words before `a week` of which it is the length: for a week, over a week, it has been a week."""
_REACH = 6
"""Tokens before `a week` among which what is counted stands."""


def frequency(words: list[str], at: int, units: Units) -> tuple[float, float, int] | None:
    """Times a day, least and most, and one past the tokens of the frequency at `words[at]`."""
    counted = _counted(words, at, units)
    if counted:
        return counted
    for size in range(_LONGEST, 0, -1):
        if at + size <= len(words):
            times = FREQUENCIES.get(" ".join(words[at : at + size]))
            if times is not None:
                return times, times, at + size
    every = _EVERY.fullmatch(words[at])
    if every and every[1].isascii():
        days = {"d": 1.0, "w": 7.0}.get(every[2] or "h", 1 / 24)
        return _often(1.0, 1.0, max(days * int(every[1]), 0.01), at + 1)
    if words[at] in ("every", "q", "each"):
        return _every(words, at, units)
    return _per(words, at, units)


def _often(low: float, high: float, days: float, end: int) -> tuple[float, float, int]:
    return low / days, high / days, end


def _counted(words: list[str], at: int, units: Units) -> tuple[float, float, int] | None:
    """`twice a day`, `2 times daily`, `4 to 5 times per week`, `once weekly`."""
    low, end = _COUNTS.get(words[at], 0.0), at + 1
    high = low
    if not low:
        if words[at] in ("times", "x") and (first := value(words, at + 1, units)):
            low, end = first  # times 2 daily
            high = low
        elif (first := value(words, at, units)) is not None:
            (low, end), high = first, first[0]
            if words[end : end + 1] in (["to"], ["-"], ["or"]):
                last = value(words, end + 1, units)
                if last:
                    high, end = last
            if words[end : end + 1] not in (["times"], ["time"], ["x"]):
                return None
            end += 1
        else:
            return None
    if low <= 0 or end >= len(words):
        return None
    if words[end] in _OF_DAYS:
        return _often(low, high, _OF_DAYS[words[end]], end + 1)
    if words[end] in _PER:
        days = _period(words, end + 1, units)
        return _often(low, high, days[0], days[1]) if days else None
    return None


def _every(words: list[str], at: int, units: Units) -> tuple[float, float, int] | None:
    """`every 8 hours`, `every 4 to 6 hours`, `every day`."""
    first = value(words, at + 1, units)
    if first is None:
        days = _period(words, at + 1, units)
        return _often(1.0, 1.0, *days) if days else None
    (low, end), high = first, first[0]
    if words[end : end + 1] in (["to"], ["-"]) and (last := value(words, end + 1, units)):
        high, end = last
    unit = units.at(words, end)
    if unit is None or unit[0].dimension != TIME or low <= 0:
        return None
    longest, shortest = (max(number * unit[0].scale, 0.001) for number in (high, low))
    return 1 / longest, 1 / shortest, end + unit[1]


def _per(words: list[str], at: int, units: Units) -> tuple[float, float, int] | None:
    """`40 mg a day`, `2 packs per week`, `mg/day`: how often the amount before it."""
    if words[at] not in ("a", "an", "per", "/") or at == 0:
        return None
    if words[at] in ("a", "an"):
        before = words[max(0, at - _REACH) : at]
        amount = any(word[0].isdecimal() or word in NUMBER_WORDS for word in before)
        if words[at - 1] in _NOT_OFTEN or not (amount or {"an", "a"} & set(before)):
            return None
    days = _period(words, at + 1, units)
    return _often(1.0, 1.0, *days) if days else None


def _period(words: list[str], at: int, units: Units) -> Value | None:
    """A day, week, month or year: its length in days and one past its tokens."""
    if at < len(words) and words[at] in ("night", "nights", "morning", "evening"):
        return 1.0, at + 1
    unit = units.at(words, at)
    if unit is None or unit[0].dimension != TIME or unit[0].scale < 1 / 25:
        return None
    return unit[0].scale, at + unit[1]

"""Calendar dates, as far as they are said: a day, a month, a year, a range of years; a clock time.

A date is one number, year * 10,000 + month * 100 + day, with zeros for what is not said, so that
`March 4` and `03/04/2024` can be compared in what both say.
"""

from __future__ import annotations

from .numerals import figures
from .vocabulary.tables import word_set

MONTHS = {
    name: number
    for number, names in enumerate(
        ("january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul",
         "august aug", "september sep sept", "october oct", "november nov", "december dec"), 1
    )
    for name in names.split()
}  # fmt: skip
_VERBS = frozenset(("may", "march"))
"""Months that are words: only beside a day, a year or a preposition."""
_LEADS = word_set(
    """on since dated until by through thru from starting day due in during of early late mid
    before after around between mon tue wed thu fri sat sun monday tuesday wednesday thursday
    friday saturday sunday last this next"""
)
_YEAR_LEADS = word_set(
    """in since during from until till by before after around circa early late mid year through
    between approximately ( last summer fall winter spring"""
)
_SUFFIXES = ("st", "nd", "rd", "th")
_CENTURY = 1_900, 2_100
DAY = 1
MONTH = 100
YEAR = 10_000

Dated = tuple[float, float, int]
"""First and last, and one past the tokens."""


def date(words: list[str], at: int) -> Dated | None:
    """The date or range of years at `words[at]` (lower case), or None."""
    return _named(words, at) or _figures(words, at) or _years(words, at)


def parts(coded: float) -> tuple[int, int, int]:
    """Year, month, day; 0 for what is not said."""
    whole = int(coded)
    return whole // YEAR, whole // MONTH % 100, whole % 100


def agree(one: float, two: float) -> bool:
    """Whether two dates say the same in all that both say; False when they share no part."""
    both = [(a, b) for a, b in zip(parts(one), parts(two), strict=True) if a and b]
    return bool(both) and all(a == b for a, b in both)


def _code(year: float, month: float, day: float, end: int) -> Dated:
    coded = year * YEAR + month * MONTH + day
    return coded, coded, end


def _whole(words: list[str], at: int, low: int, high: int) -> int:
    """A whole number in figures between the two; 0 when there is none."""
    if 0 <= at < len(words) and words[at].isascii() and words[at].isdecimal():
        read = figures(words[at], at)
        if read and low <= read[0] <= high:
            return int(read[0])
    return 0


def _year(words: list[str], at: int) -> int:
    return _whole(words, at, *_CENTURY) if at < len(words) and len(words[at]) == 4 else 0


def _named(words: list[str], at: int) -> Dated | None:
    """`March 4th, 2019`, `4 March 2019`, `March 2019`, `in March`."""
    day = 0
    month_at = at
    if words[at].isdecimal():
        day = _whole(words, at, 1, 31)
        month_at = at + 1 + (words[at + 1 : at + 2] in ([each] for each in _SUFFIXES))
        month_at += words[month_at : month_at + 1] == ["of"]
        if not day or month_at >= len(words):
            return None
    month = MONTHS.get(words[month_at], 0)
    if not month:
        return None
    end = month_at + 1
    if not day and (day := _whole(words, end, 1, 31)):
        end += 1 + (words[end + 1 : end + 2] in ([each] for each in _SUFFIXES))
    comma = words[end : end + 1] in ([","], ["of"])
    year = _year(words, end + comma)
    if year:
        end += comma + 1
    led = at > 0 and words[at - 1] in _LEADS
    if not (day or year) and (not led or (words[at] in _VERBS and words[at - 1] != "in")):
        return None
    return _code(year, month, day, end)


def _figures(words: list[str], at: int) -> Dated | None:
    """`3/4/2019`, `on 3/4`, `3/2019`, `2019-03-04`, `3-4-2019`."""
    if at + 2 >= len(words) or words[at + 1] not in ("/", "-"):
        return None
    joint, last = words[at + 1], words[at + 3 : at + 4] == [words[at + 1]]
    year = _year(words, at)
    if year and last and (month := _whole(words, at + 2, 1, 12)):
        day = _whole(words, at + 4, 1, 31)
        return _code(year, month, day, at + 5) if day else None
    month, day = _whole(words, at, 1, 12), _whole(words, at + 2, 1, 31)
    if joint == "/" and month and (year := _year(words, at + 2)):
        return _code(year, month, 0, at + 3)
    if not month or not day:
        return None
    if last and (year := _year(words, at + 4) or _short_year(words, at + 4)):
        return _code(year, month, day, at + 5)
    led = at > 0 and words[at - 1] in _LEADS
    return _code(0, month, day, at + 3) if joint == "/" and led else None


def _short_year(words: list[str], at: int) -> int:
    """`24` is 2024, `87` is 1987."""
    if at >= len(words) or len(words[at]) != 2 or not words[at].isdecimal():
        return 0
    year = _whole(words, at, 0, 99)
    return year + (2_000 if year < 50 else 1_900)


def _years(words: list[str], at: int) -> Dated | None:
    """`in 2019`, `2015-2017`, `from 2015 to 2017`; a bare 2000 is a number."""
    first = _year(words, at)
    if not first:
        return None
    joined = words[at + 1 : at + 2] in (["-"], ["to"], ["through"], ["until"], ["and"])
    last = _year(words, at + 2) if joined else 0
    if joined and words[at + 1] == "-" and words[at + 2 : at + 3] and len(words[at + 2]) == 2:
        short = _whole(words, at + 2, max(13, first % 100), 99)  # 2015-17; 2015-12 is a month
        last = first - first % 100 + short if short else last
    if last > first:
        return first * YEAR, last * YEAR, at + 3
    led = at > 0 and (words[at - 1] in _YEAR_LEADS or words[at - 1] in MONTHS)
    return _code(first, 0, 0, at + 1) if led else None

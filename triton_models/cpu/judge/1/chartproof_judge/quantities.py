"""Numbers with what they measure: values, pairs, ranges, ages, dates, durations, frequencies.

A quantity is anchored to the analyte, vital or drug beside it; a value of another anchor is never
compared with it. Values are in the units of `units.UNITS`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from .lexicon import Term
from .units import FREQUENCIES, MONTHS, NUMBER_WORDS, unit_at

_COMPARATORS = {
    "<": "<", "under": "<", "below": "<", ">": ">", "over": ">", "above": ">",
    "less than": "<", "fewer than": "<", "no more than": "<", "at most": "<", "up to": "<",
    "greater than": ">", "more than": ">", "at least": ">", "no less than": ">",
}  # fmt: skip
_ROUGH = frozenset(
    ["about", "approximately", "around", "roughly", "nearly", "almost", "~", "several"]
)
_EVERY = re.compile(r"q(\d{1,2})(h|hr|hrs|d|w)?")
_AGE_TAILS = frozenset(["old", "yo"])


class Quantity(NamedTuple):
    """`kind`: value, pair, age, date, ago, duration, frequency, fraction, count."""

    kind: str
    dimension: str
    low: float
    high: float
    operator: str
    rough: bool
    anchor: str | None
    context: frozenset[str]
    outdated: bool
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
        read = _frequency(words, at) or _date(words, at) or _number(words, at)
        if read is None:
            at += 1
            continue
        kind, dimension, low, high, end = read
        before = words[max(0, at - 3) : at]
        found.append(
            Quantity(
                kind, dimension, low, high, _operator(before), bool(_ROUGH & set(before[-2:])),
                _anchor(words, terms, at, end, kind), _context(terms, at, end),
                bool(before) and before[-1] == "from" and "to" in words[end : end + 3], False,
                at, end, _written(raw, at, end),
            )
        )  # fmt: skip
        at = end
    return found


def _written(raw: Sequence[str], start: int, end: int) -> str:
    text = " ".join(raw[start:end])
    return re.sub(r" ?([/-]) ?", r"\1", text).replace(" %", "%")


def _value(words: Sequence[str], at: int) -> tuple[float, int] | None:
    if at >= len(words):
        return None
    word = words[at]
    if word[0].isdecimal() and word.isascii():
        try:
            return float(word[:18]), at + 1
        except ValueError:
            return None
    value = NUMBER_WORDS.get(word)
    if value is None or (word == "one" and at + 1 < len(words) and words[at + 1] in ("of", "or")):
        return None
    end = at + 1
    if value >= 20:
        step = end + 1 if end < len(words) and words[end] == "-" else end
        unit = NUMBER_WORDS.get(words[step]) if step < len(words) else None
        if unit is not None and 0 < unit < 10:
            return float(value + unit), step + 1
    return float(value), end


def _frequency(words: list[str], at: int) -> tuple[str, str, float, float, int] | None:
    for size in (4, 3, 2, 1):
        times = (
            FREQUENCIES.get(" ".join(words[at : at + size])) if at + size <= len(words) else None
        )
        if times is not None:
            return "frequency", "per day", times, times, at + size
    every = _EVERY.fullmatch(words[at])
    if every:
        days = {"d": 1.0, "w": 7.0}.get(every[2] or "h", 1 / 24)
        times = 1 / max(days * int(every[1]), 0.01)
        return "frequency", "per day", times, times, at + 1
    if words[at] in ("every", "q") and (number := _value(words, at + 1)) and number[0] > 0:
        unit = unit_at(words, number[1])
        if unit and unit[0] == "time":
            times = 1 / max(number[0] * unit[1], 0.001)
            return "frequency", "per day", times, times, number[1] + unit[2]
    return None


def _date(words: list[str], at: int) -> tuple[str, str, float, float, int] | None:
    """Month and day as month * 100 + day; the year, where said, is a quantity of its own."""
    month = MONTHS.get(words[at])
    if month and (day := _value(words, at + 1)) and 1 <= day[0] <= 31 and day[0] % 1 == 0:
        end = day[1] + (day[1] < len(words) and words[day[1]] in ("st", "nd", "rd", "th"))
        code = month * 100 + day[0]
        return "date", "date", code, code, end
    if at + 2 < len(words) and words[at + 1] == "/" and words[at].isdecimal():
        first, second = _value(words, at), _value(words, at + 2)
        if not first or not second or not (1 <= first[0] <= 12 and 1 <= second[0] <= 31):
            return None
        with_year = at + 4 < len(words) and words[at + 3] == "/" and words[at + 4].isdecimal()
        led = at > 0 and words[at - 1] in ("on", "since", "dated", "until", "by")
        if with_year or led:
            code = first[0] * 100 + second[0]
            return "date", "date", code, code, at + (5 if with_year else 3)
    return None


def _number(words: list[str], at: int) -> tuple[str, str, float, float, int] | None:
    read = _value(words, at)
    if read is None:
        return None
    low, end = read
    high = low
    joint = words[end] if end < len(words) else ""
    second = _value(words, end + 1) if joint in ("/", "-", "to") else None
    if second and joint == "/":
        kind = "pair" if low >= 20 and second[0] >= 10 else "fraction"
        unit = unit_at(words, second[1])
        stop = second[1] + (unit[2] if unit and unit[0] == "mmhg" else 0)
        return kind, kind, low, second[0], stop
    first_unit = unit_at(words, end)
    if second and second[0] > low:
        high, end = second
    elif first_unit and end + first_unit[2] < len(words) and words[end + first_unit[2]] == "to":
        again = _value(words, end + first_unit[2] + 1)
        unit_again = unit_at(words, again[1]) if again else None
        if again and unit_again == first_unit and again[0] > low and words[at - 1] != "from":
            high, end = again
    return _with_unit(words, low, high, end)


def _with_unit(
    words: list[str], low: float, high: float, end: int
) -> tuple[str, str, float, float, int]:
    hyphen = end < len(words) and words[end] == "-"
    unit = unit_at(words, end + hyphen)
    if unit is None:
        return "value", "", low, high, end
    dimension, factor, used = unit
    stop = end + hyphen + used
    if dimension == "f" and not 25 <= low <= 115:
        return "value", "", low, high, end
    if dimension == "time":
        follows = words[stop : stop + 2]
        if _AGE_TAILS & set(follows) and factor > 1:
            return "age", "age", low * factor, high * factor, stop + 1
        if "ago" in follows:
            return "ago", "time", low * factor, high * factor, stop
        return "duration", "time", low * factor, high * factor, stop
    shift = 32.0 if factor == 1.8 else 0.0
    if words[stop : stop + 1] == ["mm"] or words[stop : stop + 1] == ["of"]:
        pass
    return "value", dimension, low * factor + shift, high * factor + shift, stop


def _operator(before: Sequence[str]) -> str:
    for size in (3, 2, 1):
        said = _COMPARATORS.get(" ".join(before[-size:])) if before else None
        if said:
            return said
    return "="


_ANCHORS = frozenset({"measure", "drug"})


def _anchor(words: list[str], terms: Sequence[Term], start: int, end: int, kind: str) -> str | None:
    """The measure or drug this belongs to: the nearest before it in the clause, else after it."""
    if kind == "age":
        return "age"
    wanted = {"drug"} if kind == "frequency" else _ANCHORS
    for term in reversed(terms):
        if term.end <= start and term.kind in wanted and start - term.end <= 9:
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
        if term.weight >= 0.5 and (0 <= start - term.end <= 6 or 0 <= term.start - end <= 6)
    )

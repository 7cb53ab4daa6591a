"""Numbers of a text with their units, in one unit a dimension, and what they are numbers of."""

from __future__ import annotations

from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from ..reading import Text, is_content, read, stem

UNITS = MappingProxyType(
    {
        "mcg": ("mass", 0.001), "microgram": ("mass", 0.001), "micrograms": ("mass", 0.001),
        "µg": ("mass", 0.001), "ug": ("mass", 0.001), "mg": ("mass", 1.0),
        "milligram": ("mass", 1.0), "milligrams": ("mass", 1.0), "g": ("mass", 1000.0),
        "gram": ("mass", 1000.0), "grams": ("mass", 1000.0), "kg": ("weight", 1.0),
        "kilogram": ("weight", 1.0), "kilograms": ("weight", 1.0), "kilos": ("weight", 1.0),
        "lb": ("weight", 0.4536), "lbs": ("weight", 0.4536), "pounds": ("weight", 0.4536),
        "ml": ("volume", 1.0), "cc": ("volume", 1.0), "milliliters": ("volume", 1.0),
        "millilitres": ("volume", 1.0), "l": ("volume", 1000.0), "liter": ("volume", 1000.0),
        "liters": ("volume", 1000.0), "litre": ("volume", 1000.0), "litres": ("volume", 1000.0),
        "mm": ("length", 0.1), "millimeters": ("length", 0.1), "millimetres": ("length", 0.1),
        "cm": ("length", 1.0), "centimeters": ("length", 1.0), "centimetres": ("length", 1.0),
        "second": ("time", 1 / 86400), "seconds": ("time", 1 / 86400),
        "minute": ("time", 1 / 1440), "minutes": ("time", 1 / 1440), "min": ("time", 1 / 1440),
        "hour": ("time", 1 / 24), "hours": ("time", 1 / 24), "hr": ("time", 1 / 24),
        "hrs": ("time", 1 / 24), "h": ("time", 1 / 24), "day": ("time", 1.0), "days": ("time", 1.0),
        "week": ("time", 7.0), "weeks": ("time", 7.0), "wk": ("time", 7.0),
        "month": ("time", 30.4), "months": ("time", 30.4), "year": ("time", 365.25),
        "years": ("time", 365.25), "yrs": ("time", 365.25), "%": ("percent", 1.0),
        "percent": ("percent", 1.0), "units": ("units", 1.0), "unit": ("units", 1.0),
        "mmol": ("mmol", 1.0), "meq": ("mmol", 1.0), "mmhg": ("pressure", 1.0),
        "bpm": ("rate", 1.0), "c": ("celsius", 1.0), "f": ("fahrenheit", 1.0),
        "times": ("times", 1.0), "doses": ("doses", 1.0), "tablets": ("tablets", 1.0),
        "cycles": ("cycles", 1.0), "pack": ("pack", 1.0),
    }
)  # fmt: skip
"""Unit -> dimension, and how many of its first unit it is (SI Brochure, 9th edition)."""
_COUNT = "zero one two three four five six seven eight nine ten eleven twelve"
WORDS = MappingProxyType(
    {word: float(n) for n, word in enumerate(_COUNT.split())}
    | {"once": 1.0, "twice": 2.0, "thrice": 3.0, "single": 1.0, "half": 0.5, "fourteen": 14.0,
       "fifteen": 15.0, "twenty": 20.0, "thirty": 30.0, "forty": 40.0, "fifty": 50.0,
       "sixty": 60.0, "seventy": 70.0, "eighty": 80.0, "ninety": 90.0}
)  # fmt: skip
_VAGUE = frozenset(("one", "single", "half"))
"""Number words that are mostly no quantities."""
MOST = 64
"""Numbers of a text that are read; a text with more is a table, and work must stay bounded."""
REACH = 6
"""Tokens of the same clause in which a number's subject is looked for."""


class Quantity(NamedTuple):
    value: float
    """In the dimension's first unit."""
    step: float
    """Half of what its last digit stands for: it was rounded to that."""
    dimension: str
    """Empty: no unit is written."""
    span: tuple[int, int]
    at: int
    """Place of its token."""
    about: frozenset[str]
    """Stems of the content words nearby."""


@lru_cache(8192)
def quantities(text: str) -> tuple[Quantity, ...]:
    """Every number of a text, dates left out (`dates` reads them)."""
    parsed = read(text)
    tokens = parsed.tokens
    result: list[Quantity] = []
    for at, token in enumerate(tokens):
        value, step = _value(token.text)
        if value is None:
            continue
        if len(result) == MOST:
            break
        unit = tokens[at + 1] if at + 1 < len(tokens) else None
        if unit is not None and unit.text == "-" and at + 2 < len(tokens):
            unit = tokens[at + 2]
        dimension, scale = UNITS.get(unit.text, ("", 1.0)) if unit is not None else ("", 1.0)
        end = unit.end if unit is not None and dimension else token.end
        if token.is_word and token.text in _VAGUE and not dimension:
            continue
        result.append(
            Quantity(
                value * scale, step * scale, dimension, (token.start, end), at, _about(parsed, at)
            )
        )
    return tuple(result)


def _about(parsed: Text, at: int) -> frozenset[str]:
    near = (parsed.tokens[i] for i in parsed.near(at, REACH))
    return frozenset(
        stem(token.text) for token in near if is_content(token) and token.text not in UNITS
    )


def _value(word: str) -> tuple[float | None, float]:
    if word in WORDS:
        return WORDS[word], 0.0
    if not word[0].isdecimal():
        return None, 0.0
    whole, _, decimals = word.replace(",", "" if _thousands(word) else ".").partition(".")
    if not whole.isdecimal() or (decimals and not decimals.isdecimal()) or len(whole) > 12:
        return None, 0.0
    return float(f"{whole}.{decimals or 0}"), 0.5 * 10 ** -len(decimals)


def _thousands(word: str) -> bool:
    head, _, tail = word.partition(",")
    return len(tail.partition(".")[0]) == 3 and head != "0"


def same(mine: Quantity, theirs: Quantity) -> bool:
    """Equal as far as both were rounded, units allowing."""
    if mine.dimension and theirs.dimension and mine.dimension != theirs.dimension:
        pair = {mine.dimension, theirs.dimension}
        if pair == {"celsius", "fahrenheit"}:
            return _close(_celsius(mine), _celsius(theirs), 0.06)
        return False
    exact = mine.dimension == theirs.dimension and mine.step and theirs.step
    slack = max(mine.step, theirs.step) if exact else 0.0
    return _close(mine.value, theirs.value, slack)


def _celsius(each: Quantity) -> float:
    return each.value if each.dimension == "celsius" else (each.value - 32) * 5 / 9


def _close(a: float, b: float, slack: float) -> bool:
    return abs(a - b) <= max(min(slack, 0.02 * max(abs(a), abs(b))), 1e-6 * max(abs(a), abs(b)))

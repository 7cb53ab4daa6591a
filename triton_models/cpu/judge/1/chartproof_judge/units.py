"""Units and number words: a value in any of them becomes one number in one dimension."""

from __future__ import annotations

from .vocabulary.tables import word_list

UNITS: dict[str, tuple[str, float]] = {
    "mcg": ("mass", 0.001), "ug": ("mass", 0.001), "microgram": ("mass", 0.001),
    "mg": ("mass", 1.0), "milligram": ("mass", 1.0), "g": ("mass", 1000.0),
    "gm": ("mass", 1000.0), "gram": ("mass", 1000.0),
    "ml": ("volume", 1.0), "cc": ("volume", 1.0), "l": ("volume", 1000.0),
    "liter": ("volume", 1000.0), "unit": ("units", 1.0), "u": ("units", 1.0), "iu": ("units", 1.0),
    "mg/dl": ("mg/dl", 1.0), "g/dl": ("g/dl", 1.0), "mmol/l": ("mmol/l", 1.0),
    "meq/l": ("mmol/l", 1.0), "meq": ("mmol", 1.0), "mmol": ("mmol", 1.0), "ng/ml": ("ng/ml", 1.0),
    "pg/ml": ("pg/ml", 1.0), "mg/kg": ("mg/kg", 1.0), "ml/hr": ("ml/h", 1.0), "u/l": ("u/l", 1.0),
    "l/min": ("l/min", 1.0), "ml/min": ("ml/min", 1.0),
    "%": ("%", 1.0), "percent": ("%", 1.0), "mmhg": ("mmhg", 1.0),
    "bpm": ("rate", 1.0), "beat": ("rate", 1.0), "/min": ("rate", 1.0),
    "f": ("f", 1.0), "fahrenheit": ("f", 1.0), "c": ("f", 1.8), "celsius": ("f", 1.8),
    "lb": ("kg", 0.45359), "pound": ("kg", 0.45359), "kg": ("kg", 1.0), "kilogram": ("kg", 1.0),
    "mm": ("cm", 0.1), "millimeter": ("cm", 0.1), "cm": ("cm", 1.0), "centimeter": ("cm", 1.0),
    "inch": ("cm", 2.54), "meter": ("cm", 100.0), "ft": ("cm", 30.48),
    "minute": ("time", 1 / 1440), "min": ("time", 1 / 1440), "second": ("time", 1 / 86400),
    "sec": ("time", 1 / 86400), "hour": ("time", 1 / 24), "hr": ("time", 1 / 24),
    "day": ("time", 1.0), "week": ("time", 7.0), "wk": ("time", 7.0), "month": ("time", 30.4),
    "year": ("time", 365.25), "yr": ("time", 365.25), "y": ("time", 365.25), "mo": ("time", 30.4),
    "tablet": ("tablet", 1.0), "tab": ("tablet", 1.0), "pill": ("tablet", 1.0),
    "capsule": ("tablet", 1.0), "puff": ("puff", 1.0), "pack": ("pack", 1.0),
    "vessel": ("vessel", 1.0), "dose": ("dose", 1.0), "degree": ("degree", 1.0),
}  # fmt: skip
"""Unit, singular and lower case -> dimension and factor. Doses are in mg, times in days."""

_SMALL = word_list(
    """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen
    fifteen sixteen seventeen eighteen nineteen"""
)
_TENS = word_list("twenty thirty forty fifty sixty seventy eighty ninety")
NUMBER_WORDS = {word: value for value, word in enumerate(_SMALL)} | {
    word: 10 * (value + 2) for value, word in enumerate(_TENS)
}
MULTIPLES = {"single": 1, "double": 2, "triple": 3}
"""Numbers before a unit only: single-vessel, triple dose."""

MONTHS = {
    name: number
    for number, names in enumerate(
        ("january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul",
         "august aug", "september sep sept", "october oct", "november nov", "december dec"), 1
    )
    for name in names.split()
}  # fmt: skip

FREQUENCIES = {
    "bid": 2.0, "tid": 3.0, "qid": 4.0, "qd": 1.0, "daily": 1.0, "qday": 1.0, "nightly": 1.0,
    "qhs": 1.0, "qam": 1.0, "qpm": 1.0, "weekly": 1 / 7, "monthly": 1 / 30, "hourly": 24.0,
    "once daily": 1.0, "once a day": 1.0, "every day": 1.0, "each day": 1.0, "per day": 1.0,
    "twice daily": 2.0, "twice a day": 2.0, "two times a day": 2.0, "2 times a day": 2.0,
    "two times daily": 2.0, "2 times daily": 2.0, "2 times per day": 2.0, "times 2 daily": 2.0,
    "three times a day": 3.0, "three times daily": 3.0, "3 times a day": 3.0, "3 times daily": 3.0,
    "four times a day": 4.0, "four times daily": 4.0, "4 times a day": 4.0, "4 times daily": 4.0,
    "at bedtime": 1.0, "every night": 1.0, "every morning": 1.0, "every evening": 1.0,
    "every other day": 0.5, "qod": 0.5, "once weekly": 1 / 7, "once a week": 1 / 7,
    "every week": 1 / 7, "twice a week": 2 / 7, "twice weekly": 2 / 7, "once a month": 1 / 30,
    "every month": 1 / 30, "three times a week": 3 / 7, "3 times a week": 3 / 7,
}  # fmt: skip
"""Phrase -> times a day."""


def unit_at(words: list[str], at: int) -> tuple[str, float, int] | None:
    """The unit that starts at `words[at]`: dimension, factor, tokens used."""
    for size in (3, 2, 1):
        joined = "".join(words[at : at + size])
        if len(words) - at < size:
            continue
        found = UNITS.get(joined) or UNITS.get(joined.removesuffix("s"))
        if found and not (size == 1 and joined in ("s",)):
            return found[0], found[1], size
        if joined == "°" or joined in ("degreesf", "degreef", "°f", "degreesfahrenheit"):
            return "f", 1.0, size
        if joined in ("degreesc", "°c", "degreescelsius"):
            return "f", 1.8, size
        if joined == "inches":
            return "cm", 2.54, size
    return None

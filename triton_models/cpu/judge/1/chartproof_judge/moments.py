"""Days counted from an event (postoperative day 2, hospital day 3), and the time of day."""

from __future__ import annotations

from .numerals import value
from .units import Units

_NUMBERED_DAYS = {
    ("pod",): "operation", ("post", "op", "day"): "operation", ("postop", "day"): "operation",
    ("post", "-", "op", "day"): "operation", ("postoperative", "day"): "operation",
    ("post", "operative", "day"): "operation", ("post", "-", "operative", "day"): "operation",
    ("hospital", "day"): "hospital", ("hosp", "day"): "hospital", ("hd", "#"): "hospital",
    ("icu", "day"): "intensive care", ("day", "of", "life"): "life", ("dol",): "life",
}  # fmt: skip
"""What the days are counted from: postoperative day 2, hospital day 3."""
STARTS = frozenset(words[0] for words in _NUMBERED_DAYS)
_NOON = 12

Moment = tuple[str, str, float, int]
"""Kind, what it is counted from or the kind again, number, one past the tokens."""


def moment(words: list[str], at: int, units: Units) -> Moment | None:
    """The counted day or the time of day at `words[at]` (lower case), or None."""
    return _numbered_day(words, at, units) if words[at] in STARTS else _clock(words, at)


def _numbered_day(words: list[str], at: int, units: Units) -> Moment | None:
    for said, counted in _NUMBERED_DAYS.items():
        end = at + len(said)
        if tuple(words[at:end]) == said:
            end += words[end : end + 1] in (["#"], ["number"])
            number = value(words, end, units)
            if number:
                return "day", f"day of {counted}", *number
    return None


def _clock(words: list[str], at: int) -> Moment | None:
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
    right = hour < 24 and minute < 60
    return ("clock", "clock", 60.0 * hour + minute, end) if right else None

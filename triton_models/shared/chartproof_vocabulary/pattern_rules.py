"""What each pattern of `patterns` is spelled out as; None where its place speaks against it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from types import MappingProxyType
from typing import NamedTuple


class Place(NamedTuple):
    """A token of `text` that begins at `start`; `before`: up to three tokens, in lower case."""

    text: str
    start: int
    before: Sequence[str]


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


Rule = Callable[[re.Match[str], Place, frozenset[str]], str | None]

_SPANS = MappingProxyType(
    {"h": "hour", "hr": "hour", "min": "minute", "d": "day", "wk": "week", "w": "week",
     "mo": "month", "yr": "year", "y": "year", "sec": "second"}
)  # fmt: skip


def _period(number: str, unit: str) -> str:
    """`3 d` is 3 days, `1 hr` 1 hour."""
    one = unit.lower() if unit.lower() in _SPANS else unit.lower().rstrip("s")
    word = _SPANS.get(one, one)
    return f"{number} {word}" if number == "1" else f"{number} {word}s"


def for_time(match: re.Match[str], place: Place, labs: frozenset[str]) -> str:
    return "for " + _period(match[1], match[2])


def every(match: re.Match[str], place: Place, labs: frozenset[str]) -> str:
    return "every " + _period(match[1], match[2])


def time(match: re.Match[str], place: Place, labs: frozenset[str]) -> str:
    return _period(match[1], match[2])


def age_sex(match: re.Match[str], place: Place, labs: frozenset[str]) -> str | None:
    age = int(match[1])
    if age > 115:
        return None
    male = match[2].lower() == "m"
    person = ("man" if male else "woman") if age >= 18 else ("boy" if male else "girl")
    return f"{age} year old {person}"


_PERSON_BEFORE = words("a an is this the pt patient our hpi : is id")


def person(match: re.Match[str], place: Place, labs: frozenset[str]) -> str | None:
    """`62M` where a person is introduced: `101F` may be a temperature."""
    line = place.text[max(place.start - 1, 0) : place.start]
    opens = not line.strip() and (place.start == 0 or line == "\n")
    return age_sex(match, place, labs) if opens or set(place.before[-1:]) & _PERSON_BEFORE else None


def age(match: re.Match[str], place: Place, labs: frozenset[str]) -> str:
    return f"{match[1]} {'month' if match[2].lower().startswith('m') else 'year'} old"


_TIME_WORDS = words(
    "for x over past last in after every next within previous prior another about hx history"
)
_FRACTIONS = MappingProxyType({"7": "d", "52": "wk", "12": "mo"})


def fraction_of_time(match: re.Match[str], place: Place, labs: frozenset[str]) -> str | None:
    """`2/52` is two weeks; `3/7` and `2/12` are dates as often, so they need a word of time."""
    timed = bool(_TIME_WORDS & set(place.before[-1:])) or match[3] is not None
    if match[2] != "52" and not timed:
        return None
    return _period(match[1], _FRACTIONS[match[2]]) + (match[3] or "")


def times_fraction(match: re.Match[str], place: Place, labs: frozenset[str]) -> str:
    return "for " + _period(match[1], _FRACTIONS[match[2]])


_FLAGS = MappingProxyType({"l": "low", "h": "high", "ll": "critically low", "hh": "critically high",
                           "\u2191": "high", "\u2193": "low"})  # fmt: skip
_BETWEEN = frozenset([":", "=", "of", "was", "is", "at", "+", "("])


def flag(match: re.Match[str], place: Place, labs: frozenset[str]) -> str | None:
    """`K 3.2 L` is low: only behind the name of a result, for 3.2 L may be litres."""
    names = [token for token in place.before if token not in _BETWEEN]
    if not names or names[-1] not in labs:
        return None
    number, unit, left, flag, right = match.groups()
    return f"{number}{unit or ''} {left or ''}{_FLAGS[flag.lower()]}{right or ''}"


_NOT_CAUSE = words("strength power pulses pulse score grade is was are were positive of")


def secondary(match: re.Match[str], place: Place, labs: frozenset[str]) -> str | None:
    return None if _NOT_CAUSE & set(place.before[-1:]) else "secondary to"


_DEGREES = MappingProxyType({"1": "first", "2": "second", "3": "third"})


def degree(match: re.Match[str], place: Place, labs: frozenset[str]) -> str:
    return "secondary to" if match[2].lower() == "to" else f"{_DEGREES[match[1]]} degree {match[2]}"


def arrow(match: re.Match[str], place: Place, labs: frozenset[str]) -> str:
    """Between numbers `to`, else `then`."""
    following = place.text[match.end() : match.end() + 12].lstrip()
    return "to" if place.before[-1:] and following[:1].isdigit() else "then"


def rise(match: re.Match[str], place: Place, labs: frozenset[str]) -> str:
    word = "increased" if match[0][0] in "\u2191\u21d1\u25b2" else "decreased"
    return f"markedly {word}" if len(match[0]) > 1 else word


def word(replacement: str) -> Rule:
    def rule(match: re.Match[str], place: Place, labs: frozenset[str]) -> str:
        return match.expand(replacement)

    return rule


def question(match: re.Match[str], place: Place, labs: frozenset[str]) -> str | None:
    """`?PE` is a possible PE; a question mark behind a word ends a question."""
    before = place.text[place.start - 1 : place.start]
    return "possible " if not before or before in " \t\n(/,;:" else None


def standing(replacement: str) -> Rule:
    """Not within a number or a word: `-ve`, `~`."""

    def rule(match: re.Match[str], place: Place, labs: frozenset[str]) -> str | None:
        return None if place.text[place.start - 1 : place.start].isalnum() else replacement

    return rule

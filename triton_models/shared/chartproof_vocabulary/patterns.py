"""Shorthand that no table holds: ages, durations, intervals, flags of results, arrows and signs.

Each pattern is tried at the token it can begin with. Numbers keep their digits; only what stands
around them is spelled out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple


class Place(NamedTuple):
    """A token of `text` that begins at `start`; `before`: up to three tokens, in lower case."""

    text: str
    start: int
    before: Sequence[str]


Rule = Callable[[re.Match[str], Place, frozenset[str]], str | None]

_NUMBER = r"(\d+(?:[.,]\d+)*(?:\s?(?:-|\u2013|to)\s?\d+(?:\.\d+)?)?)"
_SPAN = r"(hours?|hrs?|h|minutes?|mins?|days?|d|weeks?|wks?|wk|w|months?|mos?|years?|yrs?|y)"
_SPANS = MappingProxyType(
    {"h": "hour", "hr": "hour", "min": "minute", "d": "day", "wk": "week", "w": "week",
     "mo": "month", "yr": "year", "y": "year", "sec": "second"}
)  # fmt: skip
_END = r"(?![\w\u00b5])"


def _period(number: str, unit: str) -> str:
    """`3 d` is 3 days, `1 hr` 1 hour."""
    one = unit.lower() if unit.lower() in _SPANS else unit.lower().rstrip("s")
    word = _SPANS.get(one, one)
    return f"{number} {word}" if number == "1" else f"{number} {word}s"


def _for_time(match: re.Match[str], place: Place, labs: frozenset[str]) -> str:
    return "for " + _period(match[1], match[2])


def _every(match: re.Match[str], place: Place, labs: frozenset[str]) -> str:
    return "every " + _period(match[1], match[2])


def _time(match: re.Match[str], place: Place, labs: frozenset[str]) -> str:
    return _period(match[1], match[2])


def _age_sex(match: re.Match[str], place: Place, labs: frozenset[str]) -> str | None:
    age = int(match[1])
    if age > 115:
        return None
    male = match[2].lower() == "m"
    person = ("man" if male else "woman") if age >= 18 else ("boy" if male else "girl")
    return f"{age} year old {person}"


def _age(match: re.Match[str], place: Place, labs: frozenset[str]) -> str:
    return f"{match[1]} {'month' if match[2].lower().startswith('m') else 'year'} old"


_TIME_WORDS = frozenset(
    [
        "for",
        "x",
        "over",
        "past",
        "last",
        "in",
        "after",
        "every",
        "next",
        "within",
        "previous",
        "prior",
        "another",
        "about",
        "hx",
        "history",
    ]
)
_FRACTIONS = MappingProxyType({"7": "d", "52": "wk", "12": "mo"})


def _fraction_of_time(match: re.Match[str], place: Place, labs: frozenset[str]) -> str | None:
    """`2/52` is two weeks; `3/7` and `2/12` are dates as often, so they need a word of time."""
    timed = bool(_TIME_WORDS & set(place.before[-1:])) or match[3] is not None
    if match[2] != "52" and not timed:
        return None
    return _period(match[1], _FRACTIONS[match[2]]) + (match[3] or "")


def _times_fraction(match: re.Match[str], place: Place, labs: frozenset[str]) -> str:
    return "for " + _period(match[1], _FRACTIONS[match[2]])


_FLAGS = MappingProxyType({"l": "low", "h": "high", "ll": "critically low", "hh": "critically high",
                           "\u2191": "high", "\u2193": "low"})  # fmt: skip
_BETWEEN = frozenset([":", "=", "of", "was", "is", "at", "+", "("])


def _flag(match: re.Match[str], place: Place, labs: frozenset[str]) -> str | None:
    """`K 3.2 L` is low: only behind the name of a result, for 3.2 L may be litres."""
    names = [token for token in place.before if token not in _BETWEEN]
    if not names or names[-1] not in labs:
        return None
    number, unit, left, flag, right = match.groups()
    return f"{number}{unit or ''} {left or ''}{_FLAGS[flag.lower()]}{right or ''}"


_NOT_CAUSE = frozenset(
    [
        "strength",
        "power",
        "pulses",
        "pulse",
        "score",
        "grade",
        "is",
        "was",
        "are",
        "were",
        "positive",
        "of",
    ]
)


def _secondary(match: re.Match[str], place: Place, labs: frozenset[str]) -> str | None:
    return None if _NOT_CAUSE & set(place.before[-1:]) else "secondary to"


_DEGREES = MappingProxyType({"1": "first", "2": "second", "3": "third"})


def _degree(match: re.Match[str], place: Place, labs: frozenset[str]) -> str:
    return "secondary to" if match[2].lower() == "to" else f"{_DEGREES[match[1]]} degree {match[2]}"


def _arrow(match: re.Match[str], place: Place, labs: frozenset[str]) -> str:
    """Between numbers `to`, else `then`."""
    following = place.text[match.end() : match.end() + 12].lstrip()
    return "to" if place.before[-1:] and following[:1].isdigit() else "then"


def _rise(match: re.Match[str], place: Place, labs: frozenset[str]) -> str:
    word = "increased" if match[0][0] in "\u2191\u21d1\u25b2" else "decreased"
    return f"markedly {word}" if len(match[0]) > 1 else word


def _word(replacement: str) -> Rule:
    def rule(match: re.Match[str], place: Place, labs: frozenset[str]) -> str:
        return match.expand(replacement)

    return rule


def _question(match: re.Match[str], place: Place, labs: frozenset[str]) -> str | None:
    """`?PE` is a possible PE; a question mark behind a word ends a question."""
    before = place.text[place.start - 1 : place.start]
    return "possible " if not before or before in " \t\n(/,;:" else None


def _standing(replacement: str) -> Rule:
    """Not within a number or a word: `-ve`, `~`."""

    def rule(match: re.Match[str], place: Place, labs: frozenset[str]) -> str | None:
        return None if place.text[place.start - 1 : place.start].isalnum() else replacement

    return rule


_PERSON_AFTER = (
    r"(?=[,.]?\s*$|,? (?:with|w/|c/o|s/p|p/w|h/o|who|pres|adm|pmh|hx|here|a/w|known|history|"
    r"status|smoker|nonsmoker|non-smoker|brought|bib|found|in\b|from|transferred|referred))"
)
_BONES = (
    r"(?:nof|neck|hip|femur|femoral|tibia|tibial|fibula|radius|radial|ulna|humerus|humeral|"
    r"clavicle|rib|ribs|pelvis|skull|ankle|wrist|scaphoid|metacarpal|metatarsal|mandible|vertebra)"
)

_DIGIT: tuple[tuple[re.Pattern[str], Rule], ...] = (
    (re.compile(r"(\d{1,3})[ -]?(?:y/o|yo|y\.o\.|yr old|year[- ]old|y)[ -]?(?:old )?([MF])" + _END, re.I),
     _age_sex),
    (re.compile(r"(\d{1,3}) ?([MF])" + _END + _PERSON_AFTER), _age_sex),
    (re.compile(r"(\d{1,3})[ -]?(y/o|yo|y\.o\.|m/o)" + _END, re.I), _age),
    (re.compile(r"2/2(?=\s+(?:to\b)?[A-Za-z]{2,})(?! (?:bottles|blood|sets|cultures|pulses))"), _secondary),
    (re.compile(r"(\d{1,2})/(52|12|7)(?![\w/.])( (?:ago|history|hx|course))?"), _fraction_of_time),
    (re.compile(r"([123])\s?[\u00b0\u00ba]\s?(to|AV|heart block|HB|burns?|tear)\b", re.I), _degree),
    (re.compile(r"(\d+(?:\.\d+)?)(\s?(?:mg/dL|mEq/L|mmol/L|g/dL|K/uL|%))?\s?(\()?(LL|HH|L|H|\u2191|\u2193)"
                r"(\))?(?![\w/])"), _flag),
    (re.compile(_NUMBER + r"\s?(hrs?|mins?|secs?|wks?|mos?|yrs?|d|h)" + _END + r"(?!/)", re.I), _time),
    (re.compile(_NUMBER + r"(w|y)" + _END + r"(?!/)"), _time),
)  # fmt: skip
_X: tuple[tuple[re.Pattern[str], Rule], ...] = (
    (re.compile(r"x ?(\d{1,2})/(52|12|7)(?![\w/.])", re.I), _times_fraction),
    (re.compile(r"x ?" + _NUMBER + r" ?-?" + _SPAN + _END, re.I), _for_time),
)
_Q: tuple[tuple[re.Pattern[str], Rule], ...] = (
    (re.compile(r"q ?" + _NUMBER + r" ?" + _SPAN + _END, re.I), _every),
)
_LETTER: Mapping[str, tuple[tuple[re.Pattern[str], Rule], ...]] = MappingProxyType(
    {
        "x": _X,
        "q": _Q,
        "pod": ((re.compile(r"POD ?#? ?(?=\d)"), _word("postoperative day ")),),
        "hd": ((re.compile(r"HD ?#(?=\d)|HD(?=\d{1,2}\b)"), _word("hospital day ")),),
        "g": ((re.compile(r"G(\d{1,2}) ?P(\d{1,4})\b"), _word(r"gravida \1 para \2")),),
        "c": ((re.compile("c\u0304"), _word("with")),),
        "s": ((re.compile("s\u0304"), _word("without")),),
        "p": ((re.compile("p\u0304"), _word("after")),),
        "a": ((re.compile("a\u0304"), _word("before")),),
        "hr": ((re.compile(r"HR(?=\d)"), _word("heart rate ")),),
        "bp": ((re.compile(r"BP(?=\d)"), _word("blood pressure ")),),
        "rr": ((re.compile(r"RR(?=\d)"), _word("respiratory rate ")),),
        "ef": ((re.compile(r"EF(?=\d)"), _word("ejection fraction ")),),
    }
)
_SIGNS: Mapping[str, tuple[tuple[re.Pattern[str], Rule], ...]] = MappingProxyType(
    {
        "\u2191": ((re.compile("\u2191+"), _rise),),
        "\u21d1": ((re.compile("\u21d1+"), _rise),),
        "\u2193": ((re.compile("\u2193+"), _rise),),
        "\u21d3": ((re.compile("\u21d3+"), _rise),),
        "\u2192": ((re.compile("\u2192"), _arrow),),
        "\u21d2": ((re.compile("\u21d2"), _arrow),),
        "\u279c": ((re.compile("\u279c"), _arrow),),
        "-": (
            (re.compile(r"-{1,2}>"), _arrow),
            (re.compile(r"-ve\b", re.I), _standing("negative")),
        ),
        "\u2212": ((re.compile("\u2212ve\\b", re.I), _standing("negative")),),
        "=": ((re.compile(r"={1,2}>"), _arrow),),
        "+": ((re.compile(r"\+ ?ve\b", re.I), _standing("positive")),),
        "(": (
            (re.compile(r"\(\+\)"), _word("positive")),
            (re.compile(r"\([-\u2212\u2013]\)"), _word("negative")),
        ),
        "\u2295": ((re.compile("\u2295"), _word("positive")),),
        "\u2296": ((re.compile("\u2296"), _word("negative")),),
        "\u2206": ((re.compile("\u2206"), _word("change")),),
        "\u25b3": ((re.compile("\u25b3"), _word("change")),),
        "~": ((re.compile(r"~ ?(?=\d)"), _standing("about ")),),
        "\u2248": ((re.compile("\u2248 ?"), _word("about ")),),
        "\u2265": ((re.compile("\u2265 ?"), _word("at least ")),),
        "\u2264": ((re.compile("\u2264 ?"), _word("at most ")),),
        "\u2640": ((re.compile("\u2640"), _word("female")),),
        "\u2642": ((re.compile("\u2642"), _word("male")),),
        "\u2205": ((re.compile("\u2205"), _word("no")),),
        "@": ((re.compile(r"@ ?(?=\d|\s)"), _standing("at ")),),
        "&": ((re.compile(r"&(?=\s)"), _standing("and")),),
        "#": ((re.compile(rf"# ?(?=(?:[lr] |left |right )?{_BONES}\b)", re.I), _standing("fracture ")),),
        "?": ((re.compile(r"\?{1,3} ?(?=[A-Za-z])"), _question),),
    }
)  # fmt: skip
_DELTA = ((re.compile(r"\u0394(?![\w])"), _word("change")),)


def replaced(place: Place, labs: frozenset[str]) -> tuple[int, str] | None:
    """Where the pattern that begins at `place` ends, and what it means; None where none begins."""
    for pattern, rule in _rules(place):
        match = pattern.match(place.text, place.start)
        if match is not None and (words := rule(match, place, labs)) is not None:
            return match.end(), words
    return None


def _rules(place: Place) -> tuple[tuple[re.Pattern[str], Rule], ...]:
    text, start = place.text, place.start
    character = text[start]
    joined = start > 0 and (text[start - 1].isalnum() or text[start - 1] in "_./")
    if character.isdigit():
        return () if joined else _DIGIT
    if not character.isalpha():
        return _SIGNS.get(character, ())
    if joined:
        return ()
    if character == "\u0394":
        return _DELTA
    end = start
    while end < len(text) and end - start < 4 and text[end].isalpha():
        end += 1
    return _LETTER.get(text[start:end].lower(), ())

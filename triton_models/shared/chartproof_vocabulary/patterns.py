"""Shorthand that no table holds: ages, durations, intervals, flags of results, arrows and signs.

Each pattern is tried at the token it can begin with. Numbers keep their digits; only what stands
around them is spelled out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from chartproof_vocabulary.pattern_rules import (
    Place,
    Rule,
    age,
    age_sex,
    arrow,
    degree,
    every,
    flag,
    for_time,
    fraction_of_time,
    person,
    question,
    rise,
    secondary,
    standing,
    time,
    times_fraction,
    word,
)

_NUMBER = r"(\d+(?:[.,]\d+)*(?:\s?(?:-|\u2013|to)\s?\d+(?:\.\d+)?)?)"
_SPAN = r"(hours?|hrs?|h|minutes?|mins?|days?|d|weeks?|wks?|wk|w|months?|mos?|years?|yrs?|y)"
_END = r"(?![\w\u00b5])"
_PERSON_AFTER = (
    r"(?=[,.]?\s*$|,? (?:with|w/|c/o|s/p|p/w|h/o|who|pres|adm|pmh|hx|here|a/w|known|history|"
    r"status|smoker|nonsmoker|non-smoker|brought|bib|found|in\b|from|transferred|referred))"
)
_BONES = (
    r"(?:nof|neck|hip|femur|femoral|tibia|tibial|fibula|radius|radial|ulna|humerus|humeral|"
    r"clavicle|rib|ribs|pelvis|skull|ankle|wrist|scaphoid|metacarpal|metatarsal|mandible|vertebra)"
)

_FRACTURE = re.compile(rf"# ?(?=(?:[lr] |left |right )?{_BONES}\b)", re.I)
_YEARS = r"(?:y/o|yo|y\.o\.|yr old|year[- ]old|y)"

_DIGIT: tuple[tuple[re.Pattern[str], Rule], ...] = (
    (re.compile(r"(\d{1,3})[ -]?" + _YEARS + r"[ -]?(?:old )?([MF])" + _END, re.I), age_sex),
    (re.compile(r"(\d{1,3})([MF])" + _END + _PERSON_AFTER), person),
    (re.compile(r"(\d{1,3})[ -]?(y/o|yo|y\.o\.|m/o)" + _END, re.I), age),
    (re.compile(r"2/2(?=\s+[A-Za-z]{2,})(?! (?:bottles|blood|sets|cultures|pulses))"), secondary),
    (re.compile(r"(\d{1,2})/(52|12|7)(?![\w/.])( (?:ago|history|hx|course))?"), fraction_of_time),
    (re.compile(r"([123])\s?[\u00b0\u00ba]\s?(to|AV|heart block|HB|burns?|tear)\b", re.I), degree),
    (re.compile(r"(\d+(?:\.\d+)?)(\s?(?:mg/dL|mEq/L|mmol/L|g/dL|K/uL|%))?\s?(\()?"
                r"(LL|HH|L|H|\u2191|\u2193)(\))?(?![\w/])"), flag),
    (re.compile(_NUMBER + r"\s?((?i:hrs?|mins?|secs?|wks?|mos?|yrs?)|d|h)" + _END + "(?!/)"), time),
    (re.compile(_NUMBER + r"(w|y)" + _END + r"(?!/)"), time),
)  # fmt: skip
_X: tuple[tuple[re.Pattern[str], Rule], ...] = (
    (re.compile(r"x ?(\d{1,2})/(52|12|7)(?![\w/.])", re.I), times_fraction),
    (re.compile(r"x ?" + _NUMBER + r" ?-?" + _SPAN + _END, re.I), for_time),
)
_Q: tuple[tuple[re.Pattern[str], Rule], ...] = (
    (re.compile(r"q ?" + _NUMBER + r" ?" + _SPAN + _END, re.I), every),
)
_LETTER: Mapping[str, tuple[tuple[re.Pattern[str], Rule], ...]] = MappingProxyType(
    {
        "x": _X,
        "q": _Q,
        "pod": ((re.compile(r"POD ?#? ?(?=\d)"), word("postoperative day ")),),
        "hd": ((re.compile(r"HD ?#(?=\d)|HD(?=\d{1,2}\b)"), word("hospital day ")),),
        "g": ((re.compile(r"G(\d{1,2}) ?P(\d{1,4})\b"), word(r"gravida \1 para \2")),),
        "c": ((re.compile("c\u0304"), word("with")),),
        "s": ((re.compile("s\u0304"), word("without")),),
        "p": ((re.compile("p\u0304"), word("after")),),
        "a": ((re.compile("a\u0304"), word("before")),),
        "hr": ((re.compile(r"HR(?=\d)"), word("heart rate ")),),
        "bp": ((re.compile(r"BP(?=\d)"), word("blood pressure ")),),
        "rr": ((re.compile(r"RR(?=\d)"), word("respiratory rate ")),),
        "ef": ((re.compile(r"EF(?=\d)"), word("ejection fraction ")),),
    }
)
_SIGNS: Mapping[str, tuple[tuple[re.Pattern[str], Rule], ...]] = MappingProxyType(
    {
        "\u2191": ((re.compile("\u2191+"), rise),),
        "\u21d1": ((re.compile("\u21d1+"), rise),),
        "\u2193": ((re.compile("\u2193+"), rise),),
        "\u21d3": ((re.compile("\u21d3+"), rise),),
        "\u2192": ((re.compile("\u2192"), arrow),),
        "\u21d2": ((re.compile("\u21d2"), arrow),),
        "\u279c": ((re.compile("\u279c"), arrow),),
        "-": (
            (re.compile(r"-{1,2}>"), arrow),
            (re.compile(r"-ve\b", re.I), standing("negative")),
        ),
        "\u2212": ((re.compile("\u2212ve\\b", re.I), standing("negative")),),
        "=": ((re.compile(r"={1,2}>"), arrow),),
        "+": ((re.compile(r"\+ ?ve\b", re.I), standing("positive")),),
        "(": (
            (re.compile(r"\(\+\)"), word("positive")),
            (re.compile(r"\([-\u2212\u2013]\)"), word("negative")),
        ),
        "\u2295": ((re.compile("\u2295"), word("positive")),),
        "\u2296": ((re.compile("\u2296"), word("negative")),),
        "\u2206": ((re.compile("\u2206"), word("change")),),
        "\u25b3": ((re.compile("\u25b3"), word("change")),),
        "~": ((re.compile(r"~ ?(?=\d)"), standing("about ")),),
        "\u2248": ((re.compile("\u2248 ?"), word("about ")),),
        "\u2265": ((re.compile("\u2265 ?"), word("at least ")),),
        "\u2264": ((re.compile("\u2264 ?"), word("at most ")),),
        "\u2640": ((re.compile("\u2640"), word("female")),),
        "\u2642": ((re.compile("\u2642"), word("male")),),
        "\u2205": ((re.compile("\u2205"), word("no")),),
        "@": ((re.compile(r"@ ?(?=\d|\s)"), standing("at ")),),
        "&": ((re.compile(r"&(?=\s)"), standing("and")),),
        "#": ((_FRACTURE, standing("fracture ")),),
        "?": ((re.compile(r"\?{1,3} ?(?=[A-Za-z])"), question),),
    }
)  # fmt: skip
_DELTA = ((re.compile(r"\u0394(?![\w])"), word("change")),)


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

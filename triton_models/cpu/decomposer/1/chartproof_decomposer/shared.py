"""What a text says once and means throughout: how old the patient is, what sex, why and where seen.

Only what is said of the patient in so many words: a pronoun is no statement of sex, and an age
near a relative's name may be the relative's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from chartproof_decomposer.lexicon import KIN
from chartproof_decomposer.tokens import tokenise

Shared = dict[str, str]
"""`age`, `sex` ("female", "male"), `problem`, `encounter`; what is not stated is not there."""

_SCOPE = 20_000
"""Characters of a text in which these are sought: they stand at its beginning."""
_END = re.compile(r"[.\n;]")
_UNITS = {"y": "years", "m": "months", "w": "weeks", "d": "days"}
_AGE = re.compile(
    r"\b(?:(\d{1,3})[- ]?(?i:(years?|yrs?|months?|weeks?|days?|y)[-/ .]?(?:olds?|o)\b|(m)[/.]o\b)"
    r"|(?i:aged?|age:) (\d{1,3})\b|(\d{1,3})(?=[MF]\b))",
)
_SEX = re.compile(
    r"\b(?i:(woman|female|lady|girl)|(man|male|gentleman|boy))\b"
    r"|(?:(?<=\d)|(?<=[y/.]o )|(?<=\.o\. )|(?<=(?i:sex): )|(?<=(?i:gender): ))(?:(F)|(M))\b"
)
_SEEN = re.compile(
    r"\b(?:(?:re)?admitted|presented|presents|presenting|hospitalized|hospitalised|transferred|"
    r"seen|evaluated)\b(?= (?:to|on|at|in|from|for|with|due)\b)[^.;:\n]{3,120}"
    r"|(?<!\S)p/w [^.;:\n]{3,120}",
    re.IGNORECASE,
)
_FOR = re.compile(
    r"\b(?:with|for|due to|because of|p/w)(?: an?| the)? ([^.;:,\n]{3,80}?)"
    r"(?= (?:and|who|which|on|in|at|to|after|since)\b|[.;:,\n]|\Z)",
    re.IGNORECASE,
)
_WHERE = re.compile(
    r"\A\w+ (?:(?:to|on|at|in|from) [^,]{2,80}?)(?= (?:with|for|due|because|after|and)\b|,|\Z)",
    re.IGNORECASE,
)


def shared_context(statements: Iterable[str]) -> Shared:
    """What the whole text shares. `statements`: its paragraphs and items, each on one line."""
    result: Shared = {}
    scope = _beginning(statements)
    age = next(filter(_is_age, _patients(_AGE, scope)), None)
    if age:
        number, unit = age[1] or age[4] or age[5], _UNITS[(age[2] or age[3] or "y")[0].lower()]
        result["age"] = f"{number} {unit}"
    sex = next(filter(_is_sex, _patients(_SEX, scope)), None)
    if sex:
        result["sex"] = "female" if sex[1] or sex[3] else "male"
    seen = next(_patients(_SEEN, scope), None)
    if seen:
        where, why = _WHERE.search(seen[0]), _FOR.search(seen[0])
        result |= {"encounter": _plain(where[0])} if where else {}
        result |= {"problem": _plain(why[1])} if why else {}
    return result


_HEAT = re.compile(
    r"(?:\bt|\btemp\w*|\btm|\btmax|\btcurrent|\btc|febrile|fevers?|max)\b[^.;\n]{0,20}\Z", re.I
)
_DEVICE = re.compile(
    r"[- ]?(?:\w+ ){0,2}(?:fr(?:ench)?|foley|catheter|cath|sheath|tube|drain|stent|introducer"
    r"|dilator|scope|needle|cannula|nephrostomy|picc|pigtail|coude|trocar)\b",
    re.IGNORECASE,
)
_OLDEST = 120
_WARM = range(93, 110)
"""Degrees Fahrenheit of a patient; so old are few, and then more is written than "101F"."""


def _is_age(hit: re.Match[str]) -> bool:
    number = int(hit[1] or hit[4] or hit[5])
    years = not hit[2] or hit[2][0].lower() == "y"
    stated = hit[5] is None or _is_letter_of_sex(hit, hit.end())
    return (number <= _OLDEST or not years) and stated


def _is_sex(hit: re.Match[str]) -> bool:
    letter = hit[3] or hit[4]
    before = hit.string[max(0, hit.start() - 1) : hit.start()]
    return not letter or not before.isdigit() or _is_letter_of_sex(hit, hit.start())


def _is_letter_of_sex(hit: re.Match[str], letter: int) -> bool:
    """Whether the F or M at `letter`, behind a number, is a sex: of "67F", not of "98.6F"."""
    text = hit.string
    number = re.search(r"[\d.,/-]{1,12}\Z", text[max(0, letter - 12) : letter])
    written = number[0] if number else ""
    if not written.isdigit() or int(written) > _OLDEST or int(written) in _WARM:
        return False
    begin = letter - len(written)
    heat = _HEAT.search(text[max(0, begin - 30) : begin])
    return not heat and not _DEVICE.match(text[letter + 1 : letter + 40])


def _beginning(statements: Iterable[str]) -> str:
    taken: list[str] = []
    size = 0
    for given in statements:
        taken.append(given)
        size += len(given) + 1
        if size > _SCOPE:
            break
    return "\n".join(taken)[:_SCOPE]


def _patients(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """The hits that are not near a relative, in order."""
    for hit in pattern.finditer(text):
        before = _END.split(text[max(0, hit.start() - 60) : hit.start()])[-1]
        after = _END.split(text[hit.end() : hit.end() + 25])[0]
        near = f"{before}{hit[0]}{after}"
        if not any(token.word in KIN for token in tokenise(near)):
            yield hit


def _plain(words: str) -> str:
    return " ".join(words.split())

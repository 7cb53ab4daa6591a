"""What to search for when the judge is not confident: the iterative part of verification.

Each further round asks the chart another question about the same proposition. The judge still
judges the proposition itself; only the search changes, so a wrong word costs a search and no more.
In order of what most often helps:

1. other terms: the chart abbreviates ("HTN", "s/p TKA") what a text spells out;
2. the contradiction: what the chart would say if the proposition were wrong;
3. the value asked for: the analyte or drug with its unit, without the number, so that another
   number is found;
4. its words alone, without the sentence around them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from types import MappingProxyType

from agents.vocabulary import WORD, Words, matching_words, names, opposites, shorthand

MOST_NAMES = 4
"""Other names added of one thing, the shortest first: those are what notes abbreviate."""
_KINDS = ("problem", "drug", "procedure", "result", "care")
LONGEST_NAME = 6
"""Words of a name."""

_NUMBER = re.compile(r"\b\d+(?:[.,/:\-]\d+)*(?:\s*%)?")
_NEGATION = re.compile(
    r"\b(?:no evidence of|no signs? of|negative for|free of|denie[sd]|denying|without"
    r"|(?:did|does|do|was|were|is|are|has|had|have) not|never|not|no)\b\s*",
    re.IGNORECASE,
)
_EMPTY = """
a an the and or but of to in on at for with by from as is are was were be been being has have had he
she his her hers they their it its this that these those who which patient pt also then there will
would did does do after before during
"""
EMPTY_WORDS = frozenset(_EMPTY.split())
_WORD = re.compile(r"[^\W_]+(?:[-'/][^\W_]+)*")


def queries(proposition: str, first: str = "") -> Iterator[str]:
    """Searches in order, each unlike those before it; the proposition itself first, or `first`."""
    seen: set[str] = set()
    for query in (
        first or proposition,
        other_terms(proposition),
        contradiction(proposition),
        value_asked_for(proposition),
        keywords(proposition),
    ):
        key = " ".join(query.casefold().split())
        if key and key not in seen:
            seen.add(key)
            yield query


def other_terms(proposition: str) -> str:
    """The proposition and what else a chart calls the things in it."""
    tokens = WORD.findall(proposition)
    lowered = [token.casefold() for token in tokens]
    present = " ".join(lowered)
    terms: list[str] = []
    at = 0
    while at < len(tokens):
        length, others = _longest(tokens, lowered, at)
        terms += others
        at += length
    new = [term for term in dict.fromkeys(terms) if not _has(present, term.casefold())]
    return f"{proposition} {' '.join(new)}" if new else proposition


def _longest(tokens: list[str], lowered: list[str], at: int) -> tuple[int, Words]:
    """The words of the longest name that begins here, and its other names."""
    known = _other_names()
    for length in range(min(LONGEST_NAME, len(tokens) - at), 0, -1):
        written, folded = (tuple(each[at : at + length]) for each in (tokens, lowered))
        if others := known.get(written) or known.get(folded):
            return length, others
    return 1, ()


def contradiction(proposition: str) -> str:
    """What the chart would say if it were wrong: opposites exchanged, else the negation turned."""
    words = [opposites().get(word.casefold(), word) for word in re.split(r"(\W+)", proposition)]
    exchanged = "".join(words)
    if exchanged != proposition:
        return exchanged
    affirmed, negations = _NEGATION.subn("", proposition)
    if negations:
        return affirmed
    return f"No {keywords(proposition)}; denies, negative, not done, resolved, discontinued"


def value_asked_for(proposition: str) -> str:
    """Without its numbers: another value of the same thing is as near. Empty when it has none."""
    without, numbers = _NUMBER.subn(" ", proposition)
    return " ".join(without.split()) if numbers else ""


def keywords(proposition: str) -> str:
    words = (match[0] for match in _WORD.finditer(proposition))
    return " ".join(word for word in words if word.casefold() not in EMPTY_WORDS)


def _has(text: str, phrase: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(phrase)}(?!\w)", text) is not None


@cache
def _other_names() -> Mapping[Words, Words]:
    """The words of a name -> other names: of the first name those in use, of others the first."""
    others: dict[Words, Words] = {}
    for group in _groups():
        first, *more = group
        short = sorted(dict.fromkeys(more), key=len)
        others.setdefault(matching_words(first), tuple(short[:MOST_NAMES]))
        for name in more:
            others.setdefault(matching_words(name), (first,))
    return MappingProxyType(others)


def _groups() -> Sequence[Words]:
    """The names of each thing, with its abbreviations; then abbreviations of other phrases."""
    short = dict(shorthand())
    things = [
        (*group, *(s for name in group for s in short.pop(name, ())))
        for kind in _KINDS
        for group in names(kind)
    ]
    return [*things, *((phrase, *shorts) for phrase, shorts in short.items())]

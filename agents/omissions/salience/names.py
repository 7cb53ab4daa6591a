"""What clinicians call the same thing: problems, procedures, drugs, results and who follows up.

A note abbreviates what a summary spells out, and a brand stands for a generic name. By these tables
a salient fact and a statement of the text are seen to be of one thing; whether they state the same
of it is for `coverage` and the judge. A name that is missing costs a judge call and no more.

The names are those of the clinical vocabulary (`agents.vocabulary`). Stems of
international nonproprietary names (WHO, "The use of stems in the selection of INN") recognise drugs
that are not listed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from types import MappingProxyType

from agents.vocabulary import WORD, matching_words, names

_LONGEST = 5
"""Words of a name."""
_STEM = re.compile(
    r"[a-z]{3,}(?:pril|sartan|olol|statin|azole|mycin|cillin|floxacin|cycline|dipine|gliptin"
    r"|gliflozin|glutide|tinib|mab|navir|ciclovir|triptan|azepam|azolam|oxetine|parin|xaban|tidine"
    r"|sonide|olone|lukast|setron|formin|glitazone|zosin|thiazide|barbital|profen|coxib|dronate"
    r"|platin|taxel|penem|bactam|trexate|tropium|semide|triptyline|fibrate|sone|caine)"
    r"|(?:cef|sulfa)[a-z]{3,}"
)


class Kind(StrEnum):
    PROBLEM = "problem"
    PROCEDURE = "procedure"
    DRUG = "drug"
    RESULT = "result"
    CARE = "care"


@dataclass(frozen=True)
class Mention:
    """`text[start:end]` names `concept`."""

    concept: str
    kind: Kind
    start: int
    end: int


@cache
def _names() -> Mapping[tuple[str, ...], tuple[str, Kind]]:
    """Words of a name -> concept and kind; a name of two concepts is that of the first."""
    by_words: dict[tuple[str, ...], tuple[str, Kind]] = {}
    for kind in (Kind.PROBLEM, Kind.DRUG, Kind.PROCEDURE, Kind.RESULT, Kind.CARE):
        for concept, *others in names(kind.value):
            for name in (concept, *others):
                by_words.setdefault(matching_words(name), (concept, kind))
    return MappingProxyType(by_words)


def mentions(text: str) -> list[Mention]:
    """What `text` names, in order; the longest name at each place, none within another."""
    tokens = list(WORD.finditer(text))
    mentioned: list[Mention] = []
    at = 0
    while at < len(tokens):
        for n in range(min(_LONGEST, len(tokens) - at), 0, -1):
            words = [token[0] for token in tokens[at : at + n]]
            known = _known(words)
            if known is not None:
                concept, kind = known
                mentioned.append(
                    Mention(concept, kind, tokens[at].start(), tokens[at + n - 1].end())
                )
                at += n
                break
        else:
            at += 1
    return mentioned


def concepts(text: str, *kinds: Kind) -> frozenset[str]:
    """The concepts of these kinds that `text` names; of all kinds where none is asked for."""
    return frozenset(each.concept for each in mentions(text) if not kinds or each.kind in kinds)


def _known(words: list[str]) -> tuple[str, Kind] | None:
    folded = [word.casefold() for word in words]
    known = _names().get(tuple(words)) or _names().get(tuple(folded))
    if known is not None:
        return known
    last = folded[-1]
    if last.endswith("s") and (known := _names().get((*folded[:-1], last[:-1]))):
        return known
    if len(words) > 1:
        return None
    letters = re.fullmatch(r"([A-Za-z]{3,})\d\w*", words[0])  # CKD3a
    if letters and (known := _names().get((letters[1].casefold(),))):
        return known
    return (last, Kind.DRUG) if _STEM.fullmatch(last) else None

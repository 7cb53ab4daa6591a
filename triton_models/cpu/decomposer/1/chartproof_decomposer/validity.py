"""Validity: which sentences of a text say nothing that a chart could bear out.

They are reported and not judged. Discharge summaries are telegraphic ("Aspirin 81 mg daily"), so a
sentence is flagged only where the rules are sure; any doubt makes it a unit.
"""

from __future__ import annotations

import re

from chartproof_decomposer.blocks import Block
from chartproof_decomposer.lexicon import GOES_ON, OPENS, words
from chartproof_decomposer.tokens import tokenise
from chartproof_decomposer.vocabulary import (
    DRUG_ENDINGS,
    DRUGS,
    FINITE,
    LIST_SECTIONS,
    NAME_ENDINGS,
    NAMES,
)

_QUESTION = re.compile(r"\?[\"'\u201d\u2019)\]*_]*\Z")
_ASKS = words(
    "is are was were am does do did has have had can could should would will shall may might "
    "what when where who whom whose why how which any"
)
_ORDERS = words(
    "take call drink eat remember seek contact bring wear weigh ask tell let please don't "
    "don\u2019t"
)
_TO_YOU = _ORDERS | words(
    "return avoid stop continue start keep use follow go see schedule make be get have rest walk "
    "check monitor report limit change clean wash apply increase decrease resume hold talk speak"
)
_YOU = words("you your yourself us")
_CONDITION = words("if when until unless that which as before after for")
_DANGLING = words("and or but nor the an of because including than although whether")
_EMPTY = (
    OPENS | GOES_ON | words("he she they it we i you this that these those so also then however")
) - words("no not denies denied mild moderate severe acute chronic left right bilateral")
_STATE = words(
    "he she they patient pt the is was are has have had been doing did does do feels feeling felt "
    "seems seemed appears appeared looks looked overall generally today now currently much very "
    "somewhat a bit little quite fairly pretty more and also still continues continued to be "
    "remains remained progressing since going things everything all"
)
_GOOD = words("better well fine ok okay good great")
_GENERAL = words("doing did does do progressing going overall generally things everything")


def flag_of(sentence: str, block: Block) -> str | None:
    """`interrogative`, `incomplete`, `imperative` or `vague`; None for a statement."""
    listed = [token.word for token in tokenise(sentence)]
    spoken = [word for word in listed if word[0].isalnum()]
    if not spoken:
        return "incomplete"
    if _QUESTION.search(sentence) and spoken[0] in _ASKS:
        return "interrogative"
    if _incomplete(sentence, spoken, block):
        return "incomplete"
    if _imperative(spoken, block):
        return "imperative"
    return "vague" if _vague(spoken) else None


def _incomplete(sentence: str, spoken: list[str], block: Block) -> bool:
    last = sentence.rstrip(" .,;:*_-").rsplit(maxsplit=1)[-1:]
    if last and last[0] in _DANGLING:  # in lower case: "hepatitis A", "OR"
        return True
    if sentence.endswith(":") and not any(c.isdigit() for c in sentence):
        return True
    if len(spoken) <= 3 and all(word in _EMPTY for word in spoken):
        return True
    listed = block.item or block.lead or block.section or block.opens
    return len(spoken) == 1 and not listed and _says_nothing(sentence)


def _says_nothing(sentence: str) -> bool:
    """A lone word, without even a full stop, that names no finding and no drug."""
    word = sentence.lower()
    return (
        word.isascii()
        and word.isalpha()
        and not sentence.isupper()
        and word not in NAMES | DRUGS | FINITE
        and not word.endswith(NAME_ENDINGS + DRUG_ENDINGS)
    )


def _imperative(spoken: list[str], block: Block) -> bool:
    if block.lead or block.section in LIST_SECTIONS:
        return False
    first = spoken[0]
    forbids = first == "do" and spoken[1:2] == ["not"]
    to_you = first in _TO_YOU and not _YOU.isdisjoint(spoken)
    if not (forbids or first in _ORDERS or to_you) or len(spoken) < 2:
        return False
    for word in spoken[1:]:
        if word in _CONDITION:
            break
        if word in FINITE or word in ("received", "placed"):
            return False
    return True


def _vague(spoken: list[str]) -> bool:
    said = set(spoken)
    good = said & _GOOD
    if not good or not said <= _STATE | _GOOD:
        return False
    return "better" in good or bool(said & _GENERAL)

"""Validity: which sentences of a text say nothing that a chart could bear out.

They are reported and not judged. Discharge summaries are telegraphic ("Aspirin 81 mg daily"), so a
sentence is flagged only where the rules are sure; any doubt makes it a unit.
"""

from __future__ import annotations

import re

from chartproof_decomposer.blocks import Block
from chartproof_decomposer.lexicon import GOES_ON, OPENS, words
from chartproof_decomposer.templates import is_chatter, is_unfilled
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
_SPEAKER = re.compile(r"(?:[A-Z][A-Za-z. ]{0,30}:|\[[^\]]{1,30}\]:?)\s+")
"""Who asks, in a dialogue."""
_LEAD_TELLS = (FINITE - words("do")) | words("told advised instructed asked should must will")
_FRAGMENT = 300
"""Characters of the longest sentence that its last word makes a fragment: more says something."""
_THANKS = 8
"""Words of thanks at most; more tell of whom and what."""
_CLOSINGS = words("sincerely regards yours cordially respectfully")
_COLUMNS = words(
    "medication medications drug name dose dosage strength route frequency schedule indication "
    "action status comment comments reason instructions start stop started stopped last next taken "
    "date time test result results value values unit units reference range flag problem diagnosis "
    "procedure provider vital sign allergen reaction severity bp hr rr temp t p pulse spo2 "
    "o2 weight wt"
)
"""Titles of a table's columns: a row of nothing else is the head of a table."""
_ROW = re.compile(r"\||\S(?: {2,}|\t)\S")


def flag_of(sentence: str, block: Block, lead: str = "") -> str | None:
    """The flag of a sentence that states nothing; None for a statement.

    `lead`: the words of the lead-in whose list this is an item of.
    """
    listed = [token.word for token in tokenise(sentence)]
    spoken = [word for word in listed if word[0].isalnum()]
    if is_unfilled(sentence):
        return "placeholder"
    if is_chatter(sentence):
        return "chatter"
    if _QUESTION.search(sentence) and _asks(sentence):
        return "interrogative"
    if not spoken or _incomplete(sentence, spoken, block):
        return "incomplete"
    if _imperative(spoken, block, lead):
        return "imperative"
    return "vague" if _vague(spoken) else None


def _asks(sentence: str) -> bool:
    """A question of somebody, not a doubtful finding ("Pneumonia?")."""
    speaker = _SPEAKER.match(sentence)
    listed = tokenise(sentence[speaker.end() if speaker else 0 :])
    asked = [token.word for token in listed if token.word[0].isalnum()]
    return bool(asked) and (asked[0] in _ASKS or not _YOU.isdisjoint(asked))


def _incomplete(sentence: str, spoken: list[str], block: Block) -> bool:
    last = sentence.rstrip(" .,;:*_-").rsplit(maxsplit=1)[-1:]
    # In lower case: "hepatitis A", "OR".
    if last and last[0] in _DANGLING and len(sentence) <= _FRAGMENT:
        return True
    if sentence.endswith(":") and not any(c.isdigit() for c in sentence):
        return True
    if len(spoken) <= 3 and all(word in _EMPTY for word in spoken):
        return True
    head = _ROW.search(sentence) and _COLUMNS.issuperset(spoken)
    if len(spoken) > 1 and (head or _courtesy(sentence, spoken)):
        return True
    listed = block.item or block.lead or block.section or block.opens
    return len(spoken) == 1 and not listed and _says_nothing(sentence)


def _courtesy(sentence: str, spoken: list[str]) -> bool:
    """How a letter begins and ends."""
    if spoken[0] == "dear":
        return len(spoken) <= 8 and sentence[-1] != "."
    closes = not _CLOSINGS.isdisjoint(spoken[:2])
    return closes and len(spoken) <= 12 and FINITE.isdisjoint(spoken)


def _says_nothing(sentence: str) -> bool:
    """A lone word, without even a full stop, that names no finding and no drug."""
    word = sentence.lower()
    return (
        word.isascii()
        and word.isalpha()
        and not sentence.isupper()
        and word not in NAMES | DRUGS | FINITE
        and not word.endswith(NAME_ENDINGS + DRUG_ENDINGS)
        and not word.startswith("cef")
    )


def _imperative(spoken: list[str], block: Block, lead: str) -> bool:
    first = spoken[0]
    # "He was told to:" says of its items that he was; a list of medicines may say "Take".
    known = [token.word for token in tokenise(lead)]
    tells = not _LEAD_TELLS.isdisjoint(known) or known[-2:-1] == ["to"]
    if block.section in LIST_SECTIONS or (block.lead and (tells or first == "take")):
        return False
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
    if spoken[:2] == ["thank", "you"]:
        return len(spoken) <= _THANKS and not any(word[0].isdigit() for word in spoken)
    given = set(spoken)
    good = given & _GOOD
    if not good or not given <= _STATE | _GOOD:
        return False
    return "better" in good or bool(given & _GENERAL)

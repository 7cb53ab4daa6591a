"""What may be an item of a list that is taken apart."""

from __future__ import annotations

import re
from collections.abc import Sequence

from chartproof_decomposer.lexicon import NEGATION
from chartproof_decomposer.lines import PAIR
from chartproof_decomposer.tokens import tokenise
from chartproof_decomposer.vocabulary import (
    BREAKERS,
    DEGREES,
    DRUG_ENDINGS,
    DRUGS,
    FINITE,
    FIXED_OF,
    LOCAL,
    NAME_ENDINGS,
    NAMES,
    ORGANS,
    PREPOSITIONS,
    SIDES,
)

_DOSE = re.compile(
    r"([A-Za-z][\w-]*(?: [A-Za-z][\w-]*){0,3}) \d[\d.,/]{0,10} ?"
    r"(?:mg|mcg|g|gm|grams?|units?|ml|meq|iu|puffs?|tabs?|tablets?|%)(?:/\w{1,10})?"
    r"((?: [a-z0-9./]{1,14}){0,10})\Z",
    re.IGNORECASE,
)
_REGIMEN = re.compile(
    r"(?:daily|bid|tid|qid|qd|qhs|qam|qpm|hs|q\d{1,2}h|b\.i\.d|t\.i\.d|q\.i\.d|q\.d|p\.o|po|iv|im"
    r"|sc|sq|subq|sl|prn|p\.r\.n|nightly|weekly|monthly|twice|once|three|two|four|times|a|an|per|day"
    r"|every|hours?|\d{1,2}|at|bedtime|in|the|morning|evening|night|oral|orally|by|mouth|tablets?"
    r"|tabs?|capsules?|inhaled|inhaler|am|pm|with|meals|week|other|er|xr|xl|sr|subcutaneous"
    r"|subcutaneously|intravenous|intravenously|injection|infusion|patch|cream|solution|/)\Z",
    re.IGNORECASE,
)
_TAG = re.compile(r" \([a-z/ ]{4,25}\)\Z")
"""SNOMED CT's semantic tag at the end of a fully specified name: "Stress (finding)"."""
_ABBREVIATION = re.compile(r"[A-Z][A-Z0-9]{1,5}\Z")
_TYPED = re.compile(r"(?:type|stage|grade) (?:\d[ab]?|i{1,3}|iv) ", re.IGNORECASE)
_FORMS = frozenset({"baby", "oral", "iv", "inhaled", "topical", "low-dose", "home"})
_ADJECTIVE = ("al", "ic", "ory", "ary", "lar", "ive", "ous", "ile", "eal", "iac", "ular", "or")


def is_pair_list(names: Sequence[str]) -> bool:
    """ "BP 120/80, HR 90": a name and its value each."""
    words = (token.word for name in names for token in tokenise(name))
    return all(PAIR.match(name) for name in names) and not any(w in BREAKERS for w in words)


def is_medication_list(names: Sequence[str]) -> bool:
    return all(_is_medicine(name) for name in names)


def is_condition_list(names: Sequence[str], *, negated: bool) -> bool:
    """Whether each of `names` says by itself what it says in the list."""
    if _tagged(names) and not negated:
        return True
    names = [_TYPED.sub("", name) for name in names]
    listed = [[token.word for token in tokenise(name)] for name in names]
    if not all(_is_condition(words, name) for words, name in zip(listed, names, strict=True)):
        return False
    if negated and any(word in DEGREES for words in listed for word in words):
        return False
    return not (_shares_a_noun(listed) or _shares_a_site(listed))


def _tagged(names: Sequence[str]) -> bool:
    bare = [name for name in names if not _TAG.search(name)]
    broken = FINITE | NEGATION
    plain = all(token.word not in broken for name in bare for token in tokenise(name))
    return len(bare) * 2 <= len(names) and plain


def _is_condition(words: list[str], name: str) -> bool:
    if not 1 <= len(words) <= 5 or not all(word[0].isalpha() for word in words):
        return False
    if any(word in BREAKERS or word in SIDES or word.endswith("ly") for word in words):
        return False
    if "of" in words:
        at = words.index("of")
        if at == 0 or words[at - 1] not in FIXED_OF or len(words) != at + 2:
            return False
        words = [*words[:at], *words[at + 1 :]]
    if any(word in PREPOSITIONS for word in words):
        return False
    *_, last = name.split()
    return words[-1] in NAMES or words[-1].endswith(NAME_ENDINGS) or bool(_ABBREVIATION.match(last))


def _shares_a_noun(listed: Sequence[list[str]]) -> bool:
    """ "Heart and kidney failure": the first item lacks its noun."""
    return any(
        words[-1] in ORGANS or (words[-1].endswith(_ADJECTIVE) and words[-1] not in NAMES)
        for words in listed[:-1]
    )


def _shares_a_site(listed: Sequence[list[str]]) -> bool:
    """ "Chest pain and pressure": the second item lacks its site."""
    sited = any(len(words) > 1 for words in listed)
    return sited and any(len(words) == 1 and words[0] in LOCAL for words in listed)


def _is_medicine(name: str) -> bool:
    dose = _DOSE.match(name)
    if dose:
        drug = [token.word for token in tokenise(dose[1])]
        regimen = dose[2].split()
        return not any(w in BREAKERS or w in PREPOSITIONS for w in drug) and all(
            _REGIMEN.match(word.rstrip(".")) for word in regimen
        )
    words = [token.word for token in tokenise(name)]
    if words[0] in _FORMS:
        words = words[1:]
    return 1 <= len(words) <= 2 and _is_drug(words[0]) and words[-1] not in BREAKERS


def _is_drug(word: str) -> bool:
    return word in DRUGS or word.endswith(DRUG_ENDINGS)

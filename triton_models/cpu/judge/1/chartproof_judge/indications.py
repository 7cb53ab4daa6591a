"""What a treatment is for: who is considered for metformin for diabetes has diabetes.

A test is for what may be (`consider CT for pneumonia`), prophylaxis against what is not yet.
"""

from __future__ import annotations

from collections.abc import Sequence

from .lexicon import Term
from .vocabulary.orders import PREVENTS, THERAPIES, TREATS, UNSURE
from .vocabulary.triggers import Status

REACH = 8
"""Tokens before `for` in which the treatment stands."""
_PURPOSE = frozenset(("for", "given", "due", "because"))
_SUPPOSED = Status.POSSIBLE | Status.PLANNED
_JOINS = frozenset(("/", ",", "and", "or", "-"))
_DISEASES = frozenset(("problem", "finding", "organism"))


def read(words: Sequence[str], terms: Sequence[Term], status: Sequence[Status]) -> list[Status]:
    """The status of every term, with that of purposes put right; parallel to `terms`."""
    found = list(status)
    for at, term in enumerate(terms):
        if term.kind not in _DISEASES and term.kind != "word":
            continue
        if _prevented(words, terms, at):
            found[at] |= Status.HYPOTHETICAL
        elif found[at] & _SUPPOSED and is_indication(words, terms, term):
            found[at] &= ~_SUPPOSED
    return found


def _prevented(words: Sequence[str], terms: Sequence[Term], at: int) -> bool:
    """Whether `prophylaxis` or its like follows: DVT/PE prophylaxis, seizure precautions."""
    end = terms[at].end
    for other in terms[at + 1 :]:
        if other.kind not in _DISEASES or not set(words[end : other.start]) <= _JOINS:
            break
        end = other.end
    return bool(PREVENTS & set(words[end : end + 1]))


def is_indication(words: Sequence[str], terms: Sequence[Term], term: Term) -> bool:
    """Whether a term is what a treatment named before it is for: ibuprofen for fever."""
    for place in range(term.start - 1, max(-1, term.start - REACH), -1):
        if words[place] in (".", ";") or words[place] in UNSURE:
            return False
        if words[place] in _PURPOSE:
            return any(
                place - REACH <= other.start and other.end <= place and _treats(other)
                for other in terms
            )
    return False


def _treats(term: Term) -> bool:
    return term.kind in TREATS or term.key in THERAPIES

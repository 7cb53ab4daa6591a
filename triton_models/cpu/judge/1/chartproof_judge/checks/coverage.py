"""Content coverage: which of the proposition's terms a fact has, weighted by what they matter."""

from __future__ import annotations

from ..lexicon import ENTITY_KINDS, Term
from ..statement import Statement

QUANTITY = 0.8
"""Weight of a number: without it the statement says little."""
OTHER_DRUG = 0.4
"""Match of a drug with a combination that has it: amoxicillin is not amoxicillin clavulanate."""
_WIDER_DRUGS = frozenset(("insulin",))
"""Drugs of several kinds: who takes one of them takes it."""
_COMBINING = ("hyper", "cardi", "gastr", "neuro", "pneum", "electr", "radio", "thromb", "hemat",
              "nephr", "osteo", "arthr", "endo", "inter", "intra", "trans")  # fmt: skip
"""Words that share these beginnings share no meaning."""


def match(term: Term, fact: Statement) -> float:
    """How far a fact has a term: 1 the concept, less for a part, a relative or the heading."""
    if term.kind == "drug" and term.key not in fact.keys and term.key not in _WIDER_DRUGS:
        return OTHER_DRUG * (term.key in fact.said)
    if term.key in fact.said:
        return 1.0
    present = sum(part in fact.said for part in term.parts) / len(term.parts)
    if present:
        part = 0.5 if term.kind in ENTITY_KINDS else 0.7
        return 0.95 if present == 1.0 else part * present
    if term.key in fact.section:
        return 0.6
    kin = term.kind == "word" and len(term.key) >= 7 and term.key[:7] in fact.prefixes
    return 0.6 if kin and not term.key.startswith(_COMBINING) else 0.0


def matches(proposition: Statement, fact: Statement) -> tuple[float, ...]:
    """`match` of every term of the proposition, in order."""
    return tuple(match(term, fact) for term in proposition.terms)


def share(
    proposition: Statement,
    matched: tuple[float, ...],
    agreed: int,
    asked: int,
    left_out: frozenset[str] = frozenset(),
) -> float:
    """Weighted share (0..1) of the content that is matched: terms and numbers, some terms left out.

    `agreed` of the `asked` quantities of the proposition agree.
    """
    total = QUANTITY * asked
    have = QUANTITY * agreed
    for term, strength in zip(proposition.terms, matched, strict=True):
        if term.key not in left_out:
            total += term.weight
            have += term.weight * strength
    return have / total if total else float(bool(left_out))

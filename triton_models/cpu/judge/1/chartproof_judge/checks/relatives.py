"""Relatives: which one. A sister's disease is not the mother's, nor is a son the husband."""

from __future__ import annotations

from ..finding import Finding
from ..relatives import Kin
from ..statement import Statement

ALIKE = 0.5
"""How far the fact must have a term, for whose it is to be compared."""


def check(proposition: Statement, fact: Statement, matched: tuple[float, ...]) -> list[Finding]:
    """A conflict when the fact says the same of another relative."""
    named = proposition.relatives
    if not named or not fact.relatives:
        return []
    for at, strength in enumerate(matched):
        term, wanted = proposition.terms[at], proposition.kin[at]
        if strength < ALIKE or term.weight < 0.9 or wanted is None:
            continue
        given = [
            kin
            for other, kin in zip(fact.terms, fact.kin, strict=True)
            if other.key == term.key and kin is not None
        ]
        if given and not any(wanted.may_be(kin) for kin in given):
            return [_other(wanted, given[0])]
    if any(kin is not None for kin in proposition.kin) and any(kin is not None for kin in fact.kin):
        return []
    lacking = [who for who in named if not any(who.may_be(kin) for kin in fact.relatives)]
    others = [kin for kin in fact.relatives if not any(kin.may_be(who) for who in named)]
    return [_other(lacking[0], others[0])] if lacking and others else []


def _other(wanted: Kin, given: Kin) -> Finding:
    reason = f"the chart says this of the {given.word}, not of the {wanted.word}"
    return Finding("relatives", "conflict", reason, 0.9, frozenset(wanted.word.split()), apart=True)

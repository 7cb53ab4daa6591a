"""Allergies: a drug that the chart names only as an allergy is not one that is taken."""

from __future__ import annotations

from ..assertion import Status
from ..finding import Finding
from ..lexicon import name
from ..statement import Statement
from ..vocabulary.tables import word_set

_DRUGS = frozenset(("drug", "class"))
_EXCUSED = Status.ALLERGY | Status.NEGATED | Status.PLANNED | Status.STOPPED
_TAKES = word_set(
    """takes take took taken taking received receives receiving given gets started prescribed
    administered continue continued continues on treated treatment mg mcg daily bid tid qid dose
    medication medications"""
)
"""Words of a statement that a drug is taken."""


def check(proposition: Statement, fact: Statement, matched: tuple[float, ...]) -> list[Finding]:
    """A conflict for each drug that the fact names only as an allergy."""
    if not _TAKES & set(proposition.words):
        return []
    findings = []
    for term, status, strength in zip(proposition.terms, proposition.status, matched, strict=True):
        if term.kind not in _DRUGS or strength < 0.9 or status & _EXCUSED:
            continue
        said = fact.said.get(term.key, frozenset())
        if said and all(flag & Status.ALLERGY for flag in said):
            reason = f"the chart names {name(term)} as an allergy, not as a treatment"
            about = frozenset({term.key})
            findings.append(Finding("allergies", "conflict", reason, about=about, alone=True))
    return findings

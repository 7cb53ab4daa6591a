"""Family history: a relative's disease is not the patient's."""

from __future__ import annotations

from ..assertion import Status
from ..finding import Finding
from ..lexicon import ENTITY_KINDS
from ..statement import Statement


def check(proposition: Statement, fact: Statement, matched: tuple[float, ...]) -> list[Finding]:
    """A conflict when what both name is a relative's in one of them only."""
    relative = patient = 0.0
    for term, status, strength in zip(proposition.terms, proposition.status, matched, strict=True):
        theirs = bool(status & Status.FAMILY)
        if strength < 0.5 or term.weight < 0.9 or (theirs and term.kind not in ENTITY_KINDS):
            continue
        said = fact.said.get(term.key, frozenset())
        if not said:
            continue
        if all(bool(flag & Status.FAMILY) != theirs for flag in said):
            relative += term.weight
        else:
            patient += term.weight
    if relative <= patient:
        return []
    whose = (
        "a relative, not the patient"
        if not any(status & Status.FAMILY for status in proposition.status)
        else "the patient, not a relative"
    )
    return [Finding("family_history", "conflict", f"the chart says this of {whose}")]

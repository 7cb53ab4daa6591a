"""Attempts: what was tried, and not said to have succeeded, was not done."""

from __future__ import annotations

from ..assertion import Status
from ..finding import Finding
from ..lexicon import name
from ..statement import Statement
from ..vocabulary.tables import word_set
from .negation import statuses_in

_DONE = word_set("underwent performed placed obtained successful completed inserted done achieved")
_EXCUSED = Status.ATTEMPTED | Status.NEGATED | Status.PLANNED | Status.POSSIBLE | Status.NOT_DONE


def check(proposition: Statement, fact: Statement, matched: tuple[float, ...]) -> list[Finding]:
    """A conflict for each procedure that the fact has only as attempted."""
    done = bool(_DONE & set(proposition.words))
    findings = []
    for term, status, strength in zip(proposition.terms, proposition.status, matched, strict=True):
        doable = term.kind == "procedure" or (done and term.kind == "word")
        if not doable or strength < 0.5 or status & _EXCUSED:
            continue
        said = statuses_in(term, fact)
        if said and all(flag & Status.ATTEMPTED for flag in said):
            reason = f"the chart says only that {name(term)} was attempted, not that it succeeded"
            findings.append(Finding("attempts", "conflict", reason, about=frozenset({term.key})))
    return findings

"""Drugs: another drug in the same place, another route, stopped or continued."""

from __future__ import annotations

from ..assertion import Status
from ..finding import Finding
from ..statement import Statement


def check(proposition: Statement, fact: Statement, matched: tuple[float, ...]) -> list[Finding]:
    """Route and stopped-or-not of the drugs that both name."""
    findings: list[Finding] = []
    shared = False
    for term, status, strength in zip(proposition.terms, proposition.status, matched, strict=True):
        if term.kind != "drug" or strength < 0.9:
            continue
        shared = True
        said = fact.said.get(term.key, frozenset())
        stopped = bool(said) and all(flag & Status.STOPPED for flag in said)
        claims_stop = bool(status & Status.STOPPED)
        negated = bool(status & Status.NEGATED) or any(flag & Status.NEGATED for flag in said)
        if stopped and not claims_stop and not negated and proposition.tense != "past":
            reason = f"the chart says {term.surface.lower()} was stopped"
            findings.append(Finding("drugs", "conflict", reason))
    if shared and proposition.routes and fact.routes and not proposition.routes & fact.routes:
        wanted, given = sorted(proposition.routes)[0], sorted(fact.routes)[0]
        findings.append(Finding("drugs", "conflict", f"the chart gives it {given}, not {wanted}"))
    return findings

"""Drugs: another drug in the same place, another route, stopped or continued."""

from __future__ import annotations

from ..assertion import Status
from ..finding import Finding, Outcome
from ..lexicon import name
from ..statement import Statement
from ..vocabulary.tables import word_set

_TO_BEGIN = word_set("start starting begin beginning initiate initiating add adding")
_GOING_ON = word_set("continue continues continued continuing cont resume resumed start started")


def check(proposition: Statement, fact: Statement, matched: tuple[float, ...]) -> list[Finding]:
    """Route and stopped-or-not of the drugs that both name."""
    findings: list[Finding] = []
    shared = False
    for term, status, strength in zip(proposition.terms, proposition.status, matched, strict=True):
        if term.kind != "drug" or strength < 0.9:
            continue
        shared = True
        said = fact.said.get(term.key, frozenset())
        stopped = stopped_for_good(said)
        claims_stop = bool(status & Status.STOPPED)
        negated = bool(status & Status.NEGATED) or any(
            flag & Status.NEGATED and not flag & Status.STOPPED for flag in said
        )
        if not status & Status.PLANNED and _only_to_begin(term.key, fact):
            reason = f"the chart says only that {name(term)} is to be started"
            findings.append(Finding("drugs", "weaker", reason))
        if claims_stop and not status & Status.PLANNED and _only_to_stop(said):
            reason = f"the chart says only when {name(term)} is to be stopped"
            findings.append(Finding("drugs", "weaker", reason))
        if claims_stop and not negated and said and not any(f & Status.STOPPED for f in said):
            outcome: Outcome = "conflict" if _given(term.key, fact) else "missing"
            reason = f"the chart does not say that {name(term)} was stopped"
            findings.append(Finding("drugs", outcome, reason))
        if stopped and not claims_stop and not negated and proposition.tense != "past":
            reason = f"the chart says that {name(term)} was stopped"
            findings.append(Finding("drugs", "conflict", reason))
    if shared and proposition.routes and fact.routes and not proposition.routes & fact.routes:
        wanted, given = sorted(proposition.routes)[0], sorted(fact.routes)[0]
        findings.append(Finding("drugs", "conflict", f"the chart gives it {given}, not {wanted}"))
    return findings


def stopped_for_good(said: frozenset[Status]) -> bool:
    """Whether it is said only as stopped, and not as taken up again."""
    return bool(said) and all(
        flag & Status.STOPPED and not flag & (Status.RESUMED | Status.PLANNED) for flag in said
    )


def _only_to_stop(said: frozenset[Status]) -> bool:
    """Whether it is said only as one to stop, on a condition or later."""
    return bool(said) and all(flag & Status.STOPPED and flag & Status.PLANNED for flag in said)


def _only_to_begin(drug: str, fact: Statement) -> bool:
    """Whether the fact speaks of the drug only as one to begin: will start metoprolol."""
    said = [
        bool(status & Status.PLANNED) and fact.words[max(0, term.start - 1)] in _TO_BEGIN
        for term, status in zip(fact.terms, fact.status, strict=True)
        if term.key == drug
    ]
    return bool(said) and all(said)


def _given(drug: str, fact: Statement) -> bool:
    """Whether the fact gives a dose or a frequency of the drug, or says that it goes on."""
    dosed = any(quantity.anchor == drug for quantity in fact.quantities)
    return dosed or bool(_GOING_ON & set(fact.words))

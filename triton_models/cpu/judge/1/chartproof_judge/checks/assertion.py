"""Assertion: possible, only a condition, planned, refused, resolved is not the same as so."""

from __future__ import annotations

from functools import reduce
from operator import and_
from typing import NamedTuple

from ..assertion import Status
from ..finding import Finding, Outcome
from ..indications import is_indication
from ..lexicon import Term, name
from ..statement import Statement
from .negation import statuses_in

_HABITS = frozenset(("smoking", "alcohol"))
_DOABLE = frozenset(("procedure", "drug", "class"))
_SURELY_DONE = frozenset(("underwent", "undergone", "received", "performed", "placed"))
_ADVISES = frozenset(
    ("will", "should", "recommended", "advised", "prn", "needed", "would", "can", "instructed")
)
"""A treatment to come is for what may be: ibuprofen is recommended for fever."""
_HAS = frozenset(("has", "have"))
_HAD = frozenset(("had", "history", "hx", "been"))
_NOT_DOABLE = frozenset(("problem", "finding", "organism", "anatomy"))


class _Rule(NamedTuple):
    bit: Status
    check: str
    outcome: Outcome
    reason: str


_RULES = (
    _Rule(Status.POSSIBLE, "assertion", "weaker", "the chart calls {} only possible"),
    _Rule(
        Status.HYPOTHETICAL, "assertion", "weaker",
        "the chart mentions {} only as something that may happen",
    ),
    _Rule(
        Status.NOT_DONE, "procedures", "conflict",
        "the chart says that {} was not carried out",
    ),
    _Rule(Status.STOPPED, "assertion", "conflict", "the chart says that this was given up"),
    _Rule(Status.RESOLVED, "assertion", "conflict", "the chart says that {} has resolved"),
    _Rule(
        Status.PLANNED, "procedures", "conflict",
        "the chart says only that {} is planned or suggested",
    ),
)  # fmt: skip


def check(proposition: Statement, fact: Statement, matched: tuple[float, ...]) -> list[Finding]:
    """A finding for each term that the fact has only with a status the proposition lacks."""
    findings: list[Finding] = []
    asked = zip(proposition.terms, proposition.status, matched, strict=True)
    for term, status, strength in sorted(asked, key=lambda each: each[0].kind not in _DOABLE):
        if strength < 0.5 or term.weight < 0.5 or term.kind == "anatomy":
            continue
        said = statuses_in(term, fact)
        if not said or status & (Status.PLANNED | Status.HYPOTHETICAL):
            continue
        everywhere = reduce(and_, said)
        for rule in _RULES:
            if (
                everywhere & rule.bit
                and not status & (rule.bit | Status.NEGATED)
                and _applies(rule, proposition, term)
            ):
                reason = rule.reason.format(name(term))
                about = frozenset({term.key})
                findings.append(Finding(rule.check, rule.outcome, reason, about=about))
    return findings


def _applies(rule: _Rule, proposition: Statement, term: Term) -> bool:
    if rule.outcome == "weaker":
        return not proposition.conditional and not (
            _ADVISES & set(proposition.words)
            and is_indication(proposition.words, proposition.terms, term)
        )
    if rule.bit is Status.STOPPED:
        return term.key in _HABITS and proposition.tense != "past"
    if rule.bit is Status.RESOLVED:
        has = bool(_HAS & set(proposition.words)) and not _HAD & set(proposition.words)
        return proposition.tense == "current" or (proposition.tense == "open" and has)
    if rule.bit is Status.PLANNED:
        return _claims_done(proposition, term)
    return rule.bit is not Status.NOT_DONE or term.kind not in _NOT_DOABLE


def _claims_done(proposition: Statement, term: Term) -> bool:
    """Whether the proposition says that it was carried out: underwent a graft, was intubated."""
    if term.kind == "word":
        return proposition.done and bool(_SURELY_DONE & set(proposition.words))
    if term.kind == "procedure" and term.surface.endswith("ed"):
        return not proposition.conditional and not (
            _ADVISES & set(proposition.words)
            and is_indication(proposition.words, proposition.terms, term)
        )
    return proposition.done and term.kind in _DOABLE

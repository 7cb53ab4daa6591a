"""Reading the facts: every check against every fact, and what it comes to for each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .checks import coverage, drugs, family, negation, numbers, opposites, side, substitution
from .finding import Finding
from .statement import Statement


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact of the context. `time` is RFC 3339 as sent; `order` its place in time, 0 the first."""

    id: str
    text: str
    section: str
    time: str
    document: str
    score: float
    order: int
    statement: Statement


@dataclass(frozen=True, slots=True)
class Reading:
    """A proposition read against one fact."""

    fact: Fact
    matched: tuple[float, ...]
    cover: float
    """Weighted share of the proposition's terms in the fact."""
    aligned: float
    """The same, without the terms that findings are about: is it the same topic?"""
    findings: tuple[Finding, ...]

    def outcomes(self, outcome: str) -> list[Finding]:
        return [finding for finding in self.findings if finding.outcome == outcome]


def read(proposition: Statement, fact: Fact) -> Reading:
    """Run every check of the proposition against one fact."""
    statement = fact.statement
    matched = coverage.matches(proposition, statement)
    cover = coverage.share(proposition, matched, frozenset())
    findings: list[Finding] = []
    if cover > 0.1 or len(proposition.terms) <= 4:
        findings += numbers.check(proposition, statement)
        findings += negation.check(proposition, statement, matched)
        findings += family.check(proposition, statement, matched)
        findings += side.check(proposition, statement)
        findings += opposites.check(proposition, statement)
        findings += drugs.check(proposition, statement, matched)
        findings += substitution.check(proposition, statement, matched)
    about = frozenset(
        key
        for finding in findings
        if finding.outcome == "conflict" and finding.apart
        for key in finding.about
    )
    aligned = coverage.share(proposition, matched, about) if about else cover
    return Reading(fact, matched, cover, aligned, tuple(findings))


def text_of(value: Any) -> str:
    return value if isinstance(value, str) else ""


def fields(item: Mapping[str, Any]) -> tuple[str, str, str, str, str, float]:
    score = item.get("score")
    number = float(score) if isinstance(score, int | float) and score == score else 0.0
    return (
        text_of(item.get("id")), text_of(item.get("text")), text_of(item.get("section")),
        text_of(item.get("time")), text_of(item.get("document_id")), number,
    )  # fmt: skip

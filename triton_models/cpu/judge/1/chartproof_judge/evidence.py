"""Reading the facts: every check against every fact, and what it comes to for each."""

from __future__ import annotations

from dataclasses import dataclass

from .checks import (
    allergies,
    assertion,
    attempts,
    coverage,
    disposition,
    drugs,
    family,
    instructions,
    negation,
    opposites,
    relatives,
    side,
    substitution,
    thresholds,
    times,
)
from .finding import Finding
from .statement import Statement
from .when import When

TOPIC = 0.1
"""Share of the content below which a fact is not worth the dearer checks."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact of the context. `time`: as a reason says it; `order`: its place in time, from 0."""

    id: str
    text: str
    time: str
    score: float
    order: int
    statement: Statement
    when: When
    more: tuple[str, ...] = ()
    """Facts that it takes as well to say this (`series`)."""

    @property
    def ids(self) -> tuple[str, ...]:
        return (self.id, *self.more)


@dataclass(frozen=True, slots=True)
class Reading:
    """A proposition read against one fact."""

    fact: Fact
    matched: tuple[float, ...]
    numbers: tuple[bool, ...]
    """Which of the proposition's quantities agree."""
    cover: float
    """Weighted share of the proposition's content in the fact."""
    aligned: float
    """The same, without what contradictions are about: is it the same topic?"""
    findings: tuple[Finding, ...]

    def outcomes(self, outcome: str) -> list[Finding]:
        return [finding for finding in self.findings if finding.outcome == outcome]


def read(proposition: Statement, fact: Fact) -> Reading:
    """Run every check of the proposition against one fact."""
    statement = fact.statement
    matched = coverage.matches(proposition, statement)
    asked = len(proposition.quantities)
    found = thresholds.check(proposition, statement, fact.when)
    agree = tuple(finding.outcome == "agree" for finding in found)
    cover = coverage.share(proposition, matched, sum(agree), asked)
    if cover < TOPIC and len(proposition.terms) > 4:
        found = [finding for finding in found if finding.outcome != "conflict"]
        return Reading(fact, matched, agree, cover, cover, tuple(found))
    found += negation.check(proposition, statement, matched)
    found += assertion.check(proposition, statement, matched)
    found += attempts.check(proposition, statement, matched)
    found += instructions.check(proposition, statement, matched)
    found += family.check(proposition, statement, matched)
    found += relatives.check(proposition, statement, matched)
    found += allergies.check(proposition, statement, matched)
    found += disposition.check(proposition, statement, matched)
    found += side.check(proposition, statement)
    found += times.check(proposition, statement, fact.when)
    found += opposites.check(proposition, statement)
    found += drugs.check(proposition, statement, matched)
    found += substitution.check(proposition, statement, matched)
    conflicts = [finding for finding in found if finding.outcome == "conflict"]
    aligned = cover
    if conflicts:
        about = frozenset(key for finding in conflicts if finding.apart for key in finding.about)
        differ = sum(finding.outcome == "conflict" for finding in found[:asked])
        aligned = coverage.share(proposition, matched, sum(agree), asked - differ, about)
    return Reading(fact, matched, agree, cover, aligned, tuple(found))

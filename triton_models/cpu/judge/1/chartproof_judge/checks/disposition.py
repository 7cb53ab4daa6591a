"""Disposition: discharged home is not discharged to rehabilitation, and planned is not done."""

from __future__ import annotations

from ..finding import Finding
from ..statement import Statement
from ..vocabulary.destinations import OUTCOMES


def check(proposition: Statement, fact: Statement, matched: tuple[float, ...]) -> list[Finding]:
    """At most one finding, where both say where the patient went or how the stay ended.

    That somebody died does not say that the patient did.
    """
    wanted, given = proposition.disposition, fact.disposition
    if wanted is None:
        return []
    if given is None:
        reason = "the chart does not say that the patient died"
        return [Finding("disposition", "missing", reason)] if "death" in wanted.to else []
    if wanted.to <= given.to:
        if given.planned and not wanted.planned:
            reason = f"the chart says only that {_and(given.to)} is planned"
            return [Finding("disposition", "weaker", reason)]
        return [Finding("disposition", "agree", f"the chart says {_and(wanted.to)}")]
    if wanted.to & given.to or given.planned:
        lacking = _and(wanted.to - given.to)
        return [Finding("disposition", "missing", f"the chart does not say {lacking}")]
    reason = f"the chart gives the disposition as {_and(given.to)}, not {_and(wanted.to)}"
    about = frozenset(
        term.key
        for term in proposition.terms
        if {term.key, *term.parts} & {word for to in wanted.to for word in to.split()}
    )
    final = bool((wanted.to | given.to) & set(OUTCOMES.values()))
    return [Finding("disposition", "conflict", reason, about=about, alone=final, apart=True)]


def _and(places: frozenset[str]) -> str:
    return " and ".join(sorted(places))

"""Instructions: what somebody is advised or wishes to do is not what happened: `advised to quit`.

To be told to go on with something is to have it already.
"""

from __future__ import annotations

from ..assertion import Status
from ..finding import Finding
from ..statement import Statement
from ..vocabulary.tables import word_set
from .negation import statuses_in

_GO_ON = word_set("continue continued keep maintain remain stay resume finish complete")
_ALSO = Status.INSTRUCTED | Status.PLANNED | Status.HYPOTHETICAL | Status.NEGATED
LEAST = 0.5
"""Weight of the terms that are looked at."""


def check(proposition: Statement, fact: Statement, matched: tuple[float, ...]) -> list[Finding]:
    """`weaker` when all that the fact has of the proposition is what is to be done."""
    if _GO_ON & set(fact.words) or proposition.conditional:
        return []
    told = [
        (term.key, statuses_in(term, fact), status)
        for term, status, strength in zip(
            proposition.terms, proposition.status, matched, strict=True
        )
        if strength >= LEAST and term.weight >= LEAST
    ]
    if not told or any(status & _ALSO for _, _, status in told):
        return []
    if all(said and all(flag & Status.INSTRUCTED for flag in said) for _, said, _ in told):
        about = frozenset(key for key, _, _ in told)
        reason = "the chart says only that this is advised or intended"
        return [Finding("instructions", "weaker", reason, about=about)]
    return []

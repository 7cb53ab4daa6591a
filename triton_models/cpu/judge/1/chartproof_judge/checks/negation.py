"""Negation and assertion: said to be absent, possible, a condition, planned, stopped, or past."""

from __future__ import annotations

from ..assertion import Status
from ..finding import Finding, Outcome
from ..lexicon import Term
from ..statement import Statement
from ..vocabulary.tables import word_set
from ..wording import template

SAME_WORDING = 0.72
"""Similarity of two wordings (0..1) from which one with a `not` contradicts one without."""
_WEAKER = (
    (Status.POSSIBLE, "assertion", "the chart calls {} only possible"),
    (Status.HYPOTHETICAL, "assertion", "the chart names {} only as something that may happen"),
)
_OVER = (
    (Status.NOT_DONE, "procedures", "the chart says {} was refused, cancelled or deferred"),
    (Status.RESOLVED, "assertion", "the chart says {} has resolved"),
    (Status.PLANNED, "procedures", "the chart says only that {} is planned"),
)


_DOABLE = frozenset(("procedure", "drug"))
_NOT_OPPOSED = frozenset(("anatomy", "side"))
"""Where it is, is not what is denied."""
_SETTING = frozenset(("procedure", "measure"))
"""How it was looked for agrees also where what was found does not."""


def check(proposition: Statement, fact: Statement, matched: tuple[float, ...]) -> list[Finding]:
    """Compare the status of the terms that both have."""
    same = 0.0
    opposed: list[tuple[Term, bool]] = []
    findings: list[Finding] = []
    for term, status, strength in zip(proposition.terms, proposition.status, matched, strict=True):
        if strength < 0.5 or term.weight < 0.5 or term.kind in _NOT_OPPOSED:
            continue
        said = fact.said.get(term.key) or _parts(term, fact)
        said = frozenset(flag for flag in said if not flag & Status.SUBJECT)
        if not said or status & Status.SUBJECT:
            continue
        negated = bool(status & Status.NEGATED)
        agreeing = [bool(flag & Status.NEGATED) == negated for flag in said]
        if all(agreeing) and term.kind not in _SETTING:
            same += term.weight
        if any(agreeing):
            findings.extend(_compare(term, status, said, proposition))
        elif not (
            _narrower(term, proposition, fact) if negated else _narrower(term, fact, proposition)
        ):
            opposed.append((term, negated))
    against = sum(term.weight for term, _ in opposed)
    if opposed and against >= same:
        findings.append(_opposition(opposed, against, same))
    elif not opposed and proposition.denies != fact.denies and _same_wording(proposition, fact):
        verb = "says so" if proposition.denies else "denies it"
        findings.append(Finding("negation", "conflict", f"the chart {verb}", 0.8))
    return findings


def _same_wording(proposition: Statement, fact: Statement) -> bool:
    return template(proposition.words, fact.words)[1] >= SAME_WORDING


def _parts(term: Term, fact: Statement) -> frozenset[Status]:
    return frozenset(flag for part in term.parts for flag in fact.said.get(part, ()))


_ITEM_ENDS = word_set(
    ", ; . : or and nor but for to because after was were is are by has had have with"
)


def _narrower(term: Term, denying: Statement, affirming: Statement) -> bool:
    """Whether what is denied is narrower: no pain on extension leaves room for pain.

    The item of the list in which one denies the term must be mostly in the other.
    """
    keys = {key for other in affirming.terms for key in (other.key, *other.parts)}
    for at, denied in enumerate(denying.terms):
        if denied.key != term.key or not denying.status[at] & Status.NEGATED:
            continue
        start, end = denied.start, denied.end
        while start > 0 and denying.words[start - 1] not in _ITEM_ENDS:
            start -= 1
        while end < len(denying.words) and denying.words[end] not in _ITEM_ENDS:
            end += 1
        total = shared = 0.0
        for other in denying.terms:
            if start <= other.start < end and other.weight >= 0.5:
                total += other.weight
                shared += other.weight * (other.key in keys or bool(keys & set(other.parts)))
        if shared >= 0.62 * total:
            return False
    return True


def _opposition(opposed: list[tuple[Term, bool]], against: float, same: float) -> Finding:
    names = " and ".join(dict.fromkeys(term.surface.lower() for term, _ in opposed[:3]))
    reason = (
        f"the chart says there is {names}"
        if opposed[0][1]
        else f"the chart says there is no {names}"
    )
    keys = frozenset(term.key for term, _ in opposed)
    return Finding("negation", "conflict", reason, against / (against + same), keys)


def _compare(
    term: Term, status: Status, said: frozenset[Status], proposition: Statement
) -> list[Finding]:
    found: list[Finding] = []
    everywhere = Status(511)
    for flag in said:
        everywhere &= flag
    for bit, check_name, reason in (*_WEAKER, *_OVER):
        if everywhere & bit and not status & (bit | Status.PLANNED | Status.HYPOTHETICAL):
            outcome: Outcome = (
                "weaker" if bit in (Status.POSSIBLE, Status.HYPOTHETICAL) else "conflict"
            )
            if outcome == "weaker" and proposition.conditional:
                continue
            if bit is Status.PLANNED and not (proposition.done and term.kind in _DOABLE):
                continue
            if bit is Status.RESOLVED and proposition.tense != "current":
                continue
            found.append(Finding(check_name, outcome, reason.format(term.surface.lower())))
    return found

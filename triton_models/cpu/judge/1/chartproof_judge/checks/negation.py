"""Negation: the same thing said to be absent by one and present by the other.

What is compared is the status of the terms that both have. Two guards keep it honest: a denial of
something narrower denies no more than that, and the subject of a `not` is neither affirmed nor
denied.
"""

from __future__ import annotations

from itertools import groupby

from ..assertion import Status
from ..finding import Finding
from ..lexicon import Term, name
from ..statement import Statement
from ..vocabulary.tables import word_set
from ..wording import align
from .drugs import stopped_for_good

SAME_WORDING = 0.72
"""Similarity of two wordings (0..1) from which one with a `not` contradicts one without."""
WHOLE_CLAUSE = 0.5
"""Weight of a denied clause that is opposed as a whole: it contradicts whatever else agrees."""
NARROW = 0.62
"""Share of what is denied that the other must have, to speak of the same thing."""
_NOT_OPPOSED = frozenset(("anatomy", "side", "measure"))
"""Where it is, and what is measured, is not what is denied."""
_DISEASES = frozenset(("problem", "finding", "organism"))
"""What may be denied in part only: no croupy cough is not no cough."""
_DENIED = Status.NEGATED | Status.NOT_DONE
"""What was refused was not done."""
_SETTING = frozenset(("procedure",))
"""How it was looked for agrees also where what was found does not."""
_ITEM_ENDS = word_set(
    """
    , ; . : or and nor but for to because after during throughout was were is are by has had have
    with"""
)


def check(proposition: Statement, fact: Statement, matched: tuple[float, ...]) -> list[Finding]:
    """At most one conflict: the terms that are denied by one and affirmed by the other."""
    same = 0.0
    opposed: dict[int, Term] = {}
    agreeing: set[int] = set()
    narrower: list[Term] = []
    for at, (term, status, strength) in enumerate(
        zip(proposition.terms, proposition.status, matched, strict=True)
    ):
        if strength < 0.5 or term.weight < 0.5 or term.kind in _NOT_OPPOSED:
            continue
        said = statuses_in(term, fact)
        if not said or status & Status.SUBJECT:
            continue
        negated = bool(status & _DENIED)
        if negated and term.kind == "drug" and stopped_for_good(said):
            agreeing.add(at)
        elif any(bool(flag & _DENIED) == negated for flag in said):
            agreeing.add(at)
            if negated and term.kind in _DISEASES and _narrower(term, fact, proposition):
                narrower.append(term)
            if len({bool(flag & _DENIED) for flag in said}) == 1:
                same += term.weight * (term.kind not in _SETTING)
        elif not _narrower(term, *((proposition, fact) if negated else (fact, proposition))):
            opposed[at] = term
        elif not negated and term.kind in _DISEASES:
            narrower.append(term)
    against = sum(term.weight for term in opposed.values())
    if opposed and (against >= same or _clause_opposed(proposition, opposed, agreeing)):
        return [_opposition(proposition, opposed, against / (against + same))]
    if not opposed and _differs_in_not(proposition, fact):
        return [Finding("negation", "conflict", _reason(bool(proposition.denied)), 0.8)]
    return [
        Finding("negation", "missing", f"the chart only denies something narrower of {name(term)}")
        for term in narrower[:1]
    ]


def statuses_in(term: Term, fact: Statement) -> frozenset[Status]:
    """Every status with which a fact has a term (or its parts), subjects of a `not` left out."""
    said = fact.said.get(term.key)
    if said is None:
        said = frozenset(flag for part in term.parts for flag in fact.said.get(part, ()))
    return frozenset(flag for flag in said if not flag & Status.SUBJECT)


def _clause_opposed(proposition: Statement, opposed: dict[int, Term], agreeing: set[int]) -> bool:
    """Whether one whole run of denied (or of affirmed) terms is opposed: half of a compound."""
    runs = groupby(
        range(len(proposition.terms)), lambda at: bool(proposition.status[at] & Status.NEGATED)
    )
    for negated, run in runs:
        places = set(run)
        weight = sum(term.weight for at, term in opposed.items() if at in places)
        if negated and weight >= WHOLE_CLAUSE and not places & agreeing:
            return True
    return False


def _differs_in_not(proposition: Statement, fact: Statement) -> bool:
    """The same wording with and without a `not`; or nothing but small words is denied."""
    if bool(proposition.denied) == bool(fact.denied):
        return False
    aligned = align(proposition.words, fact.words)
    if aligned.share >= SAME_WORDING:
        return bool((proposition.denied or fact.denied) & set(aligned.common))
    denied = [
        term.weight
        for term, status in zip(proposition.terms, proposition.status, strict=True)
        if status & Status.NEGATED
    ]
    return bool(proposition.denied) and max(denied, default=0.0) < 0.5


def _narrower(term: Term, denying: Statement, affirming: Statement) -> bool:
    """Whether what is denied is narrower: no pain on walking leaves room for pain.

    The item of the list in which one denies the term must be mostly in the other.
    """
    if term.kind == "drug":
        return False
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
        for other, asserted in zip(denying.terms, denying.status, strict=True):
            if start <= other.start < end and other.weight >= 0.5 and asserted & Status.NEGATED:
                total += other.weight
                shared += other.weight * (other.key in keys or bool(keys & set(other.parts)))
        if shared >= NARROW * total:
            return False
    return True


def _opposition(proposition: Statement, opposed: dict[int, Term], strength: float) -> Finding:
    reason = _reason(bool(proposition.status[min(opposed)] & Status.NEGATED))
    keys = frozenset(term.key for term in opposed.values())
    return Finding("negation", "conflict", reason, strength, keys)


def _reason(denied: bool) -> str:
    return "the chart says the opposite" if denied else "the chart denies this"

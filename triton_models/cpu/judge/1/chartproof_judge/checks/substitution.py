"""Substitution: a fact says the same of something else.

"Culture grew E. coli" against "Culture grew klebsiella": what differs is one slot, all else agrees.
A frame that many things may fill at once ("the patient has …", "denies …") makes no contradiction;
one that decides ("diagnosed with …", "… was given") does.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..assertion import Status
from ..finding import Finding
from ..lexicon import ENTITY_KINDS, Term
from ..statement import Statement
from ..vocabulary.tables import word_set
from ..wording import template
from ..words import stem

TEMPLATE = 0.42
"""Similarity of two wordings (0..1) from which they are one template with a slot."""

_DECIDING = frozenset(
    stem(word)
    for word in word_set(
        """diagnosis diagnosed suspected suspicious cause caused indicate indicates indicated
        confirm confirmed confirms culture cultures grew reveal reveals revealed recommended
        required performed administered started prescribed given ordered initiated scheduled
        planned advised treated treatment consistent likely positive identified detected
        completed obtained undergoes underwent placed switched"""
    )
)


def check(proposition: Statement, fact: Statement, matched: tuple[float, ...]) -> list[Finding]:
    """A conflict when unmatched terms of the proposition stand where the fact has others."""
    missing = [
        term
        for term, strength, denied in zip(
            proposition.terms, matched, proposition.status, strict=True
        )
        if strength < 0.5 and term.weight >= 0.9
        and not (_verbal(term) or denied & Status.NEGATED)
    ]  # fmt: skip
    if not missing:
        return []
    keys = {key for term in proposition.terms for key in (term.key, *term.parts)}
    spare = [term for term in fact.terms if term.key not in keys and not keys & set(term.parts)]
    if not spare:
        return []
    about = frozenset(term.key for term in missing)
    pair = _same_kind(missing, spare)
    if pair and pair[0].kind == "drug" and (same := _same_dose(proposition, fact)):
        found = _finding(proposition, fact, pair, about, 1.0)
        return [found._replace(alone=same > 1)]
    pair = pair or _other(missing, spare)
    if pair is None:
        return []
    common, alike = template(proposition.words, fact.words)
    if alike < TEMPLATE or not _decides(proposition, matched, common):
        return []
    return [_finding(proposition, fact, pair, about, alike)]


def _finding(
    proposition: Statement,
    fact: Statement,
    pair: tuple[Term, Term],
    about: frozenset[str],
    how: float,
) -> Finding:
    wanted, given = _phrase(proposition, pair[0]), _phrase(fact, pair[1])
    return Finding(
        "substitution", "conflict", f"the chart says {given}, not {wanted}", how, about, apart=True
    )


def _same_kind(missing: Sequence[Term], spare: Sequence[Term]) -> tuple[Term, Term] | None:
    for term in missing:
        if term.kind in ENTITY_KINDS:
            for other in spare:
                if other.kind == term.kind:
                    return term, other
    return None


def _other(missing: Sequence[Term], spare: Sequence[Term]) -> tuple[Term, Term] | None:
    """A pair of which one is of no known kind, so that they may be of the same."""
    for term in missing:
        for other in spare:
            if other.weight >= 0.9 and not _verbal(other) and "word" in (term.kind, other.kind):
                return term, other
    return None


def _verbal(term: Term) -> bool:
    """Verbs and adverbs say how; what differs must be a thing."""
    return term.kind == "word" and term.surface.lower().endswith(("ed", "ing", "ly"))


def _same_dose(proposition: Statement, fact: Statement) -> int:
    """How many of dose and frequency are the same."""
    given = {(q.kind, q.dimension, q.low) for q in fact.quantities if q.dimension}
    wanted = {(q.kind, q.dimension, q.low) for q in proposition.quantities if q.dimension}
    return len(given & wanted)


def _decides(proposition: Statement, matched: tuple[float, ...], common: Sequence[str]) -> bool:
    """Whether the shared wording is one that only one thing fills at a time."""
    if _DECIDING & set(common):
        return True
    shared = sum(
        strength >= 0.9 and term.weight >= 0.9
        for term, strength in zip(proposition.terms, matched, strict=True)
    )
    return shared >= 2


def _phrase(statement: Statement, term: Term) -> str:
    return " ".join(statement.words[term.start : term.end])

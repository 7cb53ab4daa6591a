"""Substitution: a fact says the same of something else.

"Culture grew E. coli" against "Culture grew klebsiella": what differs is one slot, all else agrees.
A frame that many things may fill at once ("the patient has …", "denies …") makes no contradiction;
one that decides ("diagnosed with …", "… was given") does.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..assertion import Status
from ..finding import Finding
from ..lexicon import ENTITY_KINDS, Term, name
from ..statement import Statement
from ..vocabulary.tables import word_set
from ..wording import Alignment, align
from ..words import stem

TEMPLATE = 0.42
"""Similarity of two wordings (0..1) from which they are one template with a slot."""

_CULTURES = frozenset(("blood culture", "urine culture", "cultur", "sputum culture"))
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
    keys = {key for term in proposition.terms for key in (term.key, *term.parts)}
    spare = [term for term in fact.terms if term.key not in keys and not keys & set(term.parts)]
    if not missing or not spare:
        return []
    about = frozenset(term.key for term in missing)
    pair = _same_kind(missing, spare)
    sure = _same_place(proposition, fact, pair[0].kind) if pair else 0
    if pair and sure:
        found = _finding(pair, about, 1.0)
        return [found._replace(alone=sure > 1)]
    aligned = align(proposition.words, fact.words)
    pair = _in_template(proposition, matched, missing, spare, aligned, pair)
    return [_finding(pair, about, aligned.share)] if pair else []


def _same_place(proposition: Statement, fact: Statement, kind: str) -> int:
    """How many things say that two of a kind stand in one place: a dose, a frequency, a culture."""
    if kind == "drug":
        return _same_dose(proposition, fact)
    return int(kind == "organism" and bool(proposition.keys & fact.keys & _CULTURES))


def _in_template(  # noqa: PLR0913, PLR0917 - what `check` has found out so far
    proposition: Statement,
    matched: tuple[float, ...],
    missing: Sequence[Term],
    spare: Sequence[Term],
    aligned: Alignment,
    pair: tuple[Term, Term] | None,
) -> tuple[Term, Term] | None:
    """The pair that fills one template differently, if the wordings are one template."""
    if aligned.share < TEMPLATE:
        return None
    decides = bool(_DECIDING & set(aligned.common))
    shared = _shared(proposition, matched)
    if not decides and not shared:  # the patient has …
        return None
    if pair is None or not (decides or shared > 1):
        return _in_one_slot(missing, spare, aligned)
    return pair


def _finding(pair: tuple[Term, Term], about: frozenset[str], how: float) -> Finding:
    wanted, given = name(pair[0]), name(pair[1])
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


def _in_one_slot(
    missing: Sequence[Term], spare: Sequence[Term], aligned: Alignment
) -> tuple[Term, Term] | None:
    """A pair that stands in the same place, one of them of no known kind."""
    for wanted, given in aligned.slots:
        for term in missing:
            for other in spare:
                if (
                    ("word" in (term.kind, other.kind) or term.kind == other.kind)
                    and other.weight >= 0.9
                    and not _verbal(other)
                    and stem(term.surface.split()[-1].lower()) in wanted
                    and stem(other.surface.split()[-1].lower()) in given
                ):
                    return term, other
    return None


def _verbal(term: Term) -> bool:
    """Verbs and adverbs say how; what differs must be a thing."""
    word = term.surface.lower()
    return term.kind == "word" and word.endswith(("ed", "ing", "ly")) and not word.endswith("aly")


def _same_dose(proposition: Statement, fact: Statement) -> int:
    """How many of dose and frequency are the same."""
    given = {(q.kind, q.dimension, q.low) for q in fact.quantities if q.dimension}
    wanted = {(q.kind, q.dimension, q.low) for q in proposition.quantities if q.dimension}
    return len(given & wanted)


def _shared(proposition: Statement, matched: tuple[float, ...]) -> int:
    """How many things that matter both name."""
    return sum(
        strength >= 0.9 and term.weight >= 0.9
        for term, strength in zip(proposition.terms, matched, strict=True)
    )

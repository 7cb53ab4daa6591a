"""Substitution: a fact says the same of something else of the same kind.

"Culture grew E. coli" against "culture grew klebsiella": what differs is one slot, all else agrees.
"""

from __future__ import annotations

from ..finding import Finding
from ..lexicon import ENTITY_KINDS, Term
from ..statement import Statement


def check(proposition: Statement, fact: Statement, matched: tuple[float, ...]) -> list[Finding]:
    """A conflict when unmatched terms of the proposition stand where the fact has others."""
    missing = [
        term for term, strength in zip(proposition.terms, matched, strict=True)
        if strength < 0.5 and term.weight >= 0.9
    ]  # fmt: skip
    if not missing:
        return []
    keys = {key for term in proposition.terms for key in (term.key, *term.parts)}
    spare = [
        term for term in fact.terms
        if term.weight >= 0.9 and term.key not in keys and not keys & set(term.parts)
    ]  # fmt: skip
    if not spare:
        return []
    ratio = frame(proposition.words, fact.words)
    about = frozenset(term.key for term in missing)
    pair = _same_kind(missing, spare)
    if ratio >= 0.5 or pair:
        wanted, given = pair or (missing[0], spare[0])
        reason = f"the chart says {_phrase(fact, given)}, not {_phrase(proposition, wanted)}"
        strength = ratio if not pair else max(ratio, 0.5)
        return [Finding("substitution", "conflict", reason, about, strength)]
    return []


def _same_kind(missing: list[Term], spare: list[Term]) -> tuple[Term, Term] | None:
    for term in missing:
        if term.kind in ENTITY_KINDS:
            for other in spare:
                if other.kind == term.kind:
                    return term, other
    return None


def _phrase(statement: Statement, term: Term) -> str:
    return " ".join(statement.words[term.start : term.end])


def frame(one: tuple[str, ...], two: tuple[str, ...]) -> float:
    """Share of the words of both that stand in a common beginning and end; 1 is the same text."""
    first = [word for word in one if word[0].isalnum()]
    second = [word for word in two if word[0].isalnum()]
    shortest = min(len(first), len(second))
    head = 0
    while head < shortest and first[head] == second[head]:
        head += 1
    tail = 0
    while tail < shortest - head and first[-1 - tail] == second[-1 - tail]:
        tail += 1
    return (head + tail) / max(len(first), len(second), 1)

"""Summaries with known omissions: all salient facts of a chart, then all but k of one kind.

A case is a chart with a statement for each of its salient facts, in other words than the notes'.
Its summaries are made by a seed: one that leaves nothing out, and for each kind one that leaves out
`k` facts of it. The gold is what was left out; the finder of omissions plays no part in making
it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from random import Random

from schemas.completeness import Salience
from schemas.notes import NoteChanged

SAME = 0.5
"""A quote and a statement are about the same from this share of the words of the shorter one on."""
_WORD = re.compile(r"[a-z]{3,}|\d+(?:\.\d+)?")
_EMPTY = frozenset(
    [
        "the",
        "and",
        "was",
        "were",
        "has",
        "had",
        "have",
        "with",
        "that",
        "this",
        "for",
        "from",
        "his",
        "her",
        "their",
        "she",
        "they",
        "patient",
        "will",
        "be",
        "been",
        "are",
        "not",
    ]
)


@dataclass(frozen=True)
class Stated:
    """A salient fact as a summary says it, and by what a quote of the chart is known to be of it.

    `told`: alternatives, each of words that all start a word of the quote; none: by shared words.
    """

    kind: Salience
    statement: str
    told: tuple[tuple[str, ...], ...] = ()

    def is_about(self, quote: str) -> bool:
        given = quote.casefold()
        if self.told:
            return any(all(_starts(given, word) for word in words) for words in self.told)
        return shared(self.statement, quote) >= SAME


@dataclass(frozen=True)
class SummaryCase:
    """`also`: sentences of every summary that state no salient fact."""

    source: str
    patient_id: str
    encounter_id: str | None
    as_of: datetime
    notes: tuple[NoteChanged, ...]
    facts: tuple[Stated, ...]
    also: tuple[str, ...] = ()


@dataclass(frozen=True)
class Summary:
    """`left_out`: indices of the case's facts that the summary does not state."""

    case: SummaryCase
    left_out: frozenset[int]

    @property
    def text(self) -> str:
        facts = self.case.facts
        given = [fact.statement for n, fact in enumerate(facts) if n not in self.left_out]
        other = [
            sentence
            for sentence in self.case.also
            if not any(facts[n].is_about(sentence) for n in self.left_out)
        ]
        return "\n".join([*given, *other])


def summaries(case: SummaryCase, seed: int, k: int) -> list[Summary]:
    """The whole one, then one for each kind that the case has, with at most `k` facts left out.

    What says the same as a fact that is left out is left out with it.
    """
    random = Random(f"{seed}|{case.patient_id}|{case.encounter_id}")  # noqa: S311
    result = [Summary(case, frozenset())]
    for kind in Salience:
        of_kind = [n for n, fact in enumerate(case.facts) if fact.kind == kind]
        if of_kind:
            drawn = random.sample(of_kind, min(k, len(of_kind)))
            result.append(Summary(case, frozenset(drawn) | _repeats(case.facts, drawn)))
    return result


def shared(one: str, other: str) -> float:
    """The share of the shorter one's words that are the other's too."""
    a, b = _words(one), _words(other)
    return len(a & b) / min(len(a), len(b)) if a and b else 0.0


def _repeats(facts: Sequence[Stated], drawn: Sequence[int]) -> frozenset[int]:
    return frozenset(
        n
        for n, fact in enumerate(facts)
        if any(facts[out].is_about(fact.statement) for out in drawn)
    )


def _words(text: str) -> set[str]:
    return {word.removesuffix("s") for word in _WORD.findall(text.casefold())} - _EMPTY


def _starts(given: str, word: str) -> bool:
    return re.search(rf"(?<![a-z0-9]){re.escape(word.casefold())}", given) is not None

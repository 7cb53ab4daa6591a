"""Copied-forward text: exact and near repeats become one evidence group.

Notes are copied from day to day, so a search brings the same sentence twenty times and has no room
for another. Two facts form one group when they state the same, in the same kind of section and by
the same kind of author (a family history or a patient's own report is another statement in equal
words).
"The same" is strict: equal words in equal order, but for case, accents, spacing, list marks,
punctuation and `FILLERS`. A similarity threshold would not do: in a sentence of twenty words a
changed dose, unit, side, drug or `not` leaves the overlap at 90%.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from agents.ports import ScoredFact
from schemas.notes import Fact

_FILLERS = "the a an pt patient pts he she his her mr mrs ms of that"
FILLERS = frozenset(_FILLERS.split())
"""Words whose absence changes nothing within one patient's notes."""

_TOKEN = re.compile(
    # A minus sign, or (-) for absent; not a list mark or a hyphen.
    r"(?<![\w.])[-\u2212\u2013](?=[\d)])"
    r"|\d+(?:[.,/:\-]\d+)*"
    r"|[^\W\d_]+(?:'[^\W\d_]+)?"
    # Every other sign may carry meaning: < > + ? % and arrows.
    r"|[^\w\s.,;:()\[\]{}\"'*\-_|/\\!\u00b7\u2010-\u2015\u2018-\u201f\u2022\u2212]"
)


@dataclass(frozen=True)
class EvidenceGroup:
    """A statement of the chart with its relevance. `sources` are its facts, the latest first."""

    sources: tuple[Fact, ...]
    score: float

    @property
    def fact(self) -> Fact:
        """The latest: a statement repeated yesterday is not out of date."""
        return self.sources[0]

    @property
    def key(self) -> tuple[str, ...]:
        """Equal for groups that state the same."""
        return repeat_key(self.fact)


def deduplicate(hits: Sequence[ScoredFact]) -> list[EvidenceGroup]:
    """Evidence groups in the order of their best hit, whose score each has."""
    groups: dict[tuple[str, ...], list[ScoredFact]] = {}
    for hit in hits:
        groups.setdefault(repeat_key(hit.fact), []).append(hit)
    return [
        EvidenceGroup(
            tuple(sorted((hit.fact for hit in group), key=_latest_first)),
            max(hit.score for hit in group),
        )
        for group in groups.values()
    ]


def repeat_key(fact: Fact) -> tuple[str, ...]:
    section = " ".join((fact.section or "").casefold().split())
    return (section, fact.author_category.value, *normalised(fact.text))


def normalised(text: str) -> list[str]:
    """The tokens that say something, in order; all of them where only fillers are left."""
    folded = unicodedata.normalize("NFKC", text).casefold().replace("\u2019", "'")
    tokens = [_number(token) for token in _TOKEN.findall(folded)]
    return [token for token in tokens if token not in FILLERS] or tokens or [folded]


def _number(token: str) -> str:
    """`1,840` and `1840` are one number, `20.0` and `20` are two: a zero may be precision."""
    return re.sub(r"(?<=\d),(?=\d{3}(?:\D|$))", "", token) if token[0].isdigit() else token


def _latest_first(fact: Fact) -> tuple[float, str, int, str]:
    return (-fact.note_time.timestamp(), fact.document_id, fact.start, fact.fact_id)

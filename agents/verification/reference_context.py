"""The reference context: what the judge sees of each evidence group, in which order.

The three formats are those of VeriFact (Chung et al. 2025, "VeriFact: Verifying facts in
LLM-generated clinical text with electronic health records"): facts by relevance with their score,
or along time, absolute or before the text. `all` shows everything.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from agents.ports import ShownFact
from agents.verification.evidence_groups import EvidenceGroup
from schemas.evidence import Evidence, Source
from schemas.notes import AuthorCategory, Fact
from schemas.texts import ReferenceFormat, TextGenerated

CHARACTERS_PER_TOKEN = 4
"""Of English prose in common tokenizers; clinical shorthand is nearer to 3, so leave some room."""
TOKENS_BESIDE_A_FACT = 20
"""Score, times, note type, author and section."""


class Kept(NamedTuple):
    groups: list[EvidenceGroup]
    dropped: int


def tokens(group: EvidenceGroup) -> int:
    """What a group costs: its characters / 4, rounded up, and 20 for what is shown with it."""
    return -(-len(group.fact.text) // CHARACTERS_PER_TOKEN) + TOKENS_BESIDE_A_FACT


def within_budget(groups: Sequence[EvidenceGroup], budget: int) -> Kept:
    """The first ones that fit; the first of all is kept whatever it costs."""
    spent = 0
    for n, group in enumerate(groups):
        spent += tokens(group)
        if n and spent > budget:
            return Kept(list(groups[:n]), len(groups) - n)
    return Kept(list(groups), 0)


def shown(groups: Sequence[EvidenceGroup], text: TextGenerated) -> list[ShownFact]:
    """The groups as the judge sees them, in the order of the text's `reference_format`."""
    format_ = text.settings.reference_format
    if format_ in ("absolute_time", "relative_time"):
        groups = sorted(groups, key=lambda group: (group.fact.note_time, group.key))
    return [_shown(group, text, format_) for group in groups]


def _shown(group: EvidenceGroup, text: TextGenerated, format_: ReferenceFormat) -> ShownFact:
    fact, first = group.fact, group.sources[-1]
    absolute = format_ in ("all", "absolute_time")
    shows_age = format_ in ("all", "relative_time")
    author = fact.author_category
    return ShownFact(
        fact_id=fact.fact_id,
        text=fact.text,
        section=fact.section,
        note_time=fact.note_time if absolute else None,
        note_type=fact.note_type,
        document_id=fact.document_id,
        score=group.score if format_ in ("all", "relevance") else None,
        author_category=None if author == AuthorCategory.UNKNOWN else author.value,
        age=(text.as_of or text.occurred_at) - fact.note_time if shows_age else None,
        first_time=first.note_time if absolute and first is not fact else None,
        notes=len({source.document_id for source in group.sources}),
    )


def evidence(groups: Sequence[EvidenceGroup], cited: Sequence[str]) -> tuple[Evidence, ...]:
    """The cited groups with note, time and quote, in the order cited, each with all its sources."""
    by_id = {group.fact.fact_id: group for group in groups}
    return tuple(evidence_of(by_id[fact_id]) for fact_id in cited)


def evidence_of(group: EvidenceGroup) -> Evidence:
    fact = group.fact
    return Evidence(
        fact_id=fact.fact_id,
        document_id=fact.document_id,
        note_type=fact.note_type,
        note_time=fact.note_time,
        section=fact.section,
        quote=fact.quote,
        start=fact.start,
        end=fact.end,
        statement=fact.text if fact.text != fact.quote else None,
        quotes=fact.quotes if len(fact.quotes) > 1 else (),
        score=group.score,
        author_category=fact.author_category,
        sources=tuple(_source(source) for source in group.sources),
    )


def _source(fact: Fact) -> Source:
    return Source(
        fact_id=fact.fact_id,
        document_id=fact.document_id,
        note_type=fact.note_type,
        note_time=fact.note_time,
        start=fact.start,
        end=fact.end,
    )

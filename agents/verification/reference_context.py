"""The reference context: what the judge is told of each piece, in which order, within a budget.

The three formats are those of VeriFact (Chung et al. 2025, "VeriFact: Verifying facts in
LLM-generated clinical text with electronic health records"): facts by relevance with their score,
or along time, absolute or before the text. `all` tells everything.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from agents.ports import ShownFact
from agents.verification.evidence_groups import Piece
from schemas.evidence import Evidence, Source
from schemas.notes import AuthorCategory, Fact
from schemas.texts import ReferenceFormat, TextGenerated

CHARACTERS_PER_TOKEN = 4
"""Of English prose in common tokenizers; clinical shorthand is nearer to 3, so leave some room."""
TOKENS_TOLD_OF_A_FACT = 20
"""Score, times, note type, author and section."""


class Kept(NamedTuple):
    pieces: list[Piece]
    dropped: int


def tokens(piece: Piece) -> int:
    """What a piece costs: its characters / 4, rounded up, and 20 for what is told of it."""
    return -(-len(piece.fact.text) // CHARACTERS_PER_TOKEN) + TOKENS_TOLD_OF_A_FACT


def within_budget(pieces: Sequence[Piece], budget: int) -> Kept:
    """The first ones that fit; the first of all is kept whatever it costs."""
    spent = 0
    for n, piece in enumerate(pieces):
        spent += tokens(piece)
        if n and spent > budget:
            return Kept(list(pieces[:n]), len(pieces) - n)
    return Kept(list(pieces), 0)


def shown(pieces: Sequence[Piece], text: TextGenerated) -> list[ShownFact]:
    """The pieces as the judge sees them, in the order of the text's `reference_format`."""
    format_ = text.settings.reference_format
    if format_ in ("absolute_time", "relative_time"):
        pieces = sorted(pieces, key=lambda piece: (piece.fact.note_time, piece.key))
    return [_shown(piece, text, format_) for piece in pieces]


def _shown(piece: Piece, text: TextGenerated, format_: ReferenceFormat) -> ShownFact:
    fact, first = piece.fact, piece.sources[-1]
    absolute = format_ in ("all", "absolute_time")
    told = format_ in ("all", "relative_time")
    author = fact.author_category
    return ShownFact(
        fact_id=fact.fact_id,
        text=fact.text,
        section=fact.section,
        note_time=fact.note_time if absolute else None,
        note_type=fact.note_type,
        document_id=fact.document_id,
        score=piece.score if format_ in ("all", "relevance") else None,
        author_category=None if author == AuthorCategory.UNKNOWN else author.value,
        age=(text.as_of or text.occurred_at) - fact.note_time if told else None,
        first_time=first.note_time if absolute and first is not fact else None,
        notes=len({source.document_id for source in piece.sources}),
    )


def evidence(pieces: Sequence[Piece], cited: Sequence[str]) -> tuple[Evidence, ...]:
    """The cited pieces with note, time and quote, in the order cited, each with all its sources."""
    by_id = {piece.fact.fact_id: piece for piece in pieces}
    return tuple(evidence_of(by_id[fact_id]) for fact_id in cited)


def evidence_of(piece: Piece) -> Evidence:
    fact = piece.fact
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
        score=piece.score,
        author_category=fact.author_category,
        sources=tuple(_source(source) for source in piece.sources),
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

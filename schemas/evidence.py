"""Evidence: a fact as a judge saw it and a reader may check it."""

from __future__ import annotations

from pydantic import Field

from schemas.events import Frozen, UtcDatetime
from schemas.notes import AuthorCategory


class Source(Frozen):
    """One place where a note says it."""

    fact_id: str
    document_id: str
    note_type: str | None = None
    note_time: UtcDatetime
    start: int = Field(ge=0, description="Character offset of the quote in the note's text")
    end: int = Field(ge=0)


class Evidence(Frozen):
    """The latest place of a statement; `sources` are all its places, this one among them."""

    fact_id: str
    document_id: str
    note_type: str | None = None
    note_time: UtcDatetime
    section: str | None = None
    quote: str
    start: int = Field(ge=0, description="Character offset of the quote in the note's text")
    end: int = Field(ge=0)
    score: float = Field(description="The reranker's relevance score, higher is more relevant")
    author_category: AuthorCategory = AuthorCategory.UNKNOWN
    sources: tuple[Source, ...] = Field(
        (), description="All notes that say the same (copied forward), latest first"
    )

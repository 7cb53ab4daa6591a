"""Evidence: a fact as a judge saw it and a reader may check it."""

from __future__ import annotations

from pydantic import Field

from schemas.events import Frozen, UtcDatetime


class Evidence(Frozen):
    fact_id: str
    document_id: str
    note_type: str | None = None
    note_time: UtcDatetime
    section: str | None = None
    quote: str
    start: int = Field(ge=0, description="Character offset of the quote in the note's text")
    end: int = Field(ge=0)
    score: float = Field(description="The reranker's relevance score, higher is more relevant")

"""Evidence: a fact as a judge saw it and a reader may check it."""

from __future__ import annotations

from pydantic import Field

from schemas.events import Frozen, UtcDatetime
from schemas.notes import AuthorCategory, Quote


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
    quote: str = Field(description="The note's own words, exactly those from `start` to `end`")
    start: int = Field(ge=0, description="Character offset of the quote in the note's text")
    end: int = Field(ge=0)
    score: float = Field(description="The reranker's relevance score, higher is more relevant")
    author_category: AuthorCategory = AuthorCategory.UNKNOWN
    statement: str | None = Field(
        None,
        description="What the judge read, where it is not the quote itself: a claim repeats the"
        " head of its list",
    )
    quotes: tuple[Quote, ...] = Field(
        (),
        description="Where the statement is made of words from several places of the note: each of"
        " them, in order, `quote` among them",
    )
    sources: tuple[Source, ...] = Field(
        (), description="All notes that say the same (copied forward), latest first"
    )

    @property
    def words(self) -> str:
        """All words of the note that say it, on one line, "…" where others are left out."""
        given = [each.quote for each in self.quotes] or [self.quote]
        return " ".join(" … ".join(given).split())

"""The end of every inbound resource: one recorded outcome each, with a reason a person can read.

`chartproof publish --wait` and operators follow these: an inbound event has `items` outcomes,
numbered by `item`, all naming the event's position.
"""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar, Literal

from pydantic import Field

from schemas.events import Event, Position, deterministic_id


class Outcome(StrEnum):
    INDEXED = "indexed"
    """The document's facts are in the index now."""
    UNCHANGED = "unchanged"
    """The same content again; no work was done."""
    STALE = "stale"
    """An older version than the index holds; it changed nothing."""
    RETRACTED = "retracted"
    """The document's facts are gone."""
    MERGED = "merged"
    """The patient's chart is another's now."""
    UNMERGED = "unmerged"
    """The patient has a chart of its own again."""
    VERIFIED = "verified"
    """A text has its score sheet."""
    SKIPPED = "skipped"
    """Nothing to do for this resource, by rule; `reason` says which."""
    DEAD_LETTERED = "dead_lettered"
    """It could not be processed; the original bytes stand in `dead-letters`."""


class OutcomeRecorded(Event):
    EVENT_TYPE: ClassVar[str] = "chartproof.outcome-recorded.v1"
    type: Literal["chartproof.outcome-recorded.v1"] = "chartproof.outcome-recorded.v1"
    source: Position
    item: int = Field(0, ge=0)
    items: int = Field(1, ge=1)
    outcome: Outcome
    reason: str | None = Field(None, description="A code of the table of reasons in docs/intake.md")
    detail: str | None = Field(None, description="What to do about it; never note text")
    patient_id: str | None = None
    document_id: str | None = None
    text_id: str | None = None
    partial: dict[str, int] = Field(
        {},
        description="What of the resource is not in the note, by kind, with counts:"
        " pages_without_text, images, attachments_not_read, contained_documents,"
        " relations_not_understood, times_not_understood; empty: nothing is left out",
    )
    facts: int = Field(0, ge=0, description="How many facts the document has in the index now")

    @property
    def key(self) -> str:
        return f"{self.source.topic}/{self.source.partition}"

    @property
    def event_id(self) -> str:
        return deterministic_id("outcome", self.source.model_dump(), self.item, self.outcome.value)

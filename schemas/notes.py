"""Notes and their facts: what intake hands to the chart agent, and what that says of the index."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar, Literal

from pydantic import Field

from schemas.events import (
    Event,
    Frozen,
    Identifier,
    PatientId,
    Position,
    UtcDatetime,
    deterministic_id,
)


class AuthorCategory(StrEnum):
    CLINICIAN = "clinician"
    PATIENT = "patient"
    DEVICE = "device"
    AI = "ai"
    UNKNOWN = "unknown"


class DocumentVersion(Frozen):
    """What orders the versions of one document. See `agents.indexing.versions` for the rule."""

    version_id: str | None = Field(None, description="DocumentReference.meta.versionId")
    last_updated: UtcDatetime | None = Field(None, description="DocumentReference.meta.lastUpdated")
    content_hash: str = Field(description="SHA-256 (hex) of what the index keeps of this version")


class Note(Frozen):
    """One version's text, with what evidence must say about where it comes from."""

    text: str
    title: str | None = None
    note_type: str | None = Field(None, description="Display or code of DocumentReference.type")
    note_time: UtcDatetime
    note_time_source: Literal["date", "period", "creation", "event"] = "date"
    encounter_id: str | None = None
    author_category: AuthorCategory = AuthorCategory.UNKNOWN


class RelationKind(StrEnum):
    """What a document is to an earlier one (FHIR DocumentRelationshipType).

    `signs` is not among them: a signature changes nothing of what a note says.
    """

    REPLACES = "replaces"
    APPENDS = "appends"
    TRANSFORMS = "transforms"


class Relation(Frozen):
    """`target` is the other document's id, or its business identifier as `system|value`."""

    kind: RelationKind
    target: Identifier


class NoteChanged(Event):
    """A document has this text now. On the `chart` topic, from intake."""

    EVENT_TYPE: ClassVar[str] = "chartproof.note-changed.v1"
    type: Literal["chartproof.note-changed.v1"] = "chartproof.note-changed.v1"
    patient_id: PatientId
    document_id: Identifier
    version: DocumentVersion
    note: Note
    source: Position = Field(description="The inbound event this came from")
    item: int = Field(0, ge=0, description="Index of this resource among those of the event")
    items: int = Field(1, ge=1, description="How many outcomes the event will have")
    resource_type: str = "DocumentReference"
    relations: tuple[Relation, ...] = ()
    identifiers: tuple[str, ...] = Field((), description="Business identifiers, `system|value`")
    former_patient_ids: tuple[PatientId, ...] = Field(
        (), description="Patient ids it came under before merges, the first one first"
    )

    @property
    def key(self) -> str:
        return self.patient_id

    @property
    def event_id(self) -> str:
        version = self.version.model_dump(mode="json")
        return deterministic_id("note-changed", self.patient_id, self.document_id, version)


class NoteRetracted(Event):
    """A document is no longer to be believed (entered-in-error, deleted). Its facts must go."""

    EVENT_TYPE: ClassVar[str] = "chartproof.note-retracted.v1"
    type: Literal["chartproof.note-retracted.v1"] = "chartproof.note-retracted.v1"
    patient_id: PatientId
    document_id: Identifier
    version: DocumentVersion
    reason: str = Field(description="Why, as a code: entered_in_error, deleted")
    source: Position
    item: int = Field(0, ge=0)
    items: int = Field(1, ge=1)
    relations: tuple[Relation, ...] = ()
    identifiers: tuple[str, ...] = Field((), description="Business identifiers, `system|value`")
    former_patient_ids: tuple[PatientId, ...] = Field(
        (), description="Patient ids it came under before merges, the first one first"
    )

    @property
    def key(self) -> str:
        return self.patient_id

    @property
    def event_id(self) -> str:
        version = self.version.model_dump(mode="json")
        return deterministic_id(
            "note-retracted", self.patient_id, self.document_id, version, self.reason
        )


class DocumentDeleted(Event):
    """A document is gone from its server, which does not say whose it was.

    Keyed by the document: the chart agent finds its patient and retracts it there.
    """

    EVENT_TYPE: ClassVar[str] = "chartproof.document-deleted.v1"
    type: Literal["chartproof.document-deleted.v1"] = "chartproof.document-deleted.v1"
    document_id: Identifier
    version: DocumentVersion
    reason: str = Field(description="Why, as a code: deleted, entered_in_error")
    source: Position
    item: int = Field(0, ge=0)
    items: int = Field(1, ge=1)

    @property
    def key(self) -> str:
        return self.document_id

    @property
    def event_id(self) -> str:
        version = self.version.model_dump(mode="json")
        return deterministic_id("document-deleted", self.document_id, version, self.reason)


class Quote(Frozen):
    """Words of a note, character for character: `note.text[start:end]` is `quote`."""

    start: int = Field(ge=0, description="Character offset into the note's text")
    end: int = Field(ge=0)
    quote: str


class Fact(Frozen):
    """One statement of a note.

    `text` is what it says, as it is searched and judged. Of a sentence that is
    `note.text[start:end]`; a claim may be worded anew ("He denies cough" of "He denies fever and
    cough"), and then `quotes` are the note's own words that it is made of.
    """

    fact_id: str
    patient_id: str
    document_id: str
    text: str
    start: int = Field(ge=0, description="Character offset into the note's text")
    end: int = Field(ge=0)
    quotes: tuple[Quote, ...] = Field(
        (), description="In order, that of `start` to `end` among them; empty: `text` is the quote"
    )
    ordinal: int = Field(ge=0, description="Position among the note's facts")
    section: str | None = None
    note_time: UtcDatetime
    note_type: str | None = None
    encounter_id: str | None = None
    author_category: AuthorCategory = AuthorCategory.UNKNOWN

    @property
    def quote(self) -> str:
        """`note.text[start:end]`, character for character."""
        own = (each.quote for each in self.quotes if (each.start, each.end) == self.span)
        return next(own, self.text)

    @property
    def span(self) -> tuple[int, int]:
        return self.start, self.end


class FactsChanged(Event):
    """The index follows a document: these facts came and these went.

    One event a changed document: a note that replaces another changes two.
    """

    EVENT_TYPE: ClassVar[str] = "chartproof.facts-changed.v1"
    type: Literal["chartproof.facts-changed.v1"] = "chartproof.facts-changed.v1"
    patient_id: str
    document_id: str
    version: DocumentVersion
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    kept: int = 0
    chart_position: Position

    @property
    def key(self) -> str:
        return self.patient_id

    @property
    def event_id(self) -> str:
        return deterministic_id(
            "facts-changed",
            self.chart_position.model_dump(),
            self.patient_id,
            self.document_id,
            self.added,
            self.removed,
        )

"""Generated text to verify, as applications publish it, and the settings of a verification."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, ClassVar, Literal, Self

from pydantic import AfterValidator, ConfigDict, Field, model_validator

from schemas.events import (
    Event,
    Frozen,
    Identifier,
    PatientId,
    Position,
    UtcDatetime,
    deterministic_id,
)
from schemas.identity import of_document, of_reference

Unit = Literal["sentence", "claim"]
Retrieval = Literal["hybrid", "dense", "sparse"]
Scope = Literal["record", "encounter"]


class VerificationSettings(Frozen):
    """All knobs of one verification, with their defaults, echoed in every verdict."""

    unit: Unit = "claim"
    retrieval: Retrieval = "hybrid"
    candidates: int = Field(60, ge=5, le=500, description="Facts retrieved before reranking")
    top_n: int = Field(12, ge=1, le=150, description="Facts shown to the judge")
    scope: Scope = Field("record", description="Whole record, or the text's encounter only")
    include_later: bool = Field(False, description="Let facts later than `as_of` be evidence")
    abstain_below: float = Field(0.0, ge=0.0, le=1.0, description="Abstain under this confidence")


def _encounter_id(value: str) -> str:
    return of_reference(value, "Encounter")


class Generator(Frozen):
    model_config = ConfigDict(frozen=True, extra="ignore")
    application: str | None = None
    model: str | None = None


class TextGenerated(Event):
    """An application's generated text. Published by producers, so unknown fields are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")
    EVENT_TYPE: ClassVar[str] = "chartproof.text-generated.v1"
    type: Literal["chartproof.text-generated.v1"] = "chartproof.text-generated.v1"
    occurred_at: UtcDatetime = Field(
        description="When the text was generated, RFC 3339 with a zone"
    )
    text_id: Identifier = Field(
        description="The application's id of this text; a repeat is the same text"
    )
    patient_id: PatientId
    text: str
    as_of: UtcDatetime | None = Field(
        None, description="Facts later than this are not evidence; `occurred_at` when absent"
    )
    encounter_id: Annotated[str, AfterValidator(_encounter_id)] | None = None
    document_id: Annotated[str, AfterValidator(of_document)] | None = Field(
        None, description="Where the text is filed in the chart: never evidence for itself"
    )
    generator: Generator | None = None
    settings: VerificationSettings = VerificationSettings()
    source: Position | None = Field(None, description="Set by intake")
    via: tuple[PatientId, ...] = Field((), description="Ids it came under before merges; set by us")

    @model_validator(mode="after")
    def _scope_needs_an_encounter(self) -> Self:
        if self.settings.scope == "encounter" and not self.encounter_id:
            raise ValueError("settings.scope is 'encounter', so encounter_id must be given")
        return self

    @property
    def evidence_until(self) -> datetime | None:
        """Facts later than this are not evidence; None: all are."""
        return None if self.settings.include_later else (self.as_of or self.occurred_at)

    @property
    def key(self) -> str:
        return self.patient_id

    @property
    def event_id(self) -> str:
        said = self.model_dump(mode="json", exclude={"source", "via"})
        return deterministic_id("text-generated", said)

    @property
    def subject(self) -> str:
        return self.text_id

"""Generated text to verify, as applications publish it, and the settings of a verification.

`VerificationSettings` is the one place that holds the defaults. Every verdict echoes the settings
it was reached with, filled in, so that it can be reproduced after a default has changed.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, ClassVar, Literal, Self

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

Unit = Literal["sentence", "claim", "snippet"]
FactUnit = Literal["sentence", "claim"]
Decomposition = Literal["direct", "group"]
Retrieval = Literal["hybrid", "dense", "sparse"]
Scope = Literal["record", "encounter"]
ReferenceFormat = Literal["all", "relevance", "absolute_time", "relative_time"]
Judging = Literal["claim_only", "full_context"]

CANDIDATES_PER_FACT = 5
"""Facts retrieved for each one shown: the reranker can only choose among what the search brings."""
MIN_CANDIDATES = 60


def _candidates(given: dict[str, Any]) -> int:
    return max(MIN_CANDIDATES, CANDIDATES_PER_FACT * int(given.get("top_n", 0)))


class VerificationSettings(Frozen):
    """All knobs of one verification, with their defaults, echoed in every verdict."""

    unit: Unit = "claim"
    decomposition: Decomposition = Field(
        "direct",
        description="How snippets are made: `direct`, each sentence a snippet or its claims;"
        " `group`, claims first, then those together that must be judged together",
    )
    retrieval: Retrieval = "hybrid"
    rerank: bool = Field(True, description="Let the reranker decide what is shown, not the search")
    top_n: int = Field(12, ge=1, le=150, description="Facts shown to the judge")
    candidates: int = Field(
        default_factory=_candidates,
        ge=5,
        le=1000,
        description="Facts retrieved before reranking; when absent, 5 a `top_n`, at least 60",
    )
    ensure_section_coverage: bool = Field(
        False, description="Show at least one fact of each section that has a relevant one"
    )
    scope: Scope = Field("record", description="Whole record, or the text's encounter only")
    include_later: bool = Field(False, description="Let facts later than `as_of` be evidence")
    include_ai_authored: bool = Field(
        False, description="Let AI-authored documents be evidence; never the text's own"
    )
    reference_format: ReferenceFormat = Field(
        "all",
        description="What the judge sees of each fact beside its note type, author and section:"
        " `relevance` (most relevant first), `absolute_time` or `relative_time` (oldest first), or"
        " `all` (most relevant first)",
    )
    token_budget: int = Field(
        4000,
        ge=100,
        le=200_000,
        description="For the facts shown; a fact costs its characters / 4 and 20 for what is beside"
        " it. The least relevant are dropped, and `facts_dropped` of the verdict says how many",
    )
    judging: Judging = Field(
        "claim_only",
        description="`full_context`: the judge also reads the text around the proposition, as"
        " context and never as evidence",
    )
    abstain_below: float = Field(0.0, ge=0.0, le=1.0, description="Abstain under this confidence")
    # 2: with the cpu judge a second round spares 2 of 4 false flags on the sample chart for 9% more
    # judge calls (`chartproof settings-table`), and a third to fifth spare no more.
    max_rounds: int = Field(
        2,
        ge=1,
        le=5,
        description="Searches for one proposition at most: when the judge is not sure, search again"
        " with other terms, for the contradiction, for the value",
    )
    confidence_threshold: float = Field(
        0.6,
        ge=0.0,
        le=1.0,
        description="`supported` and `not_supported` from this confidence end the search",
    )
    omissions: bool = Field(
        False,
        description="The text claims to summarise its encounter (without `encounter_id`: the"
        " record): list the salient facts that it leaves out",
    )
    citations: bool = Field(
        False, description="Check the notes that the text cites, sentence by sentence"
    )


def _encounter_id(value: str) -> str:
    return of_reference(value, "Encounter")


MAX_TEXT_CHARACTERS = 200_000
"""About 60 pages; longer ones would hold their patient's lane for minutes."""


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
    # Refused by intake, which says so in an outcome; what is on the chart already stays readable.
    text: str = Field(
        json_schema_extra={"minLength": 1, "maxLength": MAX_TEXT_CHARACTERS, "pattern": r"\S"}
    )
    as_of: UtcDatetime | None = Field(
        None, description="Facts later than this are not evidence; `occurred_at` when absent"
    )
    encounter_id: Annotated[str, AfterValidator(_encounter_id)] | None = None
    document_id: Annotated[str, AfterValidator(of_document)] | None = Field(
        None, description="Where the text is filed in the chart: never evidence for itself"
    )
    generator: Generator | None = None
    references: dict[str, Annotated[str, AfterValidator(of_document)]] = Field(
        {},
        description="Citation markers of the text: marker without brackets -> document"
        " id. A marker that is not here is read as a document id",
    )
    settings: VerificationSettings = VerificationSettings()
    source: Position | None = Field(None, description="Set by intake")
    former_patient_ids: tuple[PatientId, ...] = Field(
        (), description="Ids it came under before merges; set by us"
    )

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
        # Without defaults: a setting that comes with a later version renames no old text.
        content = self.model_dump(
            mode="json", exclude={"source", "former_patient_ids"}, exclude_defaults=True
        )
        return deterministic_id("text-generated", content)

    @property
    def subject(self) -> str:
        return self.text_id

"""Verdicts, one a proposition as soon as it is known, and the score sheet at the end of a text."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar, Literal

from pydantic import Field

from schemas.completeness import Citations, Omissions
from schemas.events import Event, Frozen, Position, UtcDatetime, deterministic_id
from schemas.evidence import Evidence
from schemas.propositions import FlaggedSpan, Proposition
from schemas.texts import VerificationSettings
from schemas.usage import Stage, Usage


class Verdict(StrEnum):
    SUPPORTED = "supported"
    NOT_SUPPORTED = "not_supported"
    """The chart contradicts it, or supports only part of it."""
    NOT_ADDRESSED = "not_addressed"
    """The chart is silent."""
    ABSTAINED = "abstained"
    """The judge is not sure enough."""
    FAILED = "failed"
    """An error; never silently one of the others."""


class Category(StrEnum):
    """What a proposition is about, by what a wrong one may do."""

    ALLERGY = "allergy"
    DOSE = "dose"
    SIDE = "side"
    PROCEDURE = "procedure"
    DIAGNOSIS = "diagnosis"
    FOLLOW_UP = "follow_up"
    DEMOGRAPHIC = "demographic"
    OTHER = "other"


class JudgedProposition(Frozen):
    """A proposition with its verdict: the row of a score sheet."""

    proposition: Proposition
    verdict: Verdict
    confidence: float = Field(ge=0.0, le=1.0, description="Probability that the verdict is right")
    reason: str = Field(description="In plain words")
    checks: tuple[str, ...] = Field((), description="Names of the judge's checks that decided")
    category: Category = Field(
        Category.OTHER, description="What it is about, by what a wrong one may do"
    )
    evidence: tuple[Evidence, ...] = Field((), description="Cited facts, all among those shown")
    true_in_general: bool | None = Field(
        None, description="Whether it holds in general, this patient aside; null: the judge is mute"
    )
    unsupported_spans: tuple[tuple[int, int], ...] = Field(
        (),
        description="Parts of the proposition's `text` that the chart does not support: character"
        " offsets into it",
    )
    probability_supported: float | None = Field(
        None, ge=0.0, le=1.0, description="Of `supported`, whatever the verdict; null: unknown"
    )
    rounds: int = Field(0, ge=0, description="Searches made for it")
    judge_calls: int = Field(0, ge=0, description="Times the judge was asked, retries included")
    judged_by: str | None = Field(
        None, description="Version of what decided; null: the judge of `provenance.models`"
    )
    unsupported: str | None = Field(
        None, description="The part that the facts do not bear out, where the judge says it"
    )
    usage: Usage | None = Field(None, description="What its judging cost")
    facts_shown: int = Field(0, ge=0, description="Facts before the judge when it decided")
    facts_dropped: int = Field(
        0, ge=0, description="Relevant facts left out then, because the token budget was spent"
    )

    @property
    def identity(self) -> tuple[str, ...]:
        """What distinguishes this verdict from another: proposition, label, reason, cited facts."""
        cited = (each.fact_id for each in self.evidence)
        return (self.proposition.proposition_id, self.verdict.value, self.reason, *cited)


class Provenance(Frozen):
    """All it takes to reproduce a verdict."""

    chart_position: Position
    as_of: UtcDatetime | None = None
    settings: VerificationSettings
    models: dict[str, str] = Field(description="Model name -> version, for the four ports")


class VerdictIssued(Event):
    EVENT_TYPE: ClassVar[str] = "chartproof.verdict-issued.v1"
    type: Literal["chartproof.verdict-issued.v1"] = "chartproof.verdict-issued.v1"
    text_id: str
    patient_id: str
    judged: JudgedProposition
    provenance: Provenance
    revision: int = Field(0, ge=0, description="0 is the first verdict; each revision counts up")

    @property
    def key(self) -> str:
        return self.patient_id

    @property
    def event_id(self) -> str:
        """Not of the chart position: a text that is delivered again to the same chart gets the
        same id, and one that is judged otherwise (a failure, then a retry) another one."""
        return deterministic_id("verdict", self.judged.identity, self.revision)

    @property
    def subject(self) -> str:
        return self.text_id


class ScoreSheetIssued(Event):
    EVENT_TYPE: ClassVar[str] = "chartproof.scoresheet-issued.v1"
    type: Literal["chartproof.scoresheet-issued.v1"] = "chartproof.scoresheet-issued.v1"
    text_id: str
    patient_id: str
    counts: dict[Verdict, int] = Field(description="Every label, zero where there is none")
    shares: dict[Verdict, float] = Field(description="Of all propositions; empty text: all 0.0")
    summaries: dict[Verdict, str] = Field(
        description="One short sentence for each label that occurs"
    )
    judged: tuple[JudgedProposition, ...]
    facts_in_chart: int = Field(ge=0, description="Facts of this patient in the index")
    omissions: Omissions | None = Field(None, description="When `settings.omissions` asks for it")
    citations: Citations | None = Field(None, description="When `settings.citations` asks for it")
    flagged: tuple[FlaggedSpan, ...] = Field(
        (), description="Sentences that state nothing to be verified; they are not in `judged`"
    )
    usage: dict[Stage, Usage] = Field(
        {}, description="What models have cost, by stage; a stage without calls is not there"
    )
    provenance: Provenance

    @property
    def key(self) -> str:
        return self.patient_id

    @property
    def event_id(self) -> str:
        judged = [row.identity for row in self.judged]
        return deterministic_id("scoresheet", self.patient_id, self.text_id, judged)

    @property
    def subject(self) -> str:
        return self.text_id

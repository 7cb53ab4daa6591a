"""Patients whose records are one, or no longer: what a Patient's links say, and charts that move.

All of a patient stands in one order, so what concerns two patients takes an event in each one's
order. `agents.merging.patient_merges` says how a chart moves.
"""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from schemas.events import Event, Frozen, PatientId, Position, UtcDatetime, deterministic_id
from schemas.notes import DocumentVersion


class PatientMerged(Event):
    """What a Patient resource says of merges. From intake, for every Patient it sees.

    `into` is the patient to use instead, None when the record stands on its own (an unmerge, where
    it was merged before). `replaces` are the records that this one says it stands for.
    """

    EVENT_TYPE: ClassVar[str] = "chartproof.patient-merged.v1"
    type: Literal["chartproof.patient-merged.v1"] = "chartproof.patient-merged.v1"
    patient_id: PatientId
    into: PatientId | None
    replaces: tuple[PatientId, ...] = ()
    stated_by: PatientId | None = Field(
        None, description="The other patient whose `replaces` link says so; None: its own resource"
    )
    version: DocumentVersion = Field(description="Of the Patient resource that says so")
    source: Position
    item: int = Field(0, ge=0)
    items: int = Field(1, ge=1)

    @property
    def key(self) -> str:
        return self.patient_id

    @property
    def event_id(self) -> str:
        version = self.version.model_dump(mode="json")
        said = (self.patient_id, self.into, self.stated_by)
        return deterministic_id("patient-merged", *said, version)


class TakenRow(Frozen):
    """A document as its taker read it. A row that has changed since is another and stays."""

    document_id: str
    row: str


class ChartMoved(Event):
    """One step of a chart's way from `donor` to `receiver`, for the lane of `patient_id`.

    `asked`: the donor's lane shall hand over. `given`: the receiver's lane shall take.
    `taken`: the donor's lane may forget `rows`.
    """

    EVENT_TYPE: ClassVar[str] = "chartproof.chart-moved.v1"
    type: Literal["chartproof.chart-moved.v1"] = "chartproof.chart-moved.v1"
    patient_id: PatientId
    step: Literal["asked", "given", "taken"]
    donor: PatientId
    receiver: PatientId
    home: bool = Field(description="Whether only what came from the receiver goes, back to it")
    stated_at: UtcDatetime = Field(description="`occurred_at` of the statement that started it")
    rows: tuple[TakenRow, ...] = ()
    passed: tuple[PatientId, ...] = Field((), description="Where it came by: it goes there no more")

    @property
    def key(self) -> str:
        return self.patient_id

    @property
    def event_id(self) -> str:
        said = self.model_dump(mode="json", exclude={"occurred_at"})
        return deterministic_id("chart-moved", said)

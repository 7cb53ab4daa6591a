"""Patients whose records are one, or no longer: what a Patient's links say, and chart transfers.

All of a patient stands in one order, so what concerns two patients takes an event in each one's
order. `agents.merging.patient_merges` says how a chart moves.
"""

from __future__ import annotations

from enum import StrEnum
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
        return deterministic_id(
            "patient-merged", self.patient_id, self.into, self.stated_by, version
        )


class TransferStep(StrEnum):
    """What a chart transfer asks of the lane that reads it (`agents.merging.chart_transfer`)."""

    REQUESTED = "requested"
    """The donor's lane shall send the chart."""
    SENT = "sent"
    """The receiver's lane shall copy the donor's documents."""
    ACKNOWLEDGED = "acknowledged"
    """The donor's lane may delete the documents that were `received`."""


class ReceivedDocument(Frozen):
    """A document as its receiver read it. If the donor's has changed since, `row` differs."""

    document_id: str
    row: str


class ChartTransfer(Event):
    """One step of a chart's transfer from `donor` to `receiver`, for the lane of `patient_id`."""

    EVENT_TYPE: ClassVar[str] = "chartproof.chart-transfer.v1"
    type: Literal["chartproof.chart-transfer.v1"] = "chartproof.chart-transfer.v1"
    patient_id: PatientId
    step: TransferStep
    donor: PatientId
    receiver: PatientId
    is_return: bool = Field(
        description="After an unmerge: only what came from the receiver goes, back to it"
    )
    stated_at: UtcDatetime = Field(description="`occurred_at` of the statement that started it")
    received: tuple[ReceivedDocument, ...] = ()
    visited: tuple[PatientId, ...] = Field(
        (), description="Patients that the transfer has passed: it goes to none of them again"
    )

    @property
    def key(self) -> str:
        return self.patient_id

    @property
    def event_id(self) -> str:
        content = self.model_dump(mode="json", exclude={"occurred_at"})
        return deterministic_id("chart-transfer", content)

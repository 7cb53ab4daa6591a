"""What is emitted when a document changes: which facts come and go, and the event's outcome."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from agents.chart_records import DocumentRecord, DocumentStatus, WritePosition
from agents.ports import Clock, Emit
from schemas.events import Position
from schemas.notes import FactsChanged, NoteChanged, NoteRetracted
from schemas.outcomes import Outcome, OutcomeRecorded

_DETAILS = {
    DocumentStatus.REPLACED: "Another document replaces it: {}.",
    DocumentStatus.DUPLICATE: "The same note is in the chart as {}.",
    DocumentStatus.OTHER_FORM: "It is another form of {}, which counts.",
}


@dataclass(frozen=True)
class DocumentOutcome:
    """What became of a document's event; `facts` is how many of its facts are evidence now."""

    outcome: Outcome
    facts: int
    reason: str | None = None
    detail: str | None = None

    @classmethod
    def of(cls, outcome: Outcome, record: DocumentRecord) -> Self:
        """`outcome`, unless the document is suppressed: then it is a skip that says why."""
        if not record.status.is_suppressed:
            return cls(outcome, len(record.evidence_ids))
        detail = _DETAILS[record.status].format(record.lineage.superseded_by)
        return cls(Outcome.SKIPPED, 0, record.status, detail)


@dataclass(frozen=True)
class IndexEvents:
    """Emits for one record of the `chart` topic."""

    position: Position
    emit: Emit
    clock: Clock
    time_ms: int = 0
    """The record's timestamp, in milliseconds since 1970."""

    @property
    def at(self) -> WritePosition:
        """Where rows say that they were written."""
        return WritePosition(self.position.partition, self.position.offset, self.time_ms)

    async def facts_changed(self, record: DocumentRecord, before: Sequence[str]) -> None:
        """Say which facts become evidence with `record` and which of `before` no longer are."""
        had, has = frozenset(before), frozenset(record.evidence_ids)
        added = tuple(fact_id for fact_id in record.evidence_ids if fact_id not in had)
        removed = tuple(fact_id for fact_id in before if fact_id not in has)
        if added or removed:
            await self.emit(
                FactsChanged(
                    occurred_at=self.clock.now(),
                    patient_id=record.patient_id,
                    document_id=record.document_id,
                    version=record.version,
                    added=added,
                    removed=removed,
                    kept=len(had & has),
                    chart_position=self.position,
                )
            )

    async def outcome(self, event: NoteChanged | NoteRetracted, result: DocumentOutcome) -> None:
        await self.emit(
            OutcomeRecorded(
                occurred_at=self.clock.now(),
                source=event.source,
                item=event.item,
                items=event.items,
                outcome=result.outcome,
                reason=result.reason,
                detail=result.detail,
                patient_id=event.patient_id,
                document_id=event.document_id,
                facts=result.facts,
            )
        )

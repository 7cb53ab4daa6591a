"""What a change of the index tells the world: facts that come and go, and each event's outcome."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from agents.indexing.document_status import ASIDE
from agents.ports import Clock, DocumentRecord, Emit
from schemas.events import Position
from schemas.notes import FactsChanged, NoteChanged, NoteRetracted
from schemas.outcomes import Outcome, OutcomeRecorded

_DETAILS = {
    "replaced": "Another document replaces it: {}.",
    "duplicate": "The same note is in the chart as {}.",
    "other_form": "It is another form of {}, which counts.",
}


@dataclass(frozen=True)
class Ending:
    """How a document's event ended; `facts` is how many the document has in the chart now."""

    outcome: Outcome
    facts: int
    reason: str | None = None
    detail: str | None = None

    @classmethod
    def of(cls, outcome: Outcome, record: DocumentRecord) -> Self:
        """`outcome`, unless the document stands aside: then it is a skip that says why."""
        if record.status not in ASIDE:
            return cls(outcome, len(record.fact_ids))
        detail = _DETAILS[record.status].format(record.lineage.because)
        return cls(Outcome.SKIPPED, 0, record.status, detail)


@dataclass(frozen=True)
class Log:
    """Of one event of the `chart` topic, at `position`."""

    position: Position
    emit: Emit
    clock: Clock

    async def announce(self, record: DocumentRecord, before: Sequence[str]) -> tuple[str, ...]:
        """Say what comes and what goes now that a document has `record`; returns what goes."""
        had, has = frozenset(before), frozenset(record.fact_ids)
        added = tuple(fact_id for fact_id in record.fact_ids if fact_id not in had)
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
        return removed

    async def record(self, event: NoteChanged | NoteRetracted, ending: Ending) -> None:
        await self.emit(
            OutcomeRecorded(
                occurred_at=self.clock.now(),
                source=event.source,
                item=event.item,
                items=event.items,
                outcome=ending.outcome,
                reason=ending.reason,
                detail=ending.detail,
                patient_id=event.patient_id,
                document_id=event.document_id,
                facts=ending.facts,
            )
        )

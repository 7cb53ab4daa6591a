"""The chart agent: all that happens to one patient, in one order.

It is the only writer of a patient's facts, and verifies texts in the same order, so a text
published after a note is judged against an index that has the note. What comes under an id that
was merged into another is sent on to that one's order.
"""

from __future__ import annotations

from dataclasses import dataclass

from agents.chart_records import WritePosition
from agents.errors import InvalidEvent
from agents.events import read_event
from agents.indexing.document_indexer import DocumentIndexer
from agents.merging.chart_transfer import ChartTransfers
from agents.merging.patient_merges import PatientMerges, rerouted
from agents.ports import Emit, Record
from agents.verification.verifier import Verifier
from schemas.notes import DocumentDeleted, NoteChanged, NoteRetracted
from schemas.patients import ChartTransfer, PatientMerged
from schemas.texts import TextGenerated
from schemas.topics import CHART


@dataclass(frozen=True)
class ChartAgent:
    indexer: DocumentIndexer
    verifier: Verifier

    async def handle(self, record: Record, emit: Emit) -> None:
        """One record of the `chart` topic. Raises `InvalidEvent` for what does not belong there."""
        index, position, time_ms = self.indexer.index, record.position, record.time_ms
        event = read_event(CHART, record.value)
        if isinstance(event, NoteChanged | NoteRetracted | TextGenerated):
            elsewhere = await rerouted(index, event)
            if elsewhere is not None:
                await emit(elsewhere)
                return
        match event:
            case NoteChanged() | NoteRetracted():
                await self.indexer.apply(event, position, emit, time_ms)
            case TextGenerated():
                await self.verifier.verify(event, position, emit)
            case DocumentDeleted():
                await emit(await self._retraction(event))
            case PatientMerged():
                at = WritePosition(record.partition, record.offset, time_ms)
                await PatientMerges(index).apply(event, at, emit)
            case ChartTransfer():
                await ChartTransfers(self.indexer).apply(event, position, emit, time_ms)

    async def _retraction(self, event: DocumentDeleted) -> NoteRetracted:
        """Of the patient who has the document. Raises `InvalidEvent` where not just one does."""
        patients = await self.indexer.index.find_documents(event.document_id)
        if len(patients) != 1:
            raise InvalidEvent(
                "deletion",
                f"A deletion names a document and no patient, and {len(patients)} patients have a "
                "document of this id. Send it with its subject and status entered-in-error.",
                item=event.item,
                items=event.items,
            )
        document = await self.indexer.index.document(patients[0], event.document_id)
        return NoteRetracted(
            occurred_at=event.occurred_at,
            patient_id=patients[0],
            document_id=event.document_id,
            version=event.version,
            reason=event.reason,
            source=event.source,
            item=event.item,
            items=event.items,
            former_patient_ids=document.lineage.former_patient_ids if document else (),
        )

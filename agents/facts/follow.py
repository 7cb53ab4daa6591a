"""The index follows a document through its versions.

Order of the effects, so that a crash between any two is repaired by the redelivery:

1. `FactsChanged` is emitted first: its id comes from the chart position, so it repeats as the same
   event. Were it last, a crash after the write would lose it: the repeat sees nothing to change.
2. One `index.write`, which ends with the document's row.
3. The outcome, always.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from agents.facts.extract import extract_facts
from agents.facts.versions import Order, compare, later
from agents.ports import (
    Clock,
    Decomposer,
    DocumentRecord,
    EmbeddedFact,
    Embedder,
    Emit,
    FactIndex,
)
from schemas.events import Position
from schemas.notes import Fact, FactsChanged, NoteChanged, NoteRetracted
from schemas.outcomes import Outcome, OutcomeRecorded

CURRENT = "current"
RETRACTED = "retracted"


@dataclass(frozen=True)
class FactKeeper:
    index: FactIndex
    embedder: Embedder
    decomposer: Decomposer
    clock: Clock

    async def apply(
        self, event: NoteChanged | NoteRetracted, position: Position, emit: Emit
    ) -> None:
        """Bring the index to what `event` says, unless it knows better, and record the outcome."""
        stored = await self.index.document(event.patient_id, event.document_id)
        if isinstance(event, NoteRetracted):
            outcome, facts = await self._retract(event, stored, position, emit)
        else:
            outcome, facts = await self._change(event, stored, position, emit)
        await emit(
            OutcomeRecorded(
                occurred_at=self.clock.now(),
                source=event.source,
                item=event.item,
                items=event.items,
                outcome=outcome,
                patient_id=event.patient_id,
                document_id=event.document_id,
                facts=facts,
            )
        )

    async def _change(
        self, event: NoteChanged, stored: DocumentRecord | None, position: Position, emit: Emit
    ) -> tuple[Outcome, int]:
        if stored is not None:
            order = compare(event.version, stored.version)
            if order is Order.OLDER:
                return Outcome.STALE, len(stored.fact_ids)
            if order is Order.SAME and stored.status == CURRENT:
                await self._renumber(event, stored)
                return Outcome.UNCHANGED, len(stored.fact_ids)
            if order is Order.SAME and not later(event.version, stored.version):
                return Outcome.STALE, 0
        facts = await extract_facts(event, self.decomposer)
        known = stored.fact_ids if stored else ()
        embedded = await self._embedded(event.patient_id, facts, known)
        document = DocumentRecord(
            patient_id=event.patient_id,
            document_id=event.document_id,
            version=event.version,
            status=CURRENT,
            fact_ids=tuple(fact.fact_id for fact in facts),
            note_time=event.note.note_time,
            updated_at=self.clock.now(),
        )
        await self._write(document, embedded, known, position, emit)
        return Outcome.INDEXED, len(facts)

    async def _retract(
        self, event: NoteRetracted, stored: DocumentRecord | None, position: Position, emit: Emit
    ) -> tuple[Outcome, int]:
        if stored is not None and not later(event.version, stored.version):
            return Outcome.STALE, len(stored.fact_ids)
        now = self.clock.now()
        document = DocumentRecord(
            patient_id=event.patient_id,
            document_id=event.document_id,
            version=event.version,
            status=RETRACTED,
            fact_ids=(),
            note_time=stored.note_time if stored else now,
            updated_at=now,
        )
        await self._write(document, [], stored.fact_ids if stored else (), position, emit)
        return Outcome.RETRACTED, 0

    async def _renumber(self, event: NoteChanged, stored: DocumentRecord) -> None:
        """The same content under a later number: keep the number, so that what lies between the
        two is stale when it comes."""
        if event.version != stored.version and later(event.version, stored.version):
            renumbered = replace(stored, version=event.version, updated_at=self.clock.now())
            await self.index.write(renumbered, [], [])

    async def _embedded(
        self, patient_id: str, facts: list[Fact], known: tuple[str, ...]
    ) -> list[EmbeddedFact]:
        """`facts` with vectors: stored ones where the id was there, new ones for the rest."""
        here = {fact.fact_id for fact in facts}
        stored = await self.index.facts(patient_id, [each for each in known if each in here])
        vectors = {each.fact.fact_id: each.embedding for each in stored}
        new = [fact for fact in facts if fact.fact_id not in vectors]
        embeddings = await self.embedder.embed([fact.text for fact in new])
        vectors |= {
            fact.fact_id: embedding for fact, embedding in zip(new, embeddings, strict=True)
        }
        return [EmbeddedFact(fact, vectors[fact.fact_id]) for fact in facts]

    async def _write(
        self,
        document: DocumentRecord,
        facts: list[EmbeddedFact],
        known: tuple[str, ...],
        position: Position,
        emit: Emit,
    ) -> None:
        here = set(document.fact_ids)
        before = set(known)
        removed = tuple(each for each in known if each not in here)
        added = tuple(each for each in document.fact_ids if each not in before)
        if added or removed:
            await emit(
                FactsChanged(
                    occurred_at=self.clock.now(),
                    patient_id=document.patient_id,
                    document_id=document.document_id,
                    version=document.version,
                    added=added,
                    removed=removed,
                    kept=len(here & before),
                    chart_position=position,
                )
            )
        await self.index.write(document, facts, removed)

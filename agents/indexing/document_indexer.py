"""Indexing a document: its facts in the index are those of its newest version.

For a change the order is: announce (`FactsChanged`), write the index, record the outcome.

Any step can be the last before a crash, and the redelivered event must end in the same outputs.
What came and what went is known only as long as the row of the old version is there, so it is
announced before that row is overwritten: a crash in between repeats the announcement with the same
id (it derives from the chart position), which consumers drop. Announcing after the write could
lose it. The price is that a consumer may hear of a change some milliseconds before the index has
it; what verifies texts is in the same lane and always reads after the write.

`DocumentRecord.updated_at` is the `occurred_at` of the event that wrote the facts. By it a
redelivered event knows its own work again and records `indexed` once more, not `unchanged`.

A record below the position at which the document was written has been handled before, by this
worker or another one. It changes nothing: what came after it would be undone.

A retraction keeps the row, with the content's hash, so that neither an older version nor another
copy of what was retracted brings the document back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from agents.chart_records import DocumentRecord, DocumentStatus, Lineage
from agents.indexing.document_status import text_hash
from agents.indexing.extraction import extract_facts
from agents.indexing.index_events import DocumentOutcome, IndexEvents
from agents.indexing.status_changes import StatusChanges
from agents.indexing.versions import Order, advanced, compare, is_same_version
from agents.ports import (
    Clock,
    Decomposer,
    EmbeddedFact,
    Embedder,
    Embedding,
    Emit,
    FactIndex,
)
from schemas.events import Position
from schemas.notes import AuthorCategory, Fact, NoteChanged, NoteRetracted
from schemas.outcomes import Outcome
from schemas.texts import FactUnit

EMBED_BATCH = 512
"""Texts of one call to the embedder: a note of a megabyte has some ten thousand facts."""


@dataclass(frozen=True)
class DocumentIndexer:
    """Applies events of one patient, which arrive one after the other, to the index."""

    index: FactIndex
    embedder: Embedder
    decomposer: Decomposer
    clock: Clock
    fact_unit: FactUnit = "sentence"
    """Notes already in the index keep theirs until their content changes."""

    @property
    def status_changes(self) -> StatusChanges:
        return StatusChanges(self.index)

    async def apply(
        self, event: NoteChanged | NoteRetracted, position: Position, emit: Emit, time_ms: int = 0
    ) -> None:
        """Bring the index to this event, unless it is older than what the index has.

        `position` and `time_ms` are those of its record in the `chart` topic. Always ends in an
        `OutcomeRecorded`. Raises what the ports raise; the event may then be applied again.
        """
        stored = await self.index.document(event.patient_id, event.document_id)
        events = IndexEvents(position, emit, self.clock, time_ms)
        if isinstance(event, NoteChanged):
            result = await self._change(event, stored, events)
        else:
            result = await self._retract(event, stored, events)
        await events.outcome(event, result)

    async def _change(
        self, event: NoteChanged, stored: DocumentRecord | None, events: IndexEvents
    ) -> DocumentOutcome:
        if stored is not None:
            if _is_stale(event, stored):
                return DocumentOutcome(Outcome.STALE, len(stored.evidence_ids))
            # After an outage of the index facts may be missing: then the note is indexed again.
            if _is_unchanged(event, stored) and await self.index.is_complete(stored):
                return await self._keep(event, stored, events)
            if stored.written_at.is_after(events.at):
                return DocumentOutcome(Outcome.STALE, len(stored.evidence_ids))
        facts = await extract_facts(event, self.decomposer, self.fact_unit)
        known = await self.index.facts(stored) if stored else []
        if stored is not None and stored.version.content_hash != event.version.content_hash:
            facts = _dated(facts, known, stored, event.version.last_updated)
        document = DocumentRecord(
            patient_id=event.patient_id,
            document_id=event.document_id,
            version=advanced(stored.version, event.version) if stored else event.version,
            status=DocumentStatus.CURRENT,
            fact_ids=tuple(fact.fact_id for fact in facts),
            note_time=event.note.note_time,
            updated_at=event.occurred_at,
            lineage=_lineage(event),
        )
        embedded = await self._embed(facts, known)
        written = await self.status_changes.write(document, embedded, stored, events)
        return DocumentOutcome.of(Outcome.INDEXED, written)

    async def _keep(
        self, event: NoteChanged, stored: DocumentRecord, events: IndexEvents
    ) -> DocumentOutcome:
        """The same content: at most its version and what it says of other documents move on."""
        lineage = replace(
            _lineage(event),
            superseded_by=stored.lineage.superseded_by,
            transferred_from=stored.lineage.transferred_from,
        )
        version = advanced(stored.version, event.version)
        document = replace(stored, version=version, lineage=lineage)
        kept = await self.status_changes.keep_facts(document, stored, events)
        again = stored.updated_at == event.occurred_at
        return DocumentOutcome.of(Outcome.INDEXED if again else Outcome.UNCHANGED, kept)

    async def _retract(
        self, event: NoteRetracted, stored: DocumentRecord | None, events: IndexEvents
    ) -> DocumentOutcome:
        version, note_time = event.version, event.occurred_at
        if stored is not None:
            older = compare(stored.version, event.version) is Order.OLDER
            if older or stored.written_at.is_after(events.at):
                was_retracted = stored.status is DocumentStatus.RETRACTED
                outcome = Outcome.RETRACTED if was_retracted else Outcome.STALE
                return DocumentOutcome(outcome, len(stored.evidence_ids))
            version = advanced(stored.version, event.version)
            version = version.model_copy(update={"content_hash": stored.version.content_hash})
            note_time = stored.note_time
        document = DocumentRecord(
            patient_id=event.patient_id,
            document_id=event.document_id,
            version=version,
            status=DocumentStatus.RETRACTED,
            fact_ids=(),
            note_time=note_time,
            updated_at=event.occurred_at,
            lineage=Lineage(
                relations=event.relations,
                identifiers=event.identifiers,
                former_patient_ids=event.former_patient_ids,
            ),
        )
        await self.status_changes.write(document, (), stored, events)
        return DocumentOutcome(Outcome.RETRACTED, 0, event.reason)

    async def _embed(
        self, facts: Sequence[Fact], known: Sequence[EmbeddedFact]
    ) -> list[EmbeddedFact]:
        """`facts` with their vectors; those of `known` are not made again."""
        vectors: dict[str, Embedding] = {each.fact.fact_id: each.embedding for each in known}
        missing = [fact for fact in facts if fact.fact_id not in vectors]
        for start in range(0, len(missing), EMBED_BATCH):
            batch = missing[start : start + EMBED_BATCH]
            made = await self.embedder.embed([fact.text for fact in batch])
            vectors |= {fact.fact_id: one for fact, one in zip(batch, made, strict=True)}
        return [EmbeddedFact(fact, vectors[fact.fact_id]) for fact in facts]


def _dated(
    facts: Sequence[Fact],
    known: Sequence[EmbeddedFact],
    stored: DocumentRecord,
    updated: datetime | None,
) -> list[Fact]:
    """A fact that this version adds is not older than the version: nobody could know it before.

    What a version before added so keeps its later time; all others have the note's, and so have
    those of a version that does not say when it was made.
    """
    known_at = {each.fact.fact_id: each.fact.note_time for each in known}
    dated = []
    for fact in facts:
        since = known_at.get(fact.fact_id, updated)
        if since is None or (fact.fact_id in known_at and since <= stored.note_time):
            since = fact.note_time
        dated.append(fact.model_copy(update={"note_time": max(fact.note_time, since)}))
    return dated


def _lineage(event: NoteChanged) -> Lineage:
    note = event.note
    return Lineage(
        relations=event.relations,
        identifiers=event.identifiers,
        text_hash=text_hash(note.text),
        has_own_time=note.note_time_source != "event",
        encounter_id=note.encounter_id,
        ai_authored=note.author_category is AuthorCategory.AI,
        resource_type=event.resource_type,
        former_patient_ids=event.former_patient_ids,
    )


def _is_stale(event: NoteChanged, stored: DocumentRecord) -> bool:
    """Older, or a copy of what was retracted: a retraction is only undone by a newer version."""
    order = compare(stored.version, event.version)
    if stored.status is DocumentStatus.RETRACTED and order is not Order.OLDER:
        return order is Order.SAME or is_same_version(stored.version, event.version)
    return order is Order.OLDER


def _is_unchanged(event: NoteChanged, stored: DocumentRecord) -> bool:
    same = stored.version.content_hash == event.version.content_hash
    return same and stored.status is not DocumentStatus.RETRACTED

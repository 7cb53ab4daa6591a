"""Following a document: its facts in the index are those of its newest version.

For a change the order is: announce (`FactsChanged`), write the index, record the outcome.

Any step can be the last before a crash, and the redelivered event must end in the same outputs.
What came and what went is known only as long as the row of the old version is there, so it is
announced before that row is overwritten: a crash in between repeats the announcement with the same
id (it derives from the chart position), which consumers drop. Announcing after the write could
lose it. The price is that a consumer may hear of a change some milliseconds before the index has
it; what verifies texts is in the same lane and always reads after the write.

`DocumentRecord.updated_at` is the `occurred_at` of the event that wrote the facts. By it a
redelivered event knows its own work again and records `indexed` once more, not `unchanged`.

A retraction keeps the row, with the content's hash, so that neither an older version nor another
copy of what was retracted brings the document back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from agents.indexing.document_status import CURRENT, RETRACTED, text_hash
from agents.indexing.emission import Ending, Log
from agents.indexing.extraction import extract_facts
from agents.indexing.status_changes import Placing
from agents.indexing.suppressed_facts import shelf_of
from agents.indexing.versions import Order, advanced, compare, is_same_version
from agents.ports import (
    Clock,
    Decomposer,
    DocumentRecord,
    EmbeddedFact,
    Embedder,
    Embedding,
    Emit,
    FactIndex,
    Lineage,
)
from schemas.events import Position
from schemas.notes import AuthorCategory, Fact, NoteChanged, NoteRetracted
from schemas.outcomes import Outcome
from schemas.texts import FactUnit

EMBED_BATCH = 512
"""Texts of one call to the embedder: a note of a megabyte has some ten thousand facts."""


@dataclass(frozen=True)
class FactKeeper:
    """Applies events of one patient, which arrive one after the other, to the index."""

    index: FactIndex
    embedder: Embedder
    decomposer: Decomposer
    clock: Clock
    fact_unit: FactUnit = "sentence"
    """Notes already in the index keep theirs until their content changes."""

    @property
    def placing(self) -> Placing:
        return Placing(self.index)

    async def apply(
        self, event: NoteChanged | NoteRetracted, position: Position, emit: Emit
    ) -> None:
        """Bring the index to this event, unless it is older than what the index has.

        `position` is that of the event in the `chart` topic. Always ends in an `OutcomeRecorded`.
        Raises what the ports raise; the event may then be applied again.
        """
        stored = await self.index.document(event.patient_id, event.document_id)
        log = Log(position, emit, self.clock)
        if isinstance(event, NoteChanged):
            ending = await self._change(event, stored, log)
        else:
            ending = await self._retract(event, stored, log)
        await log.record(event, ending)

    async def _change(self, event: NoteChanged, stored: DocumentRecord | None, log: Log) -> Ending:
        if stored is not None:
            if _is_stale(event, stored):
                return Ending(Outcome.STALE, len(stored.fact_ids))
            if _is_unchanged(event, stored):
                return await self._keep(event, stored, log)
        facts = await extract_facts(event, self.decomposer, self.fact_unit)
        kept = await self._stored_facts(facts, stored) if stored else []
        if stored is not None and stored.version.content_hash != event.version.content_hash:
            facts = _dated(facts, kept, stored, event.version.last_updated)
        embedded = await self._embed(facts, kept)
        record = DocumentRecord(
            patient_id=event.patient_id,
            document_id=event.document_id,
            version=advanced(stored.version, event.version) if stored else event.version,
            status=CURRENT,
            fact_ids=tuple(fact.fact_id for fact in facts),
            note_time=event.note.note_time,
            updated_at=event.occurred_at,
            lineage=_lineage(event),
        )
        return Ending.of(Outcome.INDEXED, await self.placing.place(record, embedded, stored, log))

    async def _keep(self, event: NoteChanged, stored: DocumentRecord, log: Log) -> Ending:
        """The same content: at most its version and what it says of other documents move on."""
        was = stored.lineage
        said = replace(_lineage(event), because=was.because, shelved=was.shelved, moved=was.moved)
        version = advanced(stored.version, event.version)
        record = replace(stored, version=version, lineage=said)
        now = await self.placing.keep(record, stored, log)
        again = stored.updated_at == event.occurred_at
        return Ending.of(Outcome.INDEXED if again else Outcome.UNCHANGED, now)

    async def _retract(
        self, event: NoteRetracted, stored: DocumentRecord | None, log: Log
    ) -> Ending:
        version, note_time = event.version, event.occurred_at
        if stored is not None:
            if compare(stored.version, event.version) is Order.OLDER:
                gone = stored.status == RETRACTED
                return Ending(Outcome.RETRACTED if gone else Outcome.STALE, len(stored.fact_ids))
            version = advanced(stored.version, event.version)
            version = version.model_copy(update={"content_hash": stored.version.content_hash})
            note_time = stored.note_time
        record = DocumentRecord(
            patient_id=event.patient_id,
            document_id=event.document_id,
            version=version,
            status=RETRACTED,
            fact_ids=(),
            note_time=note_time,
            updated_at=event.occurred_at,
            lineage=Lineage(
                relations=event.relations, identifiers=event.identifiers, via=event.via
            ),
        )
        await self.placing.place(record, (), stored, log)
        return Ending(Outcome.RETRACTED, 0, event.reason)

    async def _stored_facts(
        self, facts: Sequence[Fact], stored: DocumentRecord
    ) -> list[EmbeddedFact]:
        """Those of `facts` that the index has, in the chart or on the shelf."""
        ids = [fact.fact_id for fact in facts]
        kept = await self.index.facts(stored.patient_id, ids)
        if stored.lineage.shelved:
            kept += await self.index.facts(shelf_of(stored.patient_id), ids)
        return kept

    async def _embed(
        self, facts: Sequence[Fact], kept: Sequence[EmbeddedFact]
    ) -> list[EmbeddedFact]:
        """`facts` with their vectors; those of `kept` are not made again."""
        vectors: dict[str, Embedding] = {each.fact.fact_id: each.embedding for each in kept}
        missing = [fact for fact in facts if fact.fact_id not in vectors]
        for start in range(0, len(missing), EMBED_BATCH):
            batch = missing[start : start + EMBED_BATCH]
            made = await self.embedder.embed([fact.text for fact in batch])
            vectors |= {fact.fact_id: one for fact, one in zip(batch, made, strict=True)}
        return [EmbeddedFact(fact, vectors[fact.fact_id]) for fact in facts]


def _dated(
    facts: Sequence[Fact],
    kept: Sequence[EmbeddedFact],
    stored: DocumentRecord,
    updated: datetime | None,
) -> list[Fact]:
    """A fact that this version adds is not older than the version: nobody could know it before.

    What a version before added so keeps its later time; all others have the note's, and so have
    those of a version that does not say when it was made.
    """
    known_at = {each.fact.fact_id: each.fact.note_time for each in kept}
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
        timed=note.note_time_source != "event",
        encounter_id=note.encounter_id,
        ai=note.author_category is AuthorCategory.AI,
        resource_type=event.resource_type,
        via=event.via,
    )


def _is_stale(event: NoteChanged, stored: DocumentRecord) -> bool:
    """Older, or a copy of what was retracted: a retraction is only undone by a newer version."""
    order = compare(stored.version, event.version)
    if stored.status == RETRACTED and order is not Order.OLDER:
        return order is Order.SAME or is_same_version(stored.version, event.version)
    return order is Order.OLDER


def _is_unchanged(event: NoteChanged, stored: DocumentRecord) -> bool:
    return stored.status != RETRACTED and stored.version.content_hash == event.version.content_hash

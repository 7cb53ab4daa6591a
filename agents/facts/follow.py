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

Which documents are evidence depends on all of a patient's documents (`standing`). A document's own
row is written first; then every document whose standing has changed moves between chart and shelf
(`shelf`), each move announced and repeatable. A crash on the way leaves rows whose status is not
what it should be, and the redelivered event, which settles them all, goes on from there.

A retraction keeps the row, with the content's hash, so that neither an older version nor another
copy of what was retracted brings the document back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from agents.facts import shelf
from agents.facts.extract import extract_facts
from agents.facts.log import Ending, Log
from agents.facts.standing import (
    ASIDE,
    CURRENT,
    RETRACTED,
    Standing,
    standings,
    text_hash,
)
from agents.facts.versions import Order, advanced, compare, is_same_version
from agents.ports import (
    Clock,
    Decomposer,
    DocumentHead,
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

EMBED_BATCH = 512
"""Texts of one call to the embedder: a note of a megabyte has some ten thousand facts."""


@dataclass(frozen=True)
class FactKeeper:
    """Applies events of one patient, which arrive one after the other, to the index."""

    index: FactIndex
    embedder: Embedder
    decomposer: Decomposer
    clock: Clock

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
        facts = await extract_facts(event, self.decomposer)
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
        return Ending.of(Outcome.INDEXED, await self.place(record, embedded, stored, log))

    async def _keep(self, event: NoteChanged, stored: DocumentRecord, log: Log) -> Ending:
        """The same content: at most its version and what it says of other documents move on."""
        was = stored.lineage
        said = replace(_lineage(event), because=was.because, shelved=was.shelved, moved=was.moved)
        version = advanced(stored.version, event.version)
        record = replace(stored, version=version, lineage=said)
        if record != stored:
            record = _remembering(record, stored)
            await self.index.write(record, (), ())
        await self._settle(list((await self._concerned(record, stored)).values()), log)
        now = await self.index.document(event.patient_id, event.document_id)
        again = stored.updated_at == event.occurred_at
        return Ending.of(Outcome.INDEXED if again else Outcome.UNCHANGED, now or record)

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
        await self.place(record, (), stored, log)
        return Ending(Outcome.RETRACTED, 0, event.reason)

    async def place(
        self,
        record: DocumentRecord,
        facts: Sequence[EmbeddedFact],
        stored: DocumentRecord | None,
        log: Log,
    ) -> DocumentRecord:
        """Write a new state of a document, in the chart or on the shelf, and settle the others.

        `facts` are all of the document's; returned is the row as it stands now.
        """
        record = _remembering(record, stored)
        heads = await self._concerned(record, stored)
        standing = standings(heads.values())[record.document_id]
        aside = standing.status in ASIDE
        if aside:
            await shelf.shelve(self.index, record, facts)
        elif stored is not None and stored.lineage.shelved:
            await shelf.clear(self.index, record.patient_id, record.document_id)
        placed = replace(
            record,
            status=standing.status,
            fact_ids=() if aside else record.fact_ids,
            lineage=replace(record.lineage, because=standing.because, shelved=aside),
        )
        await self._write(stored, placed, () if aside else facts, log)
        heads[record.document_id] = placed.head
        await self._settle(list(heads.values()), log)
        return placed

    async def forget(self, patient_id: str, gone: Sequence[DocumentHead], log: Log) -> None:
        """Documents that are another patient's now leave this one without a trace."""
        for head in gone:
            stored = await self.index.document(patient_id, head.document_id)
            if stored is not None:
                await log.announce(replace(stored, fact_ids=()), stored.fact_ids)
                await shelf.clear(self.index, patient_id, head.document_id)
                await self.index.forget(patient_id, head.document_id, stored.fact_ids)
        await self.settle(patient_id, log)

    async def settle(self, patient_id: str, log: Log) -> None:
        """Move every document's facts to where they belong, as all documents stand now."""
        await self._settle(await self.index.documents(patient_id), log)

    async def _concerned(
        self, record: DocumentRecord, stored: DocumentRecord | None
    ) -> dict[str, DocumentHead]:
        """The documents whose standing may depend on this one, itself with its new row among them.

        They are those with a name in common, and so on: mostly none. A patient may have thousands.
        """
        found = {record.document_id: record.head}
        asked: frozenset[str] = frozenset()
        names = record.head.names | (stored.head.names if stored else frozenset())
        while names - asked:
            heads = await self.index.documents(record.patient_id, names - asked)
            asked |= names
            found = {head.document_id: head for head in heads} | found
            names = frozenset(name for head in heads for name in head.names)
        return found

    async def _settle(self, heads: Sequence[DocumentHead], log: Log) -> None:
        found = standings(heads)
        for head in heads:
            standing = found[head.document_id]
            if standing != (head.status, head.lineage.because):
                await self._move(head, standing, log)

    async def _move(self, head: DocumentHead, standing: Standing, log: Log) -> None:
        stored = await self.index.document(head.patient_id, head.document_id)
        assert stored is not None, "only this lane removes documents"
        aside = standing.status in ASIDE
        lineage = replace(stored.lineage, because=standing.because)
        record = replace(stored, status=standing.status, lineage=lineage)
        if aside == (stored.status in ASIDE):
            await self.index.write(record, (), ())
        elif aside:
            facts = await self.index.facts(head.patient_id, stored.fact_ids)
            await shelf.shelve(self.index, stored, facts)
            record = replace(record, fact_ids=(), lineage=replace(lineage, shelved=True))
            await self._write(stored, record, (), log)
        else:
            # What stands on the shelf stays there until the document's next version.
            facts = await shelf.shelved(self.index, head.patient_id, head.document_id)
            record = replace(record, fact_ids=tuple(each.fact.fact_id for each in facts))
            await self._write(stored, record, facts, log)

    async def _write(
        self,
        stored: DocumentRecord | None,
        record: DocumentRecord,
        facts: Sequence[EmbeddedFact],
        log: Log,
    ) -> None:
        """Announce what comes and goes, then write it. See the module for why in this order."""
        before = stored.fact_ids if stored else ()
        removed = await log.announce(record, before)
        await self.index.write(record, facts, removed)

    async def _stored_facts(
        self, facts: Sequence[Fact], stored: DocumentRecord
    ) -> list[EmbeddedFact]:
        """Those of `facts` that the index has, in the chart or on the shelf."""
        ids = [fact.fact_id for fact in facts]
        kept = await self.index.facts(stored.patient_id, ids)
        if stored.lineage.shelved:
            kept += await self.index.facts(shelf.shelf_of(stored.patient_id), ids)
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


def _remembering(record: DocumentRecord, stored: DocumentRecord | None) -> DocumentRecord:
    """With the names that the document had before, also where the same event comes again."""
    if stored is None:
        return record
    again = stored.updated_at == record.updated_at and stored.version == record.version
    names = stored.head.names if again else stored.head.own_names
    before = tuple(sorted(names - record.head.own_names))
    return replace(record, lineage=replace(record.lineage, before=before))


def _is_stale(event: NoteChanged, stored: DocumentRecord) -> bool:
    """Older, or a copy of what was retracted: a retraction is only undone by a newer version."""
    order = compare(stored.version, event.version)
    if stored.status == RETRACTED and order is not Order.OLDER:
        return order is Order.SAME or is_same_version(stored.version, event.version)
    return order is Order.OLDER


def _is_unchanged(event: NoteChanged, stored: DocumentRecord) -> bool:
    return stored.status != RETRACTED and stored.version.content_hash == event.version.content_hash

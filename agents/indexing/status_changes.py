"""Where the facts of a document are - chart, shelf or nowhere - and what that does to others.

Which documents are evidence depends on all of a patient's documents (`standing`). A document's own
row is written first; then every document whose standing has changed moves between chart and shelf
(`shelf`), each move announced and repeatable. A crash on the way leaves rows whose status is not
what it should be, and the redelivered event, which settles them all, goes on from there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from agents.indexing import suppressed_facts
from agents.indexing.document_status import ASIDE, Standing, standings
from agents.indexing.emission import Log
from agents.ports import DocumentHead, DocumentRecord, EmbeddedFact, FactIndex


@dataclass(frozen=True)
class Placing:
    index: FactIndex

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
            await suppressed_facts.shelve(self.index, record, facts)
        elif stored is not None and stored.lineage.shelved:
            await suppressed_facts.clear(self.index, record.patient_id, record.document_id)
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

    async def keep(
        self, record: DocumentRecord, stored: DocumentRecord, log: Log
    ) -> DocumentRecord:
        """The same content: write what else has changed of the row, and settle the others."""
        if record != stored:
            record = _remembering(record, stored)
            await self.index.write(record, (), ())
        await self._settle(list((await self._concerned(record, stored)).values()), log)
        return await self.index.document(record.patient_id, record.document_id) or record

    async def forget(self, patient_id: str, gone: Sequence[DocumentHead], log: Log) -> None:
        """Documents that are another patient's now leave this one without a trace."""
        for head in gone:
            stored = await self.index.document(patient_id, head.document_id)
            if stored is not None:
                await log.announce(replace(stored, fact_ids=()), stored.fact_ids)
                await suppressed_facts.clear(self.index, patient_id, head.document_id)
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
            await suppressed_facts.shelve(self.index, stored, facts)
            record = replace(record, fact_ids=(), lineage=replace(lineage, shelved=True))
            await self._write(stored, record, (), log)
        else:
            # What stands on the shelf stays there until the document's next version.
            facts = await suppressed_facts.shelved(self.index, head.patient_id, head.document_id)
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


def _remembering(record: DocumentRecord, stored: DocumentRecord | None) -> DocumentRecord:
    """With the names that the document had before, also where the same event comes again."""
    if stored is None:
        return record
    again = stored.updated_at == record.updated_at and stored.version == record.version
    names = stored.head.names if again else stored.head.own_names
    before = tuple(sorted(names - record.head.own_names))
    return replace(record, lineage=replace(record.lineage, before=before))

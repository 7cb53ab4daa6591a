"""Applying changes of document status: which of a patient's documents are evidence.

Which documents are evidence depends on all of a patient's documents (`document_status`). A
document's own row is written first; then the row of every document whose status has changed. The
status stands in the document's row alone, so one write suppresses its facts or brings them back,
with their vectors: what replaces a document may itself turn out to be an error, and then the
original must come back without anybody sending it again. A crash on the way leaves rows whose
status is not what it should be; the record comes again, and the rest is updated then.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from agents.chart_records import DocumentHead, DocumentRecord
from agents.indexing.document_status import StatusOf, document_statuses
from agents.indexing.index_events import IndexEvents
from agents.ports import EmbeddedFact, FactIndex


@dataclass(frozen=True)
class StatusChanges:
    index: FactIndex

    async def write(
        self,
        record: DocumentRecord,
        facts: Sequence[EmbeddedFact],
        stored: DocumentRecord | None,
        events: IndexEvents,
    ) -> DocumentRecord:
        """Write a document with its facts and the status that it has among the others, then update
        the others; returned is the record as it was written."""
        record = _with_previous_names(record, stored)
        heads = await self._related(record, stored)
        status = document_statuses(heads.values())[record.document_id]
        record = _with_status(record, status)
        await self._write(stored, record, facts, events)
        heads[record.document_id] = record.head
        await self._update(list(heads.values()), events)
        return record

    async def keep_facts(
        self, record: DocumentRecord, stored: DocumentRecord, events: IndexEvents
    ) -> DocumentRecord:
        """The same content: write what else has changed of the row, and update the others.

        A record that comes again is written again, so that the index removes what is outdated.
        """
        if record != stored or stored.written_at == events.at:
            record = _with_previous_names(record, stored)
            await self.index.write(record, None, events.at)
        await self._update(list((await self._related(record, stored)).values()), events)
        return await self.index.document(record.patient_id, record.document_id) or record

    async def delete(
        self, patient_id: str, documents: Sequence[DocumentHead], events: IndexEvents
    ) -> None:
        """Documents that are another patient's now leave this one without a trace."""
        for head in documents:
            stored = await self.index.document(patient_id, head.document_id)
            if stored is not None:
                await events.facts_changed(replace(stored, fact_ids=()), stored.evidence_ids)
                await self.index.delete(patient_id, head.document_id, events.at)
        await self.update_all(patient_id, events)

    async def update_all(self, patient_id: str, events: IndexEvents) -> None:
        """Give every document of a patient the status that it should have."""
        await self._update(await self.index.documents(patient_id), events)

    async def _related(
        self, record: DocumentRecord, stored: DocumentRecord | None
    ) -> dict[str, DocumentHead]:
        """The documents whose status may depend on this one, itself with its new row among them.

        They are those with a name in common, and so on: mostly none. A patient may have thousands.
        """
        related = {record.document_id: record.head}
        searched: frozenset[str] = frozenset()
        names = record.head.names | (stored.head.names if stored else frozenset())
        while names - searched:
            heads = await self.index.documents(record.patient_id, names - searched)
            searched |= names
            related = {head.document_id: head for head in heads} | related
            names = frozenset(name for head in heads for name in head.names)
        return related

    async def _update(self, heads: Sequence[DocumentHead], events: IndexEvents) -> None:
        statuses = document_statuses(heads)
        for head in heads:
            status = statuses[head.document_id]
            if status != (head.status, head.lineage.superseded_by):
                stored = await self.index.document(head.patient_id, head.document_id)
                assert stored is not None, "only this lane removes documents"
                await self._write(stored, _with_status(stored, status), None, events)

    async def _write(
        self,
        stored: DocumentRecord | None,
        record: DocumentRecord,
        facts: Sequence[EmbeddedFact] | None,
        events: IndexEvents,
    ) -> None:
        """Announce what comes and goes, then write it (why in this order: `document_indexer`)."""
        await events.facts_changed(record, stored.evidence_ids if stored else ())
        await self.index.write(record, facts, events.at)


def _with_status(record: DocumentRecord, status: StatusOf) -> DocumentRecord:
    lineage = replace(record.lineage, superseded_by=status.superseded_by)
    return replace(record, status=status.status, lineage=lineage)


def _with_previous_names(record: DocumentRecord, stored: DocumentRecord | None) -> DocumentRecord:
    """With the names that the document had before, also where the same event comes again."""
    if stored is None:
        return record
    again = stored.updated_at == record.updated_at and stored.version == record.version
    names = stored.head.names if again else stored.head.own_names
    previous = tuple(sorted(names - record.head.own_names))
    return replace(record, lineage=replace(record.lineage, previous_names=previous))

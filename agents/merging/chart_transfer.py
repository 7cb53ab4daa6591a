"""Chart transfers: a patient's documents go from one patient (the donor) to another (the receiver).

Every row of a patient is written in that patient's order (lane) and nowhere else, so a transfer is
a conversation of `ChartTransfer` events, each in the lane of the patient that shall act:

     a merge is stated                          an unmerge is stated
     (donor's lane)                             (receiver's lane)
            │                                          │
            │                                          ▼
            │                    ┌─onward──────► REQUESTED   donor's lane: send what came from the
            │                    └────────────────┤  │        receiver; pass it on to the patient
            │                                        │        into whom the donor was merged since
            ▼                                        │
          SENT ◄─────────────────────────────────────┘
            │   ▲     receiver's lane: copy the donor's documents; pass them on to the patient into
            │   └──┐  whom the receiver was merged since, or back to one that is separate again
            │ onward
            ▼
      ACKNOWLEDGED    donor's lane: delete the documents that were received
            │
            ▼
           end

A step that a later statement about the merge has overtaken ends there and does nothing. A step can
come late or twice: what is sent must be merged there now, what returns must not be. ACKNOWLEDGED
names the rows that were read, so a late one cannot delete what has come since. No transfer goes to
a patient that it has visited, so a circle of merges that arises by two at once ends.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace

from agents.chart_records import DocumentHead, DocumentRecord
from agents.indexing.document_indexer import DocumentIndexer
from agents.indexing.index_events import IndexEvents
from agents.indexing.versions import Order, compare
from agents.ports import EmbeddedFact, Emit
from schemas.events import Position, deterministic_id
from schemas.patients import ChartTransfer, ReceivedDocument, TransferStep

REQUESTED, SENT = TransferStep.REQUESTED, TransferStep.SENT
ACKNOWLEDGED = TransferStep.ACKNOWLEDGED

NEXT_STEPS: Mapping[TransferStep, frozenset[TransferStep]] = {
    REQUESTED: frozenset({SENT, REQUESTED}),
    SENT: frozenset({ACKNOWLEDGED, SENT}),
    ACKNOWLEDGED: frozenset(),
}
"""Which steps may follow; the same step again is the transfer passed on to another patient."""


@dataclass(frozen=True)
class ChartTransfers:
    """Applies each step in the lane of the patient whose rows it changes."""

    indexer: DocumentIndexer

    async def apply(
        self, event: ChartTransfer, position: Position, emit: Emit, time_ms: int = 0
    ) -> None:
        """Nothing where a later statement about the merge has overtaken the step."""
        if await self._is_overtaken(event):
            return
        events = IndexEvents(position, emit, self.indexer.clock, time_ms)
        handlers: Mapping[TransferStep, Callable[[ChartTransfer, IndexEvents], Awaitable[None]]] = {
            REQUESTED: self._send,
            SENT: self._receive,
            ACKNOWLEDGED: self._delete_received,
        }
        await handlers[event.step](event, events)

    async def _is_overtaken(self, event: ChartTransfer) -> bool:
        if event.is_return:
            return await self._merged_into(event.receiver) == event.donor
        return await self._merged_into(event.donor) != event.receiver

    async def _send(self, event: ChartTransfer, events: IndexEvents) -> None:
        """Send what is here, and pass the request on to where the chart may have gone."""
        await _emit_next(event, SENT, event.receiver, events, visited=())
        onward = await self._onward(event)
        if onward:
            visited = (*event.visited, event.donor)
            await _emit_next(event, REQUESTED, onward, events, donor=onward, visited=visited)

    async def _receive(self, event: ChartTransfer, events: IndexEvents) -> None:
        """Copy the documents, send on what does not belong here now, and say what was received."""
        heads = await self._transferred(event)
        for head in heads:
            await self._copy(head, event, events)
        await self.indexer.status_changes.update_all(event.receiver, events)
        # By what is here: the donor may have deleted its own when this step comes again.
        here = await self.indexer.index.documents(event.receiver)
        former = {h.lineage.former_patient_ids[-1] for h in here if h.lineage.former_patient_ids}
        for patient_id in sorted(former):
            links = await self.indexer.index.patient_links(patient_id)
            # It was unmerged while its documents were elsewhere, and has requested in vain.
            if links and links.merged_into != event.receiver:
                await _send_on(event, patient_id, events, is_return=True)
        onward = await self._onward(event)
        if onward:
            await _send_on(event, onward, events, is_return=False)
        if heads:
            received = tuple(
                ReceivedDocument(document_id=head.document_id, row=_row_name(head))
                for head in heads
            )
            await _emit_next(event, ACKNOWLEDGED, event.donor, events, received=received)

    async def _delete_received(self, event: ChartTransfer, events: IndexEvents) -> None:
        rows = {each.document_id: each.row for each in event.received}
        heads = await self._transferred(event)
        received = [head for head in heads if rows.get(head.document_id) == _row_name(head)]
        await self.indexer.status_changes.delete(event.donor, received, events)

    async def _merged_into(self, patient_id: str) -> str | None:
        links = await self.indexer.index.patient_links(patient_id)
        return links.merged_into if links else None

    async def _onward(self, event: ChartTransfer) -> str | None:
        """Into whom this patient was merged itself, unless the transfer has been there."""
        into = await self._merged_into(event.patient_id)
        return None if into in (*event.visited, event.donor, event.receiver) else into

    async def _transferred(self, event: ChartTransfer) -> list[DocumentHead]:
        """The donor's documents that go: all of a merged patient, or those that return."""
        heads = await self.indexer.index.documents(event.donor)
        if not event.is_return:
            return heads
        return [head for head in heads if event.receiver in head.lineage.former_patient_ids]

    async def _copy(self, head: DocumentHead, event: ChartTransfer, events: IndexEvents) -> None:
        index = self.indexer.index
        theirs = await index.document(event.donor, head.document_id)
        ours = await index.document(event.receiver, head.document_id)
        if theirs is None:
            return
        # The same row copied again makes no other of ours; one that has been round does, or a late
        # ACKNOWLEDGED for ours would delete the last there is.
        source = deterministic_id("transferred", event.donor, _row_name(head))
        former = _former_patient_ids(head, event)
        order = _order(ours, theirs) if ours else Order.NEWER
        if ours and order is not Order.NEWER:
            # A row of its own now: an ACKNOWLEDGED on its way here means the one of before.
            if order is Order.OLDER:
                former = ours.lineage.former_patient_ids
            lineage = replace(ours.lineage, former_patient_ids=former, transferred_from=source)
            await index.write(replace(ours, lineage=lineage), None, events.at)
            return
        lineage = replace(theirs.lineage, former_patient_ids=former, transferred_from=source)
        record = replace(theirs, patient_id=event.receiver, lineage=lineage)
        facts = [_of_patient(each, event.receiver) for each in await index.facts(theirs)]
        await self.indexer.status_changes.write(record, facts, ours, events)


def _order(ours: DocumentRecord, theirs: DocumentRecord) -> Order:
    arrived_later = theirs.updated_at > ours.updated_at
    return compare(ours.version, theirs.version, arrived_later=arrived_later)


async def _emit_next(
    event: ChartTransfer,
    step: TransferStep,
    patient_id: str,
    events: IndexEvents,
    **changes: object,
) -> None:
    """Emit the step that follows `event`, for the lane of `patient_id`."""
    assert step in NEXT_STEPS[event.step], f"{step} does not follow {event.step}"
    await events.emit(event.model_copy(update={"step": step, "patient_id": patient_id, **changes}))


async def _send_on(
    event: ChartTransfer, receiver: str, events: IndexEvents, *, is_return: bool
) -> None:
    """The patient that has received the chart sends it on to another."""
    visited = () if is_return else (*event.visited, event.receiver)
    await _emit_next(
        event, SENT, receiver, events,
        donor=event.receiver, receiver=receiver, is_return=is_return, visited=visited,
    )  # fmt: skip


def _of_patient(embedded: EmbeddedFact, patient_id: str) -> EmbeddedFact:
    """The same fact, of this patient; its id and vectors stay."""
    fact = embedded.fact.model_copy(update={"patient_id": patient_id})
    return EmbeddedFact(fact, embedded.embedding)


def _former_patient_ids(head: DocumentHead, event: ChartTransfer) -> tuple[str, ...]:
    """Under which ids a document has been when the receiver has it."""
    former = head.lineage.former_patient_ids
    if event.receiver in former:
        return former[: former.index(event.receiver)]
    return (*former, event.donor)


def _row_name(head: DocumentHead | DocumentRecord) -> str:
    """Names this state of the row, and no other that it ever has."""
    version = head.version.model_dump(mode="json")
    return deterministic_id("row", head.lineage.transferred_from, version, head.updated_at)

"""The steps of a chart on its way from one patient to another (why: `patient_merges`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from agents.indexing.document_indexer import FactKeeper
from agents.indexing.document_status import ASIDE, RETRACTED
from agents.indexing.emission import Log
from agents.indexing.suppressed_facts import of_patient, shelved
from agents.indexing.versions import Order, compare
from agents.merging.patient_merges import marker_of
from agents.ports import DocumentHead, DocumentRecord, EmbeddedFact, Emit
from schemas.events import Position, deterministic_id
from schemas.patients import ChartMoved, TakenRow


@dataclass(frozen=True)
class Moves:
    """Applies each step in the order of the patient whose rows it changes."""

    keeper: FactKeeper

    async def apply(self, step: ChartMoved, position: Position, emit: Emit) -> None:
        """Nothing where a later statement about the merge has overtaken the step."""
        moved = await marker_of(self.keeper.index, step.receiver if step.home else step.donor)
        merged_into = moved.lineage.because if moved else None
        if merged_into == step.donor if step.home else merged_into != step.receiver:
            return
        log = Log(position, emit, self.keeper.clock)
        if step.step == "asked":
            await self._asked(step, log)
        elif step.step == "given":
            await self._given(step, log)
        else:
            rows = {taken.document_id: taken.row for taken in step.rows}
            heads = await self._meant(step)
            gone = [head for head in heads if rows.get(head.document_id) == _row(head)]
            await self.keeper.placing.forget(step.donor, gone, log)

    async def _asked(self, step: ChartMoved, log: Log) -> None:
        """Give what is here, and pass the question on to where the chart may have gone."""
        given = {"step": "given", "patient_id": step.receiver, "passed": ()}
        await log.emit(step.model_copy(update=given))
        onward = await self._onward(step)
        if onward:
            passed = (*step.passed, step.donor)
            asked = {"patient_id": onward, "donor": onward, "passed": passed}
            await log.emit(step.model_copy(update=asked))

    async def _given(self, step: ChartMoved, log: Log) -> None:
        """Take it, give on what does not belong here now, and say what was taken."""
        heads = await self._meant(step)
        for head in heads:
            await self._take(head, step, log)
        await self.keeper.placing.settle(step.receiver, log)
        # By what is here: the donor may have forgotten when this step comes again.
        here = await self.keeper.index.documents(step.receiver)
        for past in sorted({head.lineage.via[-1] for head in here if head.lineage.via}):
            marker = await marker_of(self.keeper.index, past)
            # It was split off while its documents were elsewhere, and has asked in vain.
            if marker and marker.lineage.because != step.receiver:
                await log.emit(_next(step, past, home=True))
        onward = await self._onward(step)
        if onward:
            await log.emit(_next(step, onward, home=False))
        if heads:
            rows = tuple(TakenRow(document_id=h.document_id, row=_row(h)) for h in heads)
            taken = {"step": "taken", "patient_id": step.donor, "rows": rows}
            await log.emit(step.model_copy(update=taken))

    async def _onward(self, step: ChartMoved) -> str | None:
        """Into whom this patient was merged itself, unless the step came by there."""
        marker = await marker_of(self.keeper.index, step.patient_id)
        into = marker.lineage.because if marker else None
        return None if into in (*step.passed, step.donor, step.receiver) else into

    async def _meant(self, step: ChartMoved) -> list[DocumentHead]:
        """The donor's documents that go: all of a merged patient, or those that go home."""
        heads = await self.keeper.index.documents(step.donor)
        return [head for head in heads if not step.home or step.receiver in head.lineage.via]

    async def _take(self, head: DocumentHead, step: ChartMoved, log: Log) -> None:
        index = self.keeper.index
        theirs = await index.document(step.donor, head.document_id)
        ours = await index.document(step.receiver, head.document_id)
        if theirs is None:
            return
        # Names the row that this one stands for. The same one taken again makes no other of ours;
        # one that has been round does, or a late `taken` for ours would delete the last there is.
        moved = deterministic_id("moved", step.donor, _row(head))
        order = compare(ours.version, theirs.version) if ours else Order.NEWER
        if ours and order is not Order.NEWER:
            # A row of its own now: a `taken` on its way here means the one of before.
            via = _way(head, step) if order is Order.SAME else ours.lineage.via
            kept = replace(ours.lineage, via=via, moved=moved)
            await index.write(replace(ours, lineage=kept), (), ())
            return
        facts = of_patient(await self._facts(theirs), step.receiver)
        record = replace(
            theirs,
            patient_id=step.receiver,
            fact_ids=tuple(each.fact.fact_id for each in facts),
            lineage=replace(theirs.lineage, via=_way(head, step), shelved=False, moved=moved),
        )
        await self.keeper.placing.place(record, facts, ours, log)

    async def _facts(self, record: DocumentRecord) -> Sequence[EmbeddedFact]:
        if record.status == RETRACTED:
            return ()
        if record.status in ASIDE:
            return await shelved(self.keeper.index, record.patient_id, record.document_id)
        return await self.keeper.index.facts(record.patient_id, record.fact_ids)


def _way(head: DocumentHead, step: ChartMoved) -> tuple[str, ...]:
    """By which ids a document has come when the receiver has it."""
    via = head.lineage.via
    return via[: via.index(step.receiver)] if step.receiver in via else (*via, step.donor)


def _next(step: ChartMoved, receiver: str, *, home: bool) -> ChartMoved:
    """The lane that has taken gives on to `receiver`."""
    said = {
        "patient_id": receiver,
        "donor": step.receiver,
        "receiver": receiver,
        "home": home,
        "passed": () if home else (*step.passed, step.receiver),
    }
    return step.model_copy(update=said)


def _row(head: DocumentHead) -> str:
    """Names this state of the row, and no other that it ever has."""
    version = head.version.model_dump(mode="json")
    return deterministic_id("row", head.lineage.moved, version, head.updated_at)

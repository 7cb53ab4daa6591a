"""The steps of a chart on its way from one patient to another; `agents.patients` says why so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from agents.facts.follow import FactKeeper
from agents.facts.log import Log
from agents.facts.shelf import of_patient, shelved
from agents.facts.standing import ASIDE, RETRACTED
from agents.facts.versions import Order, compare
from agents.patients import marker_of
from agents.ports import DocumentHead, DocumentRecord, EmbeddedFact, Emit
from schemas.events import Position
from schemas.patients import ChartMoved


@dataclass(frozen=True)
class Moves:
    """Applies each step in the order of the patient whose rows it changes."""

    keeper: FactKeeper

    async def apply(self, step: ChartMoved, position: Position, emit: Emit) -> None:
        """Nothing where a later statement about the merge has overtaken the step."""
        marker = await marker_of(self.keeper.index, step.about)
        if marker is None or marker.updated_at != step.stated_at:
            return
        log = Log(position, emit, self.keeper.clock)
        if step.step == "asked":
            await self._asked(step, log)
        elif step.step == "given":
            await self._given(step, log)
        else:
            await self.keeper.forget(step.donor, await self._moving(step), log)

    async def _asked(self, step: ChartMoved, log: Log) -> None:
        """Give what is here, and pass the question on to where the chart may have gone."""
        given = {"step": "given", "patient_id": step.receiver}
        await log.emit(step.model_copy(update=given))
        onward = await self._onward(step)
        if onward:
            await log.emit(step.model_copy(update={"patient_id": onward, "donor": onward}))

    async def _given(self, step: ChartMoved, log: Log) -> None:
        heads = await self._moving(step)
        for head in heads:
            await self._take(head, step, log)
        if heads:
            documents = tuple(head.document_id for head in heads)
            taken = {"step": "taken", "patient_id": step.donor, "documents": documents}
            await log.emit(step.model_copy(update=taken))
        here = step.patient_id
        came_by = {via[-1] for head in heads if (via := _way(head, step))}
        for past in sorted(came_by):
            marker = await marker_of(self.keeper.index, past)
            # It was split off while its documents were elsewhere, and has asked in vain.
            if marker and marker.lineage.because != here:
                await log.emit(_next(step, past, about=past, stated_at=marker.updated_at))
        onward = await self._onward(step)
        marker = await marker_of(self.keeper.index, here)
        if onward and marker:
            said = _next(step, onward, about=here, stated_at=marker.updated_at)
            await log.emit(said.model_copy(update={"passed": (*step.passed, here)}))

    async def _onward(self, step: ChartMoved) -> str | None:
        """Into whom this patient was merged itself, unless the step came by there."""
        marker = await marker_of(self.keeper.index, step.patient_id)
        into = marker.lineage.because if marker else None
        return None if into in (*step.passed, step.donor, step.receiver) else into

    async def _moving(self, step: ChartMoved) -> list[DocumentHead]:
        """The donor's documents that are meant: all of a merged patient, or those that go home."""
        heads = await self.keeper.index.documents(step.donor)
        if step.step == "taken":
            heads = [head for head in heads if head.document_id in step.documents]
        if step.about == step.donor:
            return heads
        return [head for head in heads if step.receiver in head.lineage.via]

    async def _take(self, head: DocumentHead, step: ChartMoved, log: Log) -> None:
        index = self.keeper.index
        theirs = await index.document(step.donor, head.document_id)
        ours = await index.document(step.receiver, head.document_id)
        if theirs is None:
            return
        if ours and compare(ours.version, theirs.version) is not Order.NEWER:
            return
        facts = of_patient(await self._facts(theirs), step.receiver)
        record = replace(
            theirs,
            patient_id=step.receiver,
            fact_ids=tuple(each.fact.fact_id for each in facts),
            lineage=replace(theirs.lineage, via=_way(head, step), shelved=False),
        )
        await self.keeper.place(record, facts, ours, log)

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


def _next(step: ChartMoved, receiver: str, *, about: str, stated_at: datetime) -> ChartMoved:
    """The lane that has taken gives on to `receiver`."""
    said = {
        "step": "given",
        "patient_id": receiver,
        "donor": step.patient_id,
        "receiver": receiver,
        "about": about,
        "stated_at": stated_at,
        "passed": (),
    }
    return step.model_copy(update=said)

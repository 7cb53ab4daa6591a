"""Merges: which patient's chart an event belongs to, and what moves when that changes.

`PatientMerged` comes in the lane of the patient that it is about, for every Patient resource that
is seen. What it says is kept as that patient's `PatientLinks`:

    NEVER_MERGED ──merged into B──► MERGED ──merged into C──► MERGED
                                      │ ▲
                          no longer ──▼ │── merged into B
                                   SEPARATE

Becoming MERGED sends the chart to the other patient, and then marks this one as merged: from here
on whatever comes under its id is rerouted to the other, behind the chart; so a text published under
the old id finds the whole chart. Ceasing to be merged into a patient requests the chart back from
there, behind all that was rerouted (`chart_transfer` says how charts travel). Between the two a
text of either patient may miss facts, and never sees the other's.

A merge that would close a circle is refused.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from agents.chart_records import MergeState, PatientLinks, WritePosition
from agents.indexing.versions import Order, advanced, compare
from agents.ports import Emit, FactIndex
from schemas.notes import NoteChanged, NoteRetracted
from schemas.outcomes import Outcome, OutcomeRecorded
from schemas.patients import ChartTransfer, PatientMerged, TransferStep
from schemas.texts import TextGenerated

_OUTCOMES = {
    MergeState.MERGED: (Outcome.MERGED, None),
    MergeState.SEPARATE: (Outcome.UNMERGED, None),
    MergeState.NEVER_MERGED: (Outcome.SKIPPED, "no_merge"),
}

OfPatient = NoteChanged | NoteRetracted | TextGenerated


async def rerouted(index: FactIndex, event: OfPatient) -> OfPatient | None:
    """The event under the id that its patient was merged into; None when it is right as it is."""
    links = await index.patient_links(event.patient_id)
    into = links.merged_into if links else None
    if into is None or into in event.former_patient_ids:
        return None
    former = (*event.former_patient_ids, event.patient_id)
    return event.model_copy(update={"patient_id": into, "former_patient_ids": former})


@dataclass(frozen=True)
class PatientMerges:
    """What Patient resources say of merges, in the lane of the patient they speak of."""

    index: FactIndex

    async def apply(self, event: PatientMerged, at: WritePosition, emit: Emit) -> None:
        """Keep what it says, and start transfers. Ends in an outcome, but for `stated_by`."""
        links = await self.index.patient_links(event.patient_id)
        order = compare(links.version, event.version) if links else Order.NEWER
        outcome, reason = Outcome.UNCHANGED, None
        if links and order is Order.OLDER:
            outcome = Outcome.STALE
        elif event.into and await self._is_circle(event.patient_id, event.into):
            outcome, reason = Outcome.SKIPPED, "merge_circle"
        else:
            if links is None or order is Order.NEWER:
                await self._tell_replaced_patients(event, links, emit)
                links = _links_after(event, links)
                await self.index.write_patient_links(links, at)
            if links.stated_at == event.occurred_at:
                await _start_transfers(event, links, emit)
            if links.stated_at == event.occurred_at or links.state is MergeState.NEVER_MERGED:
                outcome, reason = _OUTCOMES[links.state]
        if event.stated_by is None:
            await emit(_outcome(event, outcome, reason))

    async def _is_circle(self, patient_id: str, into: str) -> bool:
        seen: set[str] = set()
        ahead: str | None = into
        while ahead and ahead not in seen and ahead != patient_id:
            seen.add(ahead)
            links = await self.index.patient_links(ahead)
            ahead = links.merged_into if links else None
        return ahead == patient_id

    async def _tell_replaced_patients(
        self, event: PatientMerged, links: PatientLinks | None, emit: Emit
    ) -> None:
        """A link may stand on one side only: pass on what this side says of the others."""
        if event.stated_by is not None:
            return
        before = frozenset(links.replaces if links else ())
        for other in sorted(before.symmetric_difference(event.replaces)):
            changes = {
                "patient_id": other,
                "into": event.patient_id if other in event.replaces else None,
                "replaces": (),
                "stated_by": event.patient_id,
                # Numbers of versions are another resource's; only times can be compared.
                "version": event.version.model_copy(update={"version_id": None}),
            }
            await emit(event.model_copy(update=changes))


def _links_after(event: PatientMerged, before: PatientLinks | None) -> PatientLinks:
    """What is known of the patient after a newer statement."""
    was_merged_into = before.merged_into if before else None
    links = PatientLinks(
        patient_id=event.patient_id,
        state=_state(event.into, was_merged_into),
        merged_into=event.into,
        formerly_merged_into=was_merged_into,
        replaces=event.replaces,
        version=advanced(before.version, event.version) if before else event.version,
        stated_at=event.occurred_at,
    )
    if before is None:
        return links
    if event.stated_by is not None:
        links = replace(links, replaces=before.replaces)
    if event.into != was_merged_into:
        return links
    # Nothing moves: what was stated last about where the chart is stays.
    return replace(
        links,
        state=before.state,
        formerly_merged_into=before.formerly_merged_into,
        stated_at=before.stated_at,
    )


def _state(into: str | None, was_merged_into: str | None) -> MergeState:
    if into:
        return MergeState.MERGED
    return MergeState.SEPARATE if was_merged_into else MergeState.NEVER_MERGED


async def _start_transfers(event: PatientMerged, links: PatientLinks, emit: Emit) -> None:
    """The chart goes to the new patient; what is with the former one is requested back."""
    patient_id = event.patient_id
    common = {"occurred_at": event.occurred_at, "stated_at": links.stated_at}
    if links.merged_into:
        await emit(
            ChartTransfer(
                **common,
                patient_id=links.merged_into,
                step=TransferStep.SENT,
                donor=patient_id,
                receiver=links.merged_into,
                is_return=False,
            )
        )
    if links.formerly_merged_into:
        await emit(
            ChartTransfer(
                **common,
                patient_id=links.formerly_merged_into,
                step=TransferStep.REQUESTED,
                donor=links.formerly_merged_into,
                receiver=patient_id,
                is_return=True,
            )
        )


def _outcome(event: PatientMerged, outcome: Outcome, reason: str | None) -> OutcomeRecorded:
    return OutcomeRecorded(
        occurred_at=event.occurred_at,
        source=event.source,
        item=event.item,
        items=event.items,
        outcome=outcome,
        reason=reason,
        patient_id=event.patient_id,
    )

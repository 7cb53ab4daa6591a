"""Merges: which patient's chart an event belongs to, and charts that move when that changes.

Every row of a patient is written in that patient's order (lane) and nowhere else, so what concerns
two patients goes to and fro as events, each in the order of the one whose rows it changes:

1. `PatientMerged` comes in the order of the old id. Its lane sends `given` to the new id, and then
   marks the old one as merged. From here on whatever comes under the old id is sent on to the new
   one, behind `given`; so a text published under the old id finds the whole chart.
2. The new id's lane reads the old one's documents and makes them its own as it would a note that
   comes: a newer version that it has already stays. Then it sends `taken` back.
3. The old id's lane forgets what was taken.

An unmerge sends `asked` to the patient that has the chart, behind all that was sent on to it; that
lane answers with `given`, and steps 2 and 3 bring home what came from there (`Lineage.via`), also
by way of a third patient. Between the two a text of either may miss facts, never see the other's.

A step can come late or twice. Each one looks at the marker first: what is given must be merged
there now, what goes home must not be. `taken` names the rows that were read, so a late one cannot
delete what has come since. A circle of merges is refused; one that arises by two at once ends,
because no event goes to an id that it came by.

The marker of a patient is a row beside its shelf, where no document can be. It says into whom the
patient was merged (`because`), whose chart it was before (`via`), and which ids it says it stands
for (`identifiers`). It is written for every Patient resource, or an unmerge that comes before its
merge would be forgotten.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from agents.indexing.suppressed_facts import shelf_of
from agents.indexing.versions import Order, advanced, compare
from agents.ports import DocumentRecord, Emit, FactIndex, Lineage
from schemas.notes import NoteChanged, NoteRetracted
from schemas.outcomes import Outcome, OutcomeRecorded
from schemas.patients import ChartMoved, PatientMerged
from schemas.texts import TextGenerated

MARKER = " merged"
MERGED = "merged"
SEPARATE = "separate"
NEVER_MERGED = "never merged"
_OUTCOMES = {MERGED: Outcome.MERGED, SEPARATE: Outcome.UNMERGED}

OfPatient = NoteChanged | NoteRetracted | TextGenerated


async def readdressed(index: FactIndex, event: OfPatient) -> OfPatient | None:
    """The event under the id that its patient was merged into; None when it is right as it is."""
    marker = await marker_of(index, event.patient_id)
    into = marker.lineage.because if marker else None
    if into is None or into in event.via:
        return None
    via = (*event.via, event.patient_id)
    return event.model_copy(update={"patient_id": into, "via": via})


async def marker_of(index: FactIndex, patient_id: str) -> DocumentRecord | None:
    return await index.document(shelf_of(patient_id), MARKER)


@dataclass(frozen=True)
class Merges:
    """What Patient resources say of merges, in the order of the patient they speak of."""

    index: FactIndex

    async def apply(self, event: PatientMerged, emit: Emit) -> None:
        """Take note of it, and set the chart moving. Ends in an outcome, but for `stated_by`."""
        marker = await marker_of(self.index, event.patient_id)
        order = compare(marker.version, event.version) if marker else Order.NEWER
        outcome, reason = Outcome.UNCHANGED, None
        if marker and order is Order.OLDER:
            outcome = Outcome.STALE
        elif event.into and await self._is_circle(event.patient_id, event.into):
            outcome, reason = Outcome.SKIPPED, "merge_circle"
        else:
            if marker is None or order is Order.NEWER:
                await self._tell_those_replaced(event, marker, emit)
                marker = _marker(event, marker)
                await self.index.write(marker, (), ())
            if marker.updated_at == event.occurred_at:
                outcome = _OUTCOMES.get(marker.status, Outcome.SKIPPED)
                await _move(event, marker, emit)
            if marker.status == NEVER_MERGED:
                outcome, reason = Outcome.SKIPPED, "no_merge"
        if event.stated_by is None:
            await emit(_recorded(event, outcome, reason))

    async def _is_circle(self, patient_id: str, into: str) -> bool:
        seen: set[str] = set()
        ahead: str | None = into
        while ahead and ahead not in seen and ahead != patient_id:
            seen.add(ahead)
            marker = await marker_of(self.index, ahead)
            ahead = marker.lineage.because if marker else None
        return ahead == patient_id

    async def _tell_those_replaced(
        self, event: PatientMerged, marker: DocumentRecord | None, emit: Emit
    ) -> None:
        """A link may stand on one side only: pass on what this side says of the others."""
        if event.stated_by is not None:
            return
        before = frozenset(marker.lineage.identifiers if marker else ())
        for other in sorted(before.symmetric_difference(event.replaces)):
            said = {
                "patient_id": other,
                "into": event.patient_id if other in event.replaces else None,
                "replaces": (),
                "stated_by": event.patient_id,
                # Numbers of versions are another resource's; only times can be compared.
                "version": event.version.model_copy(update={"version_id": None}),
            }
            await emit(event.model_copy(update=said))


def _marker(event: PatientMerged, before: DocumentRecord | None) -> DocumentRecord:
    """What is known of the patient after a newer statement."""
    was = before.lineage.because if before else None
    marker = DocumentRecord(
        patient_id=shelf_of(event.patient_id),
        document_id=MARKER,
        version=advanced(before.version, event.version) if before else event.version,
        status=MERGED if event.into else SEPARATE if was else NEVER_MERGED,
        fact_ids=(),
        note_time=event.occurred_at,
        updated_at=event.occurred_at,
        lineage=Lineage(because=event.into, identifiers=event.replaces, via=(was,) if was else ()),
    )
    if before is None:
        return marker
    if event.stated_by is not None:
        own = before.lineage.identifiers
        marker = replace(marker, lineage=replace(marker.lineage, identifiers=own))
    if event.into != was:
        return marker
    # Nothing moves: what was stated last about where the chart is stays.
    kept = replace(marker.lineage, via=before.lineage.via)
    return replace(marker, status=before.status, updated_at=before.updated_at, lineage=kept)


async def _move(event: PatientMerged, marker: DocumentRecord, emit: Emit) -> None:
    """The chart goes to the new patient; what is with the one of before is asked back."""
    patient_id, into = event.patient_id, marker.lineage.because

    async def send(step: Literal["given", "asked"], other: str) -> None:
        await emit(
            ChartMoved(
                occurred_at=event.occurred_at,
                patient_id=other,
                step=step,
                donor=patient_id if step == "given" else other,
                receiver=other if step == "given" else patient_id,
                home=step == "asked",
                stated_at=marker.updated_at,
            )
        )

    if into:
        await send("given", into)
    for before in marker.lineage.via:
        await send("asked", before)


def _recorded(event: PatientMerged, outcome: Outcome, reason: str | None) -> OutcomeRecorded:
    return OutcomeRecorded(
        occurred_at=event.occurred_at,
        source=event.source,
        item=event.item,
        items=event.items,
        outcome=outcome,
        reason=reason,
        patient_id=event.patient_id,
    )

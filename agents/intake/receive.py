"""The intake agent: one inbound record in, strict events on `chart` and recorded outcomes out.

It keeps no state, so a repeat of a record repeats the same events with the same ids.

Nothing is lost: a resource that is damaged ends the record in a dead letter, which keeps the bytes,
but only after its neighbours were emitted. Replaying the dead letter repeats them, which is
harmless. The record has one outcome a resource all the same: those of the first damaged resource
come from the dead letter (`InvalidEvent.item`), those of the others from here.

Reading is pure, and done in a thread, whatever its size: a PDF is waited for, however deep in a
small record it hides. What reading needs from a server is fetched here. A server that is away ends
the attempt with a `TransientError`, and the whole record comes again.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo
from functools import partial
from typing import Any, TypeVar

from agents.concurrency import Threads, map_bounded
from agents.errors import InvalidEvent, PermanentError
from agents.intake.envelope import Item
from agents.intake.fields import NO_STATUSES
from agents.intake.patient_events import PatientIds
from agents.intake.read import Reader, Reading, read_items
from agents.intake.reasons import Disposition, Reason, RecordRejected
from agents.intake.statuses import Statuses
from agents.intake.texts import read_text, readable_text_id
from agents.ports import Clock, Emit, Fetched, NoteSource, Record
from schemas.events import Event
from schemas.identity import canonical_base
from schemas.notes import DocumentDeleted, NoteChanged, NoteRetracted
from schemas.outcomes import Outcome, OutcomeRecorded
from schemas.patients import PatientMerged

T = TypeVar("T")

BATCH = 32
"""Resources of a record that are read, and fetched for, before their events are emitted: so many
fetched notes are in memory at once."""
FETCHES_AT_ONCE = 8
MAX_FETCHES = 8
"""For one resource: its formats, or the resource of a notification and then its formats."""


READERS = 64
"""Threads of their own: with fewer than records at work, PDFs that are waited for, up to their
deadline, would hold up every other note."""


class Intake:
    """Stateless: `documents` and `texts` may run for any records at once."""

    def __init__(  # noqa: PLR0913 - what a site sets
        self,
        clock: Clock,
        *,
        default_zone: tzinfo = UTC,
        source: NoteSource | None = None,
        patient_ids: PatientIds | None = None,
        home_bases: Collection[str] = (),
        statuses: Statuses = NO_STATUSES,
        bundle_patient: bool = False,
    ) -> None:
        """`source`: where attachments and notifications by reference are fetched; skipped without.

        `patient_ids`: who has an identifier (see `patients.read_identifier_map`), for subjects
        that give no more than that. `home_bases`: the URLs of the one server whose ids stand
        alone; ids of all others keep their base (see `references`). `statuses`: what a site's own
        statuses mean. `bundle_patient`: see `read_documents`.
        """
        self._clock = clock
        self._zone = default_zone
        self._source = source
        self._patient_ids = patient_ids or {}
        self._threads = Threads(READERS)
        self._homes = frozenset(map(canonical_base, home_bases))
        self._statuses = dict(statuses)
        self._bundle_patient = bundle_patient

    async def documents(self, record: Record, emit: Emit) -> None:
        """FHIR JSON: an event of the chart or a skipped outcome for each resource.

        Raises `InvalidEvent` for the first resource that is damaged, when all others are emitted,
        and `TransientError` while a server is away.
        """
        now = self._clock.now()
        received = datetime.fromtimestamp(record.timestamp, UTC) if record.timestamp > 0 else now
        items = await self._threads.run(
            partial(read_items, record.value, key=record.key, headers=record.headers)
        )
        reader = _FetchingReader(
            Reader(
                received,
                self._zone,
                self._patient_ids,
                self._homes,
                self._statuses,
                self._bundle_patient,
            ),
            self._source,
            len(items),
            self._threads,
        )
        first: Reading | None = None
        damaged = 0
        for start in range(0, len(items), BATCH):
            batch = list(enumerate(items[start : start + BATCH], start))
            for reading in await reader.read(batch):
                is_damaged = reading.outcome is Disposition.DEAD_LETTER and not _is_found(reading)
                damaged += is_damaged
                if is_damaged and first is None:
                    first = reading
                else:
                    await emit(_event(reading, record, now))
        if first:
            raise _dead_letter(first, damaged)

    async def texts(self, record: Record, emit: Emit) -> None:
        """`TextGenerated` JSON, passed on with its `source`. Raises `InvalidEvent`."""
        try:
            event = read_text(
                record.value,
                ce_type=_ce_type(record.headers),
                zone=self._zone,
                home_bases=self._homes,
            )
        except RecordRejected as rejected:
            known = readable_text_id(record.value)
            raise InvalidEvent(rejected.reason, rejected.detail, text_id=known) from None
        await emit(event.model_copy(update={"source": record.position}))


@dataclass(frozen=True)
class _FetchingReader:
    """Reads the items of a record, fetching what they want."""

    reader: Reader
    source: NoteSource | None
    items: int
    threads: Threads

    async def read(self, batch: Sequence[tuple[int, Item]]) -> list[Reading]:
        def offline() -> list[Reading]:
            return [self.reader.read(item, number, self.items) for number, item in batch]

        readings = await self.threads.run(offline)
        source = self.source
        if source is None or not any(reading.missing_reference for reading in readings):
            return readings
        begun = [(item, reading) for (_, item), reading in zip(batch, readings, strict=True)]
        return await map_bounded(lambda one: self._complete(source, *one), begun, FETCHES_AT_ONCE)

    async def _complete(self, source: NoteSource, item: Item, reading: Reading) -> Reading:
        for _ in range(MAX_FETCHES):
            if reading.missing_reference is None:
                break
            answer = await _answer(source, reading.missing_reference)
            item = replace(item, fetched={**item.fetched, reading.missing_reference: answer})
            read = partial(self.reader.read, item, reading.item, self.items)
            reading = await self.threads.run(read)
        return reading


async def _answer(source: NoteSource, reference: str) -> Fetched | PermanentError:
    try:
        return await source.fetch(reference)
    except PermanentError as error:
        return error


def _event(reading: Reading, record: Record, now: datetime) -> Event:
    values: dict[str, Any] = {
        "occurred_at": now,
        "source": record.position,
        "item": reading.item,
        "items": reading.items,
        "patient_id": reading.patient_id,
        "document_id": reading.document_id,
    }
    if reading.links:
        del values["document_id"]
        links = reading.links
        values |= {"into": links.into, "replaces": links.replaces, "version": links.version}
        return PatientMerged(**values)
    if _is_found(reading):
        del values["patient_id"]
        return DocumentDeleted(**values, version=_known(reading.version), reason=reading.cause)
    others = {"relations": reading.relations, "identifiers": reading.identifiers}
    if reading.outcome is Disposition.ACCEPTED:
        values |= {"version": _known(reading.version), "note": _known(reading.note)}
        values["partial"] = dict(reading.partial)
        return NoteChanged(**values, **others, resource_type=_known(reading.resource_type))
    if reading.outcome is Disposition.RETRACTED:
        values |= {"version": _known(reading.version), "reason": _known(reading.reason)}
        return NoteRetracted(**values, **others)
    rejected = reading.outcome is Disposition.SKIPPED
    outcome = Outcome.SKIPPED if rejected else Outcome.DEAD_LETTERED
    return OutcomeRecorded(**values, outcome=outcome, reason=reading.reason, detail=reading.detail)


def _is_found(reading: Reading) -> bool:
    """A deletion that names its document: whose it is, the index knows (see `agents.chart`)."""
    return reading.reason is Reason.DELETION and reading.document_id is not None


def _known(part: T | None) -> T:
    assert part is not None, "a reading has what its outcome needs"
    return part


def _dead_letter(first: Reading, damaged: int) -> InvalidEvent:
    detail = f"{first.place}: {first.detail}" if first.place else _known(first.detail)
    if first.items > 1:
        detail += f" {damaged} of {first.items} resources are damaged; the others went on."
    return InvalidEvent(_known(first.reason), detail, item=first.item, items=first.items)


def _ce_type(headers: Mapping[str, bytes]) -> str | None:
    given = headers.get("ce_type")
    return given.decode("utf-8", "replace") if given else None

"""The intake agent: one inbound record in, strict events on `chart` and recorded outcomes out.

It keeps no state, so a repeat of a record repeats the same events with the same ids.

Nothing is lost: a resource that is damaged ends the record in a dead letter, which keeps the bytes,
but only after its neighbours were emitted. Replaying the dead letter repeats them, which is
harmless. The record has one outcome a resource all the same: those of the first damaged resource
come from the dead letter (`InvalidEvent.item`), those of the others from here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import UTC, datetime, tzinfo
from functools import partial
from typing import Any, TypeVar

from agents.errors import InvalidEvent
from agents.intake.read import Reading, read_documents
from agents.intake.reasons import Disposition, Ended
from agents.intake.texts import read_text
from agents.ports import Clock, Emit, Record
from schemas.events import Event
from schemas.notes import NoteChanged, NoteRetracted
from schemas.outcomes import Outcome, OutcomeRecorded

T = TypeVar("T")

_IN_THREAD_BYTES = 256 * 1024
"""Larger records are read in a thread: megabytes of HTML would hold up the loop for seconds."""
_PDF_OR_GZIP = (b"JVBER", b"H4sI")
"""How `%PDF` and the gzip magic begin in base64: a PDF is waited for, a process reads it."""


class Intake:
    """Stateless: `documents` and `texts` may run for any records at once."""

    def __init__(self, clock: Clock, *, default_zone: tzinfo = UTC) -> None:
        self._clock = clock
        self._zone = default_zone

    async def documents(self, record: Record, emit: Emit) -> None:
        """FHIR JSON: `NoteChanged`, `NoteRetracted` or a skipped outcome for each resource.

        Raises `InvalidEvent` for the first resource that is damaged, when all others are emitted.
        """
        now = self._clock.now()
        received = datetime.fromtimestamp(record.timestamp, UTC) if record.timestamp > 0 else now
        read = partial(read_documents, received_at=received, default_zone=self._zone)
        slow = _is_slow(record.value or b"")
        readings = await asyncio.to_thread(read, record.value) if slow else read(record.value)
        damaged = [r for r in readings if r.outcome is Disposition.DEAD_LETTER]
        for reading in readings:
            if reading not in damaged[:1]:
                await emit(_event(reading, record, now))
        if damaged:
            raise _dead_letter(damaged[0], len(damaged))

    async def texts(self, record: Record, emit: Emit) -> None:
        """`TextGenerated` JSON, passed on with its `source`. Raises `InvalidEvent`."""
        try:
            event = read_text(record.value, ce_type=_ce_type(record.headers), zone=self._zone)
        except Ended as ended:
            raise InvalidEvent(ended.reason, ended.detail) from None
        await emit(event.model_copy(update={"source": record.position}))


def _is_slow(value: bytes) -> bool:
    return len(value) > _IN_THREAD_BYTES or any(mark in value for mark in _PDF_OR_GZIP)


def _event(reading: Reading, record: Record, now: datetime) -> Event:
    said: dict[str, Any] = {
        "occurred_at": now,
        "source": record.position,
        "item": reading.item,
        "items": reading.items,
        "patient_id": reading.patient_id,
        "document_id": reading.document_id,
    }
    if reading.outcome is Disposition.ACCEPTED:
        return NoteChanged(**said, version=_known(reading.version), note=_known(reading.note))
    if reading.outcome is Disposition.RETRACTED:
        reason = _known(reading.reason)
        return NoteRetracted(**said, version=_known(reading.version), reason=reason)
    ended = reading.outcome is Disposition.SKIPPED
    outcome = Outcome.SKIPPED if ended else Outcome.DEAD_LETTERED
    return OutcomeRecorded(**said, outcome=outcome, reason=reading.reason, detail=reading.detail)


def _known(part: T | None) -> T:
    assert part is not None, "a reading has what its outcome needs"
    return part


def _dead_letter(first: Reading, damaged: int) -> InvalidEvent:
    detail = f"{first.place}: {first.detail}" if first.place else _known(first.detail)
    if first.items > 1:
        detail += f" {damaged} of {first.items} resources are damaged; the others went on."
    return InvalidEvent(_known(first.reason), detail, item=first.item, items=first.items)


def _ce_type(headers: Mapping[str, bytes]) -> str | None:
    said = headers.get("ce_type")
    return said.decode("utf-8", "replace") if said else None

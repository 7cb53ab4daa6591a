"""Bulk loads beside live traffic: a note of a backfill enters `chart` when an earlier one is done.

Whatever is in `chart` stands before the next live text, so a backfill must never fill it. Here a
record of `inbound.backfill` is in work until each of its notes has its outcome: indexed, unchanged,
stale, or a dead letter. With `max_in_flight` of its delivery that makes a window: no worker has
more than so many notes of a backfill in `chart`, however fast they are read and however slow the
index is. During an outage no outcomes come, so nothing more goes in. The group's lag on
`inbound.backfill` is what remains to be done.

Outcomes tell this exactly and at once, which the lag of the group on `chart` does not: offsets are
committed once a second, and live notes count in it, so a busy feed would stop the backfill for
good or let it in, depending on one number.

A window alone still shares processors and models with the text that a clinician waits for. So
nothing more of a backfill goes in while a live text lacks its score sheet, wherever it is verified;
only where texts never cease does a note go in after `YIELD_SECONDS` all the same. And what is in
already steps aside: its facts are embedded (nearly all of a note's cost) a few at a time, between
which it waits for live texts, though not for long, as one may wait for this very note
(`throttling`).

An outcome that does not come for `PATIENCE_SECONDS` (nobody should lose one, but a restored broker
might) is asked for by repeating the record, which changes nothing in the index.
"""

from __future__ import annotations

import asyncio

from agents.errors import DeadlineExceeded
from agents.ports import Emit, Record
from schemas.events import Event
from schemas.notes import NoteChanged, NoteRetracted
from schemas.topics import MAX_INBOUND_BYTES
from streams.delivery.live_traffic import Traffic
from streams.delivery.policy import DeliveryPolicy
from streams.delivery.settlement import Handler

PATIENCE_SECONDS = 600.0
YIELD_SECONDS = 5.0


def backfill_policy(in_flight: int) -> DeliveryPolicy:
    """`in_flight` records at once. Little waits in memory, there is no hurry; and what waits for an
    outcome is given up soon when the worker stops: its next owner repeats it."""
    return DeliveryPolicy(
        max_in_flight=in_flight,
        max_buffered=100,
        max_buffered_bytes=2 * MAX_INBOUND_BYTES,
        drain_seconds=2.0,
    )


class BackfillAdmission:
    """Intake's handler for `inbound.backfill`: `inner`, with each note held back and waited for."""

    def __init__(
        self,
        inner: Handler,
        traffic: Traffic,
        *,
        patience_s: float = PATIENCE_SECONDS,
        yield_s: float = YIELD_SECONDS,
    ) -> None:
        self._inner = inner
        self._traffic = traffic
        self._patience_s = patience_s
        self._yield_s = yield_s

    async def handle(self, record: Record, emit: Emit) -> None:
        async def emit_in_turn(event: Event) -> None:
            if not isinstance(event, NoteChanged | NoteRetracted):
                await emit(event)
                return
            await self._traffic.no_texts(self._yield_s)
            done = await self._traffic.expect(event.source, event.item)
            try:
                await emit(event)
                async with asyncio.timeout(self._patience_s):
                    await done
            except TimeoutError:
                raise DeadlineExceeded(
                    "chart", f"A note had no outcome for {self._patience_s:g} s; it is repeated."
                ) from None
            finally:
                done.cancel()

        await self._inner(record, emit_in_turn)

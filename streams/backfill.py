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
which it waits for live texts (`Sparing`), though not for long, as one may wait for this very note.

An outcome that does not come for `PATIENCE_SECONDS` (nobody should lose one, but a restored broker
might) is asked for by repeating the record, which changes nothing in the index.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, suppress
from contextvars import ContextVar
from typing import Protocol

from aiokafka.errors import KafkaError

from agents.errors import DeadlineExceeded, DependencyUnavailable, PermanentError
from agents.events import read_event
from agents.ports import Embedder, Embedding, Emit, Record
from schemas.events import Event, Position
from schemas.notes import NoteChanged, NoteRetracted
from schemas.outcomes import OutcomeRecorded
from schemas.topics import INBOUND_BACKFILL, INBOUND_TEXTS, MAX_INBOUND_BYTES, OUTCOMES, Topic
from streams.policy import DeliveryPolicy
from streams.settlement import Handler

PATIENCE_SECONDS = 600.0
YIELD_SECONDS = 5.0
STEP_ASIDE_SECONDS = 2.0
"""In all, for one note: a text of its own patient may wait behind it."""
SPARING_ROWS = 4
"""Facts embedded at a time: some ten milliseconds of a CPU's work."""

_sparing: ContextVar[bool] = ContextVar("sparing", default=False)
"""Whether the task at hand works on a note of a backfill."""


def backfill_policy(in_flight: int) -> DeliveryPolicy:
    """`in_flight` records at once. Little waits in memory, there is no hurry; and what waits for an
    outcome is given up soon when the worker stops: its next owner repeats it."""
    return DeliveryPolicy(
        max_in_flight=in_flight,
        max_buffered=100,
        max_buffered_bytes=2 * MAX_INBOUND_BYTES,
        drain_seconds=2.0,
    )


AWAITED = (INBOUND_BACKFILL.name.encode(), INBOUND_TEXTS.name.encode())
"""What names the source of an outcome that is waited for."""


class Follower(Protocol):
    """What is used of `streams.client.Client`."""

    def follow(
        self, topics: Sequence[Topic]
    ) -> AbstractAsyncContextManager[AsyncIterator[tuple[Topic, Record]]]: ...


class Traffic:
    """What goes on beside this worker's backfill, as `outcomes` and `inbound.texts` tell it.

    Every worker follows all partitions, from its first record of a backfill on: the notes it lets
    in may be indexed by any other worker, and live texts verified.
    """

    def __init__(self, client: Follower) -> None:
        self._client = client
        self._waiting: dict[tuple[Position, int], asyncio.Future[None]] = {}
        self._texts: set[Position] = set()
        self._ended: deque[Position] = deque(maxlen=1000)
        self._no_texts = asyncio.Event()
        self._starting = asyncio.Lock()
        self._reading: asyncio.Task[None] | None = None

    async def expect(self, source: Position, item: int) -> asyncio.Future[None]:
        """Done when item `item` of the record at `source` has an outcome that is written after this
        call. Raises `DependencyUnavailable` when the broker is away; so does the future."""
        await self._follow()
        # A repeat after a rebalance may come while the first still waits: the newer one counts.
        future = self._waiting[source, item] = asyncio.get_running_loop().create_future()
        future.add_done_callback(lambda _: self._forget(source, item, future))
        return future

    async def no_texts(self, at_most_s: float) -> float:
        """Return when every live text has its outcome, or after `at_most_s`, or at once when that
        cannot be known. Returns how long it took, in seconds."""
        began = time.monotonic()
        with suppress(DependencyUnavailable, TimeoutError):
            await self._follow()
            if self._texts:
                self._no_texts.clear()
                await asyncio.wait_for(self._no_texts.wait(), at_most_s)
        return time.monotonic() - began

    async def close(self) -> None:
        if self._reading:
            self._reading.cancel()
            await asyncio.gather(self._reading, return_exceptions=True)

    def _forget(self, source: Position, item: int, future: asyncio.Future[None]) -> None:
        if self._waiting.get((source, item)) is future:
            del self._waiting[source, item]

    async def _follow(self) -> None:
        async with self._starting:
            if self._reading is None or self._reading.done():
                started = asyncio.get_running_loop().create_future()
                self._reading = asyncio.create_task(self._read(started))
                await asyncio.shield(started)

    async def _read(self, started: asyncio.Future[None]) -> None:
        self._texts.clear()
        try:
            async with self._client.follow([OUTCOMES, INBOUND_TEXTS]) as records:
                if not started.done():
                    started.set_result(None)
                async for topic, record in records:
                    if topic is INBOUND_TEXTS:
                        self._begin(record.position)
                    else:
                        self._take(record.value or b"")
        except (KafkaError, DependencyUnavailable) as error:
            away = DependencyUnavailable(
                "kafka", f"The outcomes cannot be followed ({type(error).__name__})."
            )
            for future in [started, *self._waiting.values()]:
                if not future.done():
                    future.set_exception(away)

    def _begin(self, text: Position) -> None:
        # Nothing orders one topic against another: its outcome may have been read before.
        if text not in self._ended:
            self._texts.add(text)

    def _take(self, outcome: bytes) -> None:
        if not any(name in outcome for name in AWAITED):  # live notes need no decoding here
            return
        with suppress(PermanentError):
            event = read_event(OUTCOMES, outcome)
            if isinstance(event, OutcomeRecorded):
                self._texts.discard(event.source)
                self._ended.append(event.source)
                if not self._texts:
                    self._no_texts.set()
                future = self._waiting.get((event.source, event.item))
                if future and not future.done():
                    future.set_result(None)


class Backfill:
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
                await asyncio.wait_for(done, self._patience_s)
            except TimeoutError:
                raise DeadlineExceeded(
                    "chart", f"A note had no outcome for {self._patience_s:g} s; it is repeated."
                ) from None
            finally:
                done.cancel()

        await self._inner(record, emit_in_turn)


def marking(chart: Handler) -> Handler:
    """The chart agent's handler, that lets `Sparing` know of notes of a backfill."""

    async def handle(record: Record, emit: Emit) -> None:
        # The event names its source; a live note that has these words in its text loses nothing.
        token = _sparing.set(INBOUND_BACKFILL.name.encode() in (record.value or b""))
        try:
            await chart(record, emit)
        finally:
            _sparing.reset(token)

    return handle


class Sparing:
    """An embedder that does the facts of a backfill few at a time, when no live text waits."""

    def __init__(
        self, inner: Embedder, traffic: Traffic, *, step_aside_s: float = STEP_ASIDE_SECONDS
    ) -> None:
        self._inner = inner
        self._traffic = traffic
        self._step_aside_s = step_aside_s

    @property
    def version(self) -> str:
        return self._inner.version

    @property
    def dim(self) -> int:
        return self._inner.dim

    async def check(self) -> None:
        await self._inner.check()

    async def embed(self, texts: Sequence[str]) -> list[Embedding]:
        if not _sparing.get():
            return await self._inner.embed(texts)
        made: list[Embedding] = []
        left = self._step_aside_s
        for start in range(0, len(texts), SPARING_ROWS):
            left -= await self._traffic.no_texts(max(left, 0.0))
            made += await self._inner.embed(texts[start : start + SPARING_ROWS])
        return made

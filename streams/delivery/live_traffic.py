"""What goes on beside a backfill: which of its notes are done, whether live texts are in work."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, suppress
from typing import Protocol

from aiokafka.errors import KafkaError

from agents.errors import DependencyUnavailable, PermanentError
from agents.events import read_event
from agents.ports import Record
from schemas.events import Position
from schemas.outcomes import OutcomeRecorded
from schemas.topics import INBOUND_BACKFILL, INBOUND_TEXTS, OUTCOMES, Topic

AWAITED = (INBOUND_BACKFILL.name.encode(), INBOUND_TEXTS.name.encode())
"""What names the source of an outcome that is waited for."""


class Follower(Protocol):
    """What is used of `streams.cli.client.Client`."""

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
                async with asyncio.timeout(at_most_s):
                    await self._no_texts.wait()
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

"""One assigned partition in one consumer generation: its lanes, its acks, its flow of records."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from faust.transport.consumer import ensure_TP

from streams.delivery.acks import InOrderAcks
from streams.delivery.lanes import Lanes
from streams.delivery.policy import DeliveryPolicy

if TYPE_CHECKING:
    from streams.delivery.faust_app import WorkerApp

Message = Any
"""`faust.types.tuples.Message`: topic, partition, offset, key, value, headers, generation_id."""


class PartitionClosed(Exception):
    """The partition was revoked, or the worker stops, before the record came to its end."""


def forget(message: Message) -> None:
    """Let Faust stop waiting for a message that we neither finished nor will: it is read again."""
    message.acked = True


class Partition:
    """Takes messages as read, runs them in lanes, acknowledges in order, and stops fetching when
    too much waits or a transient error lasts."""

    def __init__(
        self,
        app: WorkerApp,
        policy: DeliveryPolicy,
        first: Message,
        process: Callable[[Partition, Message], Awaitable[None]],
    ) -> None:
        self.tp = ensure_TP(first.tp)
        self.generation = first.generation_id
        self.lanes: Lanes[Message] = Lanes(lambda message: process(self, message))
        self._app = app
        self._policy = policy
        self._acks: InOrderAcks[Message] = InOrderAcks()
        self._bytes = 0
        self._stalled = 0
        self._held = False

    @property
    def current(self) -> bool:
        """Whether its consumer generation is still the present one."""
        return bool(self.generation == self._app.consumer_generation_id)

    def accept(self, message: Message) -> None:
        if not self._acks.add(message.offset, message):
            forget(message)
            return
        self._bytes += len(message.value or b"")
        self.lanes.put(message.key, message)
        self._regulate()

    def finish(self, message: Message) -> None:
        """The record came to its end: acknowledge it as soon as all before it have."""
        self._bytes -= len(message.value or b"")
        for ready in self._acks.finish(message.offset):
            if self.current:
                ready.ack(self._app.consumer)
            else:
                forget(ready)
        self._regulate()

    @contextmanager
    def stall(self) -> Iterator[Callable[[], None]]:
        """Gives a function that stops fetching, for a transient error, until the context ends."""
        begun = False

        def begin() -> None:
            nonlocal begun
            self._stalled += not begun
            begun = True
            self._regulate()

        try:
            yield begin
        finally:
            self._stalled -= begun
            self._regulate()

    def _regulate(self) -> None:
        share = 0.5 if self._held else 1.0
        full = (
            len(self._acks) >= self._policy.max_buffered * share
            or self._bytes >= self._policy.max_buffered_bytes * share
        )
        hold = full or self._stalled > 0
        if hold != self._held and self.current:
            self._held = hold
            self._app.hold(self.tp, hold)

    async def close(self, deadline: float) -> None:
        """Stop its lanes; nothing of it is acknowledged after this."""
        await self.lanes.close(deadline)
        self.generation = None
        for message in self._acks.unacknowledged():
            forget(message)

    async def crash(self, error: Exception) -> None:
        """Take the worker down; its records are read again by the next one."""
        await self._app.crash(error)

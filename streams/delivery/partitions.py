"""One assigned partition in one consumer generation: its lanes, its acks, its flow of records."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

from streams.delivery.acks import InOrderAcks
from streams.delivery.lanes import Lanes
from streams.delivery.policy import DeliveryPolicy
from streams.delivery.protocols import Consumer, Message


class PartitionClosed(Exception):
    """The partition was revoked, or the worker stops, before the record came to its end."""


def mark_acked(message: Message) -> None:
    """Let the client stop waiting for a message that is given up here: it is read again."""
    message.acked = True


class Partition:
    """Takes messages as read, runs them in lanes, acknowledges in order, and stops fetching when
    too much waits or a transient error lasts."""

    def __init__(
        self,
        consumer: Consumer,
        policy: DeliveryPolicy,
        first: Message,
        process: Callable[[Partition, Message], Awaitable[None]],
    ) -> None:
        self.tp = first.tp
        self.generation: int | None = first.generation_id
        self.lanes: Lanes[Message] = Lanes(lambda message: process(self, message))
        self._consumer = consumer
        self._policy = policy
        self._acks: InOrderAcks[Message] = InOrderAcks()
        self._bytes = 0
        self._stalled = 0
        self._paused = False

    @property
    def current(self) -> bool:
        """Whether its consumer generation is still the present one."""
        return self.generation == self._consumer.generation

    def accept(self, message: Message) -> None:
        if not self._acks.add(message.offset, message):
            mark_acked(message)
            return
        self._bytes += len(message.value or b"")
        self.lanes.put(message.key, message)
        self._regulate()

    def finish(self, message: Message) -> None:
        """The record came to its end: acknowledge it as soon as all before it have."""
        self._bytes -= len(message.value or b"")
        for ready in self._acks.finish(message.offset):
            if self.current:
                self._consumer.ack(ready)
            else:
                mark_acked(ready)
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
        share = 0.5 if self._paused else 1.0
        full = (
            len(self._acks) >= self._policy.max_buffered * share
            or self._bytes >= self._policy.max_buffered_bytes * share
        )
        pause = full or self._stalled > 0
        if pause != self._paused and self.current:
            self._paused = pause
            self._consumer.pause(self.tp, pause)

    async def close(self, deadline: float) -> None:
        """Stop its lanes; nothing of it is acknowledged after this."""
        await self.lanes.close(deadline)
        self.generation = None
        for message in self._acks.unacknowledged():
            mark_acked(message)

    async def crash(self, error: Exception) -> None:
        """Take the worker down; its records are read again by the next one."""
        await self._consumer.crash(error)

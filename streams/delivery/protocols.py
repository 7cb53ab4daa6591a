"""What delivery needs of the client that reads and writes Kafka. `faust_adapter` provides it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol


class Message(Protocol):
    """One consumed record, as `faust.types.tuples.Message` has it."""

    topic: str
    partition: int
    offset: int
    key: bytes | None
    value: bytes | None
    headers: Mapping[str, bytes] | Sequence[tuple[str, bytes]] | None
    timestamp: float | None
    generation_id: int
    """The consumer generation in which it was read."""
    acked: bool
    """Whether the client has stopped waiting for it."""
    tp: Any
    """Its topic and partition, hashable."""


class Consumer(Protocol):
    """The consumer of a worker: pauses partitions, acknowledges, and knows its generation."""

    @property
    def generation(self) -> int:
        """Changes with every rebalance of the group."""
        ...

    def pause(self, tp: Any, paused: bool) -> None:  # noqa: ANN401 - as `Message.tp`
        """Stop (True) or resume (False) fetching of one partition; what was fetched still comes."""
        ...

    def ack(self, message: Message) -> None:
        """Acknowledge a record; its offset is committed at the next commit interval."""
        ...

    async def crash(self, error: Exception) -> None:
        """Take the worker down; what is not acknowledged is read again by the next one."""
        ...


class Producer(Protocol):
    async def send(
        self, topic: str, key: bytes | None, value: bytes | None, headers: Mapping[str, bytes]
    ) -> None:
        """Write one record to `topic` (without prefix); returns when the broker has it (acks=all).

        Raises `DependencyUnavailable` while it cannot, `PermanentError` for what never fits.
        """
        ...

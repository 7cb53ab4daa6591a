"""What a stage writes: events and dead letters, awaited until the broker has them."""

from __future__ import annotations

from typing import Protocol

from schemas.events import Event
from schemas.failures import DeadLetter
from schemas.topics import DEAD_LETTERS, topic_for
from streams.delivery.protocols import Producer


class Outputs(Protocol):
    """Both return when the broker has acknowledged (`acks=all`).

    Both raise `DependencyUnavailable` while it cannot, `PermanentError` for what never fits.
    """

    async def emit(self, event: Event, traceparent: bytes | None = None) -> None: ...

    async def dead_letter(
        self, letter: DeadLetter, key: bytes | None, value: bytes | None
    ) -> None: ...


class KafkaOutputs:
    """Outputs through a producer: each event to its topic, dead letters to theirs."""

    def __init__(self, producer: Producer) -> None:
        self._producer = producer

    async def emit(self, event: Event, traceparent: bytes | None = None) -> None:
        await self._producer.send(
            topic_for(event).name,
            event.key.encode(),
            event.to_json(),
            event.headers(traceparent),
        )

    async def dead_letter(self, letter: DeadLetter, key: bytes | None, value: bytes | None) -> None:
        await self._producer.send(DEAD_LETTERS.name, key, value, letter.headers())

"""What a stage writes: events to their topics and dead letters, awaited until the broker has them.

Faust's producer is called directly, not through its topics: those log keys and values at debug.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Protocol

from schemas.events import Event
from schemas.failures import DeadLetter
from schemas.topics import DEAD_LETTERS, topic_for
from streams.delivery.failures import kafka_errors

if TYPE_CHECKING:
    from streams.delivery.faust_app import WorkerApp


class Outputs(Protocol):
    """Both return when the broker has acknowledged (`acks=all`).

    Both raise `DependencyUnavailable` while it cannot, `PermanentError` for what never fits.
    """

    async def emit(self, event: Event, traceparent: bytes | None = None) -> None: ...

    async def dead_letter(
        self, letter: DeadLetter, key: bytes | None, value: bytes | None
    ) -> None: ...


class KafkaOutputs:
    """Outputs through the app's producer, to the topics with the app's prefix."""

    def __init__(self, app: WorkerApp) -> None:
        self._app = app

    async def emit(self, event: Event, traceparent: bytes | None = None) -> None:
        await self._send(
            topic_for(event).name,
            event.key.encode(),
            event.to_json(),
            event.headers(traceparent),
        )

    async def dead_letter(self, letter: DeadLetter, key: bytes | None, value: bytes | None) -> None:
        await self._send(DEAD_LETTERS.name, key, value, letter.headers())

    async def _send(
        self, topic: str, key: bytes | None, value: bytes | None, headers: dict[str, bytes]
    ) -> None:
        with kafka_errors():
            sent = await self._app.producer.send(
                self._app.prefix + topic, key, value, None, None, list(headers.items())
            )
            # A cancelled handler must not cancel the producer's own future of a shared batch.
            await asyncio.shield(sent)

"""chartproof from the outside: publish to the inbound topics, follow the ones that come out.

What the CLI, the demo and the benchmark use; the same two things any producer or consumer does.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Sequence
from contextlib import asynccontextmanager
from types import TracebackType
from typing import Any, Self

from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, TopicPartition
from aiokafka.errors import KafkaError

from agents.concurrency import completed
from agents.errors import DependencyUnavailable
from agents.ports import Record
from schemas.events import Position
from schemas.topics import MAX_RECORD_BYTES, Topic
from streams.delivery.connection import kafka_options
from streams.delivery.kafka_topics import partition_counts, require_topics
from streams.settings import Settings

CONNECT_SECONDS = 10.0


class Client:
    """A producer, and consumers on demand. `async with Client(settings) as client: ...`"""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._producer: Any = None

    async def __aenter__(self) -> Self:
        """Raises `DependencyUnavailable` when the broker does not answer or lacks our topics.

        The topics come first: a broker makes one that is missing when it is produced to.
        """
        await require_topics(kafka_options(self._settings), self._settings.topic_prefix)
        self._producer = AIOKafkaProducer(
            **kafka_options(self._settings),
            acks="all",
            max_request_size=MAX_RECORD_BYTES,
            linger_ms=0,
        )
        await self._start(self._producer)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await completed(self._producer.stop())

    async def publish(self, topic: Topic, value: bytes, key: str | None = None) -> Position:
        """Publish one record; returns its position once the broker has it."""
        return await (await self.send(topic, value, key))

    async def send(self, topic: Topic, value: bytes, key: str | None = None) -> Awaitable[Position]:
        """Hand one record to the producer; await the result for its position.

        Records of one key are sent in the order of these calls.
        """
        name = self.name(topic)
        try:
            sent = await self._producer.send(name, value, key=key.encode() if key else None)
        except KafkaError as error:
            raise self._unavailable(error) from error
        return self._acknowledged(name, sent)

    @property
    def broker(self) -> str:
        return self._settings.broker

    def name(self, topic: Topic) -> str:
        """The topic's name on this broker, with the prefix of the settings."""
        return self._settings.topic_prefix + topic.name

    async def _acknowledged(self, name: str, sent: Awaitable[Any]) -> Position:
        try:
            metadata = await sent
        except KafkaError as error:
            raise self._unavailable(error) from error
        return Position(topic=name, partition=metadata.partition, offset=metadata.offset)

    @asynccontextmanager
    async def follow(
        self, topics: Sequence[Topic], *, from_beginning: bool = False
    ) -> AsyncIterator[AsyncIterator[tuple[Topic, Record]]]:
        """Records of `topics` from now on (or from the beginning), without a consumer group.

        "Now" is when the context is entered: what is published inside it is seen.
        """
        consumer = AIOKafkaConsumer(
            **kafka_options(self._settings),
            group_id=None,
            enable_auto_commit=False,
            auto_offset_reset="earliest",
            fetch_max_wait_ms=self._settings.fetch_max_wait_ms,
            max_partition_fetch_bytes=MAX_RECORD_BYTES,
        )
        await self._start(consumer)
        try:
            places = await self._partitions(topics)
            consumer.assign(places)
            if not from_beginning:
                await consumer.seek_to_end(*places)
                # Positions are looked up lazily; pin them before anything else is published.
                for place in places:
                    await consumer.position(place)
            yield self._records(consumer, topics)
        finally:
            await completed(consumer.stop())

    async def _partitions(self, topics: Sequence[Topic]) -> list[TopicPartition]:
        names = [self._settings.topic_prefix + topic.name for topic in topics]
        counts = await partition_counts(kafka_options(self._settings), names)
        return [TopicPartition(name, n) for name in names for n in range(counts.get(name, 0))]

    async def _records(
        self,
        consumer: Any,  # noqa: ANN401
        topics: Sequence[Topic],
    ) -> AsyncIterator[tuple[Topic, Record]]:
        by_name = {self._settings.topic_prefix + topic.name: topic for topic in topics}
        async for message in consumer:
            yield (
                by_name[message.topic],
                Record(
                    topic=message.topic,
                    partition=message.partition,
                    offset=message.offset,
                    key=message.key,
                    value=message.value,
                    headers=dict(message.headers),
                    timestamp=message.timestamp / 1000,
                ),
            )

    async def _start(self, client: Any) -> None:  # noqa: ANN401
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                await client.start()
        except (KafkaError, OSError, TimeoutError) as error:
            await completed(client.stop())
            raise self._unavailable(error) from error

    def _unavailable(self, error: BaseException) -> DependencyUnavailable:
        return DependencyUnavailable(
            "kafka",
            f"The Kafka broker at {self._settings.broker} did not answer "
            f"({type(error).__name__}). Start one (`chartproof up`) or set CHARTPROOF_BROKER.",
        )

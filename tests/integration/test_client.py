"""What any producer and consumer does, on both brokers."""

import asyncio
import uuid

import pytest
from aiokafka.client import AIOKafkaClient

from agents.errors import DependencyUnavailable
from schemas.topics import INBOUND_DOCUMENTS, INBOUND_TEXTS, VERDICTS
from streams.cli.client import Client
from streams.delivery.connection import kafka_options
from streams.delivery.kafka_topics import ensure_topics
from streams.settings import Settings


@pytest.fixture
async def settings(broker) -> Settings:
    made = Settings(broker=broker.bootstrap, topic_prefix=f"client-{uuid.uuid4().hex[:8]}.")
    await ensure_topics(kafka_options(made), made.topic_prefix, partitions=3)
    return made


async def taken(records, n: int) -> list[tuple[str, bytes]]:
    """The next `n` records as (bare topic, value)."""
    found = []
    async with asyncio.timeout(30):
        while len(found) < n:
            topic, record = await anext(records)
            found.append((topic.name, record.value))
    return found


async def test_what_is_published_inside_follow_is_seen_and_what_was_before_is_not(
    settings: Settings,
) -> None:
    async with Client(settings) as client:
        for n in range(6):
            await client.publish(INBOUND_DOCUMENTS, b"before %d" % n, f"k{n}")
        async with client.follow([INBOUND_DOCUMENTS, INBOUND_TEXTS]) as records:
            for n in range(6):
                await client.publish(INBOUND_DOCUMENTS, b"after %d" % n, f"k{n}")
            await client.publish(INBOUND_TEXTS, b"text", "k")
            found = await taken(records, 7)
    assert sorted(found) == [
        *[("inbound.documents", b"after %d" % n) for n in range(6)],
        ("inbound.texts", b"text"),
    ]


async def test_from_the_beginning_all_is_seen_in_order_per_key(settings: Settings) -> None:
    async with Client(settings) as client:
        positions = [
            await (await client.send(INBOUND_DOCUMENTS, b"%d" % n, "one-key")) for n in range(5)
        ]
        async with client.follow([INBOUND_DOCUMENTS], from_beginning=True) as records:
            found = await taken(records, 5)
    assert [value for _, value in found] == [b"%d" % n for n in range(5)]
    assert len({position.partition for position in positions}) == 1
    assert [position.offset for position in positions] == sorted(p.offset for p in positions)


async def test_a_broker_without_our_topics_is_named_and_gets_none_from_us(
    settings: Settings,
) -> None:
    other = settings.model_copy(update={"topic_prefix": f"absent-{uuid.uuid4().hex[:8]}."})
    for _ in range(2):  # the second time too: the first attempt made nothing
        with pytest.raises(DependencyUnavailable, match=VERDICTS.name):
            async with Client(other):
                pass


@pytest.mark.parametrize("nth", [1, 2, 3, 4])
async def test_who_is_cancelled_while_aiokafka_closes_is_cancelled(
    settings: Settings, monkeypatch, nth: int
) -> None:
    """Of topics looked for, partitions counted, a consumer, and the producer."""
    closed = 0
    close = AIOKafkaClient.close

    async def cancelled_on_the_way(self: AIOKafkaClient) -> None:
        nonlocal closed
        closed += 1
        if closed == nth:
            asyncio.get_running_loop().call_soon(task.cancel)
        await close(self)

    monkeypatch.setattr(AIOKafkaClient, "close", cancelled_on_the_way)

    async def command() -> None:
        async with Client(settings) as client, client.follow([INBOUND_TEXTS]):
            pass

    task = asyncio.create_task(command())
    await asyncio.wait([task])
    assert task.cancelled()
    assert closed >= nth

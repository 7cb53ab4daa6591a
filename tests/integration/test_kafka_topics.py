"""Topics are made from the one table, on both brokers."""

import uuid

import pytest

from agents.errors import DependencyUnavailable
from schemas.topics import INBOUND_TEXTS, OUTCOMES, TOPICS
from streams.delivery.kafka_topics import ensure_topics, partition_counts, require_topics


async def test_topics_are_made_once_with_the_partitions_of_the_table(broker):
    options, prefix = {"bootstrap_servers": broker.bootstrap}, f"{uuid.uuid4().hex[:8]}."
    with pytest.raises(DependencyUnavailable, match=prefix + INBOUND_TEXTS.name):
        await require_topics(options, prefix)
    created = await ensure_topics(options, prefix)
    assert set(created) == {prefix + topic.name for topic in TOPICS}
    assert await ensure_topics(options, prefix) == ()
    await require_topics(options, prefix)
    counts = await partition_counts(options, [*created, f"{prefix}nothing"])
    assert counts == {prefix + topic.name: topic.partitions for topic in TOPICS}


async def test_the_partition_counts_can_be_overridden(broker):
    options, prefix = {"bootstrap_servers": broker.bootstrap}, f"{uuid.uuid4().hex[:8]}."
    await ensure_topics(options, prefix, partitions=3)
    assert await partition_counts(options, [prefix + OUTCOMES.name]) == {prefix + OUTCOMES.name: 3}

"""Topics on the broker: made from the one table, looked for before a worker starts."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

from aiokafka.admin import AIOKafkaAdminClient, NewTopic
from aiokafka.errors import KafkaError, NoError, TopicAlreadyExistsError, for_code

from agents.concurrency import completed
from agents.errors import DependencyUnavailable
from schemas.topics import TOPICS

CONNECT_SECONDS = 10.0
POLL_SECONDS = 0.05

KafkaOptions = Mapping[str, Any]
"""Keyword arguments that every aiokafka client takes: bootstrap_servers, TLS, SASL."""


@asynccontextmanager
async def _admin(options: KafkaOptions) -> AsyncIterator[AIOKafkaAdminClient]:
    """Raises `DependencyUnavailable` when the broker does not answer, at any time inside."""
    client = AIOKafkaAdminClient(**options)
    try:
        async with asyncio.timeout(CONNECT_SECONDS):
            await client.start()
        yield client
    except (KafkaError, OSError, TimeoutError) as error:
        raise DependencyUnavailable(
            "kafka",
            f"The Kafka broker at {options['bootstrap_servers']} did not answer "
            f"({type(error).__name__}). Start one (`chartproof up`) or set CHARTPROOF_BROKER.",
        ) from error
    finally:
        await completed(client.close())


async def ensure_topics(
    options: KafkaOptions,
    prefix: str,
    *,
    partitions: int | None = None,
    replication: int = 1,
) -> tuple[str, ...]:
    """Create what is missing of the table of topics; returns the names created.

    `partitions` overrides the table's counts. Existing topics are left as they are. Raises
    `DependencyUnavailable` when the broker does not answer or refuses.
    """
    async with _admin(options) as client:
        present = set(await client.list_topics())
        missing = [
            NewTopic(
                name=prefix + topic.name,
                num_partitions=partitions or topic.partitions,
                replication_factor=replication,
                topic_configs=topic.config(),
            )
            for topic in TOPICS
            if prefix + topic.name not in present
        ]
        if not missing:
            return ()
        answer = await client.create_topics(missing)
        for name, code, *_ in answer.topic_errors:
            # Another worker may have been first.
            if (refused := for_code(code)) not in (NoError, TopicAlreadyExistsError):
                raise DependencyUnavailable(
                    "kafka", f"The broker refused to create topic {name}: {refused.__name__}."
                )
        created = tuple(topic.name for topic in missing)
        await _until_led(client, created)
        return created


async def partition_counts(options: KafkaOptions, names: Sequence[str]) -> dict[str, int]:
    """How many partitions each of `names` has; names that the broker does not know are left out.

    A consumer's own `partitions_for_topic` knows only topics that it reads already. Raises
    `DependencyUnavailable` when the broker does not answer.
    """
    async with _admin(options) as client:
        # Tansu makes a topic when it is asked about one, so ask only about those that are there.
        known = sorted(set(names) & set(await client.list_topics()))
        described = await client.describe_topics(known) if known else []
    return {each["topic"]: len(each["partitions"]) for each in described}


async def _until_led(client: AIOKafkaAdminClient, names: Sequence[str]) -> None:
    """Kafka answers that a topic is made before it can be written; wait until it can."""
    async with asyncio.timeout(CONNECT_SECONDS):
        while True:
            described = await client.describe_topics(list(names))
            if all(
                not topic["error_code"] and all(not p["error_code"] for p in topic["partitions"])
                for topic in described
            ):
                return
            await asyncio.sleep(POLL_SECONDS)


async def require_topics(options: KafkaOptions, prefix: str) -> None:
    """Raises `DependencyUnavailable` when the broker is away or lacks one of our topics.

    A consumer that subscribes to a topic that is not there has the broker create it with the
    broker's defaults, so this comes first.
    """
    async with _admin(options) as client:
        present = set(await client.list_topics())
    missing = [prefix + topic.name for topic in TOPICS if prefix + topic.name not in present]
    if missing:
        raise DependencyUnavailable(
            "kafka",
            f"The broker at {options['bootstrap_servers']} lacks {', '.join(missing)}. "
            "A worker makes them when it starts; or check CHARTPROOF_TOPIC_PREFIX.",
        )

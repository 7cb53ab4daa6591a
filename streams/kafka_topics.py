"""Topics on the broker: made from the one table, looked for before a worker starts."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from aiokafka.admin import AIOKafkaAdminClient, NewTopic
from aiokafka.errors import KafkaError, NoError, TopicAlreadyExistsError, for_code

from agents.errors import DependencyUnavailable
from schemas.topics import TOPICS

CONNECT_SECONDS = 10.0

KafkaOptions = Mapping[str, Any]
"""Keyword arguments that every aiokafka client takes: bootstrap_servers, TLS, SASL."""


@asynccontextmanager
async def _admin(options: KafkaOptions) -> AsyncIterator[AIOKafkaAdminClient]:
    """Raises `DependencyUnavailable` when the broker does not answer, at any time inside."""
    client = AIOKafkaAdminClient(**options)
    try:
        await asyncio.wait_for(client.start(), CONNECT_SECONDS)
        yield client
    except (KafkaError, OSError, TimeoutError) as error:
        raise DependencyUnavailable(
            "kafka",
            f"The Kafka broker at {options['bootstrap_servers']} did not answer "
            f"({type(error).__name__}). Start it, or name another one.",
        ) from error
    finally:
        await client.close()


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
        return tuple(topic.name for topic in missing)


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
            "Create the topics, or check the prefix.",
        )

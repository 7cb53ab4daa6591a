"""Every record ends in an effect, a recorded skip or a dead letter; repeats change nothing.

One `Delivery` takes the records of one stage as raw bytes, unacknowledged, from a `Consumer`:

1. The actor never waits. Each record goes into the lane of its partition and key (`lanes`): keys
   run in parallel, each key in order; records without a key share one lane per partition.
2. A lane runs its records one at a time, and at most `max_in_flight` handlers of a stage run at
   once. The limit is taken anew for every attempt, first come first served: a key that floods holds
   one place at most and waits behind the other keys after each record.
3. A record is acknowledged when it and all read before it are done (`acks`), and only in the
   consumer generation in which it was read (`partitions`).
4. Errors are told apart by one table (`error_classes`), and acted upon in `settlement`.

What is bounded: of each partition, `max_buffered` records and `max_buffered_bytes` wait in lanes.
At the bound the consumer stops fetching this partition until half has drained; others go on. So a
flooding key can fill the buffer of its own partition: keys that were read already go on, keys that
come after the flood in the same partition wait until it has drained to half. The bound is soft by
what was fetched already (one fetch of the partition). A transient error stops fetching likewise.

When partitions are revoked or the worker stops, `drain` drops what waits (its next owner reads it
again), lets running handlers finish within a deadline and acknowledges those; after that nothing
of the old generation runs or acknowledges any more.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from agents.ports import Clock, Record
from streams.delivery.outputs import KafkaOutputs, Outputs
from streams.delivery.partitions import Partition, PartitionClosed, mark_acked
from streams.delivery.policy import DeliveryObserver, DeliveryPolicy, Unobserved
from streams.delivery.protocols import Consumer, Message
from streams.delivery.settlement import Handler, Origin, Settlement, own_position

__all__ = [
    "Delivery",
    "DeliveryObserver",
    "DeliveryPolicy",
    "Handler",
    "KafkaOutputs",
    "Origin",
    "Outputs",
    "own_position",
]


class Delivery:
    """Brings every record of a stage's topics to `handler`, and to an end.

    `handler(record, emit)` must be safe to repeat. It raises `TransientError` to be called again,
    `PermanentError` for a dead letter. It is cancelled when its partition is revoked and
    `drain_seconds` have passed. A tombstone reaches it with value None.
    """

    def __init__(  # noqa: PLR0913 - the parts of a stage, by name
        self,
        stage: str,
        handler: Handler,
        *,
        outputs: Outputs,
        clock: Clock,
        policy: DeliveryPolicy | None = None,
        observer: DeliveryObserver | None = None,
        origin: Callable[[Record], Origin] = own_position,
    ) -> None:
        self._stage = stage
        self._policy = policy or DeliveryPolicy()
        self._observer = observer or Unobserved()
        self._settlement = Settlement(
            stage,
            handler,
            outputs=outputs,
            clock=clock,
            policy=self._policy,
            observer=self._observer,
            origin=origin,
            concurrency=asyncio.Semaphore(self._policy.max_in_flight),
        )
        self._partitions: dict[Any, Partition] = {}

    @property
    def stage(self) -> str:
        return self._stage

    def accept(self, consumer: Consumer, message: Message) -> None:
        """Take a message as read; returns at once. Its generation must still be the present one."""
        if message.generation_id != consumer.generation:
            mark_acked(message)
            return
        partition = self._partitions.get(message.tp)
        if partition is None:
            partition = Partition(consumer, self._policy, message, self._process)
            self._partitions[message.tp] = partition
        partition.accept(message)

    async def _process(self, partition: Partition, message: Message) -> None:
        self._observer.in_progress(self._stage, +1)
        try:
            outcome = await self._settlement.settle(_record(message), partition)
            self._observer.consumed(self._stage, outcome)
            partition.finish(message)
        except PartitionClosed:
            pass
        except Exception as error:
            # A fault in delivery itself: stop the worker rather than go on past a record.
            await partition.crash(error)
        finally:
            self._observer.in_progress(self._stage, -1)

    async def drain(self, *, at_once: bool = False) -> None:
        """Finish what runs, within the policy's deadline; drop the rest. Safe to call twice.

        `at_once`: cancel what runs, for the partitions have another owner already.
        """
        closing, self._partitions = list(self._partitions.values()), {}
        deadline = 0 if at_once else self._policy.drain_seconds
        await asyncio.gather(*(partition.close(deadline) for partition in closing))


def _record(message: Message) -> Record:
    return Record(
        topic=message.topic,
        partition=message.partition,
        offset=message.offset,
        key=message.key,
        value=message.value,
        headers=dict(message.headers or ()),
        timestamp=message.timestamp or 0.0,
    )

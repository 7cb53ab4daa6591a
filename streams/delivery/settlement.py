"""Bring one record to its end, however often that takes: handled, or a dead letter that says why.

The only other way out is that the partition closes; the record then stays unacknowledged and is
read again by the partition's next owner.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import count
from typing import NamedTuple

from agents.errors import PermanentError
from agents.ports import Clock, Emit, Record
from schemas.events import Event, Position
from schemas.failures import DeadLetter
from schemas.outcomes import Outcome, OutcomeRecorded
from streams.delivery.error_classes import TOO_LARGE, ErrorClass, Failure, backoff, classify
from streams.delivery.outputs import Outputs
from streams.delivery.partitions import Partition, PartitionClosed
from streams.delivery.policy import DeliveryObserver, DeliveryPolicy

log = logging.getLogger(__name__)

Handler = Callable[[Record, Emit], Awaitable[None]]


class Origin(NamedTuple):
    """The inbound event that a record comes from, as its outcome names it."""

    source: Position
    item: int = 0
    items: int = 1


def own_position(record: Record) -> Origin:
    """The origin for stages that read inbound topics."""
    return Origin(record.position)


@dataclass(frozen=True)
class Settlement:
    """How one stage settles its records; one instance serves them all."""

    stage: str
    handler: Handler
    outputs: Outputs
    clock: Clock
    policy: DeliveryPolicy
    observer: DeliveryObserver
    origin: Callable[[Record], Origin]
    concurrency: asyncio.Semaphore
    """Limits how many handlers of the stage run at once."""

    async def settle(self, record: Record, partition: Partition) -> str:
        """`handled` or `dead_lettered`. Raises `PartitionClosed` when it closed first."""
        cause = self._refusal(record)
        faults = 0
        with partition.stall() as pause:
            for attempt in count(1):
                failure = await self._attempt(record, cause, attempt, partition)
                if failure is None:
                    break
                faults += failure.error_class is ErrorClass.UNKNOWN
                if cause is None and (
                    failure.error_class is ErrorClass.PERMANENT
                    or faults >= self.policy.unknown_error_attempts
                ):
                    cause = failure
                    continue
                if failure.error_class is not ErrorClass.UNKNOWN:
                    pause()
                    self.observer.retried(failure.code)
                await self._wait(record, failure, attempt, partition)
        return "handled" if cause is None else "dead_lettered"

    def _refusal(self, record: Record) -> Failure | None:
        size = len(record.value or b"")
        if size <= self.policy.max_event_bytes:
            return None
        limit = self.policy.max_event_bytes
        return Failure(
            ErrorClass.PERMANENT,
            TOO_LARGE,
            f"The record's value has {size} bytes; at most {limit} are processed. Split it.",
        )

    async def _attempt(
        self, record: Record, cause: Failure | None, attempt: int, partition: Partition
    ) -> Failure | None:
        """Handle it, or once there is a cause, write the dead letter. None when that is done."""
        async with self.concurrency:
            if partition.lanes.closing.is_set():
                raise PartitionClosed
            try:
                if cause is None:
                    await self.handler(record, partial(self._emit, record))
                else:
                    await self._dead_letter(record, cause, attempt)
            except asyncio.CancelledError as error:
                task = asyncio.current_task()
                if task is None or task.cancelling():
                    raise
                # Not we were cancelled but something that the handler awaited.
                return classify(error)
            except Exception as error:
                return classify(error)
        return None

    async def _emit(self, record: Record, event: Event) -> None:
        await self.outputs.emit(event, record.headers.get("traceparent"))

    async def _dead_letter(self, record: Record, cause: Failure, attempt: int) -> None:
        """Write the dead letter, then the outcome that names it."""
        now = self.clock.now()
        letter = DeadLetter(
            source=record.position,
            stage=self.stage,
            reason=cause.code,
            detail=cause.detail,
            occurred_at=now,
            attempts=max(attempt - 1, 1),
        )
        try:
            await self.outputs.dead_letter(letter, record.key, record.value)
        except PermanentError:
            # More bytes than the dead-letter topic takes: they stay where the letter says.
            await self.outputs.dead_letter(letter, record.key, None)
        source, item, items = self.origin(record)
        if cause.item is not None:
            item, items = cause.item
        outcome = OutcomeRecorded(
            occurred_at=now,
            source=source,
            item=item,
            items=items,
            outcome=Outcome.DEAD_LETTERED,
            reason=cause.code,
            detail=cause.detail,
            text_id=cause.text_id,
        )
        await self._emit(record, outcome)
        self.observer.dead_lettered(self.stage, cause.code)

    async def _wait(
        self, record: Record, failure: Failure, attempt: int, partition: Partition
    ) -> None:
        """Back off, or less when the partition closes."""
        delay = backoff(attempt, self.policy.backoff_base, self.policy.backoff_cap)
        if attempt.bit_count() == 1:  # attempts 1, 2, 4, 8 ...: an outage is not a flood of lines
            log.warning(
                "%s: %s-%d@%d attempt %d failed (%s: %s), again in %.1f s",
                self.stage,
                record.topic,
                record.partition,
                record.offset,
                attempt,
                failure.error_class.value,
                failure.code,
                delay,
            )
        with suppress(TimeoutError):
            async with asyncio.timeout(delay):
                await partition.lanes.closing.wait()
            raise PartitionClosed

"""`chartproof publish`: records to an inbound topic, and with `--wait` what became of each.

However many records there are, memory stays bounded: a window of records is unacknowledged, and
outcomes are counted, not kept (`tally`).
"""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable
from dataclasses import dataclass, field

from agents.events import read_event
from agents.ports import Record
from schemas.events import Position
from schemas.outcomes import Outcome, OutcomeRecorded
from schemas.topics import INBOUND_DOCUMENTS, MAX_RECORD_BYTES, OUTCOMES, Topic
from streams.cli.client import Client
from streams.cli.sources import SourceRecord
from streams.cli.tally import Tally

IN_FLIGHT = 1000
IN_FLIGHT_BYTES = 2 * MAX_RECORD_BYTES
"""What may be on its way to the broker, in records and in bytes."""
STALL_SECONDS = 60.0


@dataclass
class Published:
    """What was published and, when waited for, what became of it."""

    records: int = 0
    refused: list[str] = field(default_factory=list)
    """Origins of records too large for any topic; these were not sent."""
    outcomes: Counter[tuple[Outcome, str | None]] = field(default_factory=Counter)
    facts: int = 0
    settled: int = 0
    """Records with all their outcomes."""
    unresolved: int = 0
    """Records without all their outcomes when waiting ended."""

    @property
    def resources(self) -> int:
        return sum(self.outcomes.values())

    @property
    def ok(self) -> bool:
        dead = sum(
            n for (outcome, _), n in self.outcomes.items() if outcome.name == "DEAD_LETTERED"
        )
        return not (self.refused or self.unresolved or dead)


Progress = Callable[[Published], None]
Acknowledged = Callable[[SourceRecord], None]


async def publish(  # noqa: PLR0913 - options, by name
    client: Client,
    records: Iterable[SourceRecord] | AsyncIterable[SourceRecord],
    *,
    topic: Topic = INBOUND_DOCUMENTS,
    wait: bool = False,
    stall_s: float = STALL_SECONDS,
    progress: Progress = lambda _: None,
    acknowledged: Acknowledged = lambda _: None,
) -> Published:
    """Publish `records`; with `wait`, return when each has its outcomes or none came for `stall_s`.

    `acknowledged` hears of each record that the broker has, in the order of `records`: when it
    hears of one, the broker has all before it too. Raises `DependencyUnavailable` when the broker
    is away.
    """
    report = Published()
    tally = Tally(client.name(topic))

    def sent(record: SourceRecord, position: Position) -> None:
        report.records += 1
        if wait:
            tally.expect(position)
        acknowledged(record)
        progress(report)

    if not wait:
        await _send(client, topic, records, sent, report.refused.append)
        return report
    async with client.follow([OUTCOMES]) as followed:
        reading = asyncio.create_task(_read(followed, tally, report, progress))
        try:
            await _send(client, topic, records, sent, report.refused.append)
            await tally.done(stall_s)
        finally:
            reading.cancel()
            await asyncio.gather(reading, return_exceptions=True)
    _count(report, tally)
    return report


async def _send(
    client: Client,
    topic: Topic,
    records: Iterable[SourceRecord] | AsyncIterable[SourceRecord],
    sent: Callable[[SourceRecord, Position], None],
    refused: Callable[[str], None],
) -> None:
    """Publish everything in order, with at most a window of records unacknowledged."""
    window: deque[tuple[SourceRecord, asyncio.Future[Position]]] = deque()
    in_flight = 0

    def full() -> bool:
        return len(window) == IN_FLIGHT or in_flight > IN_FLIGHT_BYTES

    async def oldest() -> int:
        record, acknowledgement = window.popleft()
        sent(record, await acknowledgement)
        return len(record.value)

    try:
        async for record in _each(records):
            if len(record.value) >= MAX_RECORD_BYTES:
                refused(record.origin)
                continue
            while window and (window[0][1].done() or full()):
                in_flight -= await oldest()
            sending = await client.send(topic, record.value, record.key)
            window.append((record, asyncio.ensure_future(sending)))
            in_flight += len(record.value)
        while window:
            await oldest()
    finally:
        await asyncio.gather(*[ack for _, ack in window], return_exceptions=True)


async def _each(
    records: Iterable[SourceRecord] | AsyncIterable[SourceRecord],
) -> AsyncIterator[SourceRecord]:
    if isinstance(records, AsyncIterable):
        async for record in records:
            yield record
    else:
        for record in records:
            yield record


async def _read(
    records: AsyncIterator[tuple[Topic, Record]],
    tally: Tally,
    report: Published,
    progress: Progress,
) -> None:
    async for topic, record in records:
        event = read_event(topic, record.value)
        if isinstance(event, OutcomeRecorded):
            tally.take(event)
            _count(report, tally)
            progress(report)


def _count(report: Published, tally: Tally) -> None:
    report.outcomes, report.facts = tally.outcomes, tally.facts
    report.settled, report.unresolved = tally.settled, tally.open

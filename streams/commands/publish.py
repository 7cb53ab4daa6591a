"""`chartproof publish`: records to `inbound.documents`, and with `--wait` what became of each."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import dataclass, field

from agents.events import read_event
from agents.ports import Record
from schemas.events import Position
from schemas.outcomes import Outcome, OutcomeRecorded
from schemas.topics import INBOUND_DOCUMENTS, MAX_RECORD_BYTES, OUTCOMES, Topic
from streams.client import Client
from streams.commands.sources import SourceRecord

IN_FLIGHT = 64
STALL_SECONDS = 60.0


@dataclass
class Published:
    """What was published and, when waited for, what became of it."""

    records: int = 0
    refused: list[str] = field(default_factory=list)
    """Origins of records too large for any topic; these were not sent."""
    outcomes: Counter[tuple[Outcome, str | None]] = field(default_factory=Counter)
    facts: int = 0
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


async def publish(
    client: Client,
    records: Iterable[SourceRecord],
    *,
    wait: bool = False,
    stall_s: float = STALL_SECONDS,
    progress: Progress = lambda _: None,
) -> Published:
    """Publish `records`; with `wait`, return when each has its outcomes or none came for `stall_s`.

    Raises `DependencyUnavailable` when the broker is away.
    """
    report = Published()
    if not wait:
        await _send(client, records, report, progress)
        return report
    async with client.follow([OUTCOMES]) as followed:
        tally = _Tally(report)
        reading = asyncio.create_task(tally.read(followed, progress))
        try:
            for position in await _send(client, records, report, progress):
                tally.expect(position)
            await tally.done(stall_s)
        finally:
            reading.cancel()
            await asyncio.gather(reading, return_exceptions=True)
        report.unresolved = tally.open
    return report


async def _send(
    client: Client, records: Iterable[SourceRecord], report: Published, progress: Progress
) -> list[Position]:
    """Publish everything, `IN_FLIGHT` at a time, in order per key."""
    positions: list[Position] = []
    window: list[SourceRecord] = []

    async def flush() -> None:
        sent = [await client.send(INBOUND_DOCUMENTS, item.value, item.key) for item in window]
        positions.extend(await asyncio.gather(*sent))
        report.records += len(window)
        window.clear()
        progress(report)

    for record in records:
        if len(record.value) >= MAX_RECORD_BYTES:
            report.refused.append(record.origin)
            continue
        window.append(record)
        if len(window) == IN_FLIGHT:
            await flush()
    await flush()
    return positions


class _Tally:
    """Outcomes by the position of their record; they may come before we know that position."""

    def __init__(self, report: Published) -> None:
        self._report = report
        self._seen: dict[Position, dict[int, OutcomeRecorded]] = {}
        self._expected: set[Position] = set()
        self._news = asyncio.Event()

    @property
    def open(self) -> int:
        return len(self._expected)

    def expect(self, position: Position) -> None:
        self._expected.add(position)
        self._settle(position)

    async def read(self, records: AsyncIterator[tuple[Topic, Record]], progress: Progress) -> None:
        async for topic, record in records:
            event = read_event(topic, record.value)
            if isinstance(event, OutcomeRecorded):
                self._seen.setdefault(event.source, {}).setdefault(event.item, event)
                self._settle(event.source)
                progress(self._report)

    def _settle(self, position: Position) -> None:
        """Count a record's outcomes once all its items have one."""
        outcomes = self._seen.get(position, {})
        if position not in self._expected or not outcomes:
            return
        if len(outcomes) < max(event.items for event in outcomes.values()):
            return
        self._expected.discard(position)
        for event in self._seen.pop(position).values():
            self._report.outcomes[event.outcome, event.reason] += 1
            self._report.facts += event.facts
        self._news.set()

    async def done(self, stall_s: float) -> None:
        """Return when nothing is open any more, or no record was settled for `stall_s` seconds."""
        while self._expected:
            self._news.clear()
            try:
                await asyncio.wait_for(self._news.wait(), stall_s)
            except TimeoutError:
                return

"""`chartproof bench --backfill`: what a backfill that runs beside them costs live texts.

Texts of one patient, one at a time, in turns without and with a backfill of other patients' notes:
the turns are of the same minutes, so what else the machine does weighs on both.
"""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from itertools import count

from rich.console import Console

from agents.events import read_event
from agents.ports import Record
from schemas.outcomes import OutcomeRecorded
from schemas.topics import INBOUND_BACKFILL, OUTCOMES, SCORESHEETS, VERDICTS, Topic
from streams.bench.pipeline import Figure, figures_table, live_times, p95
from streams.bench.workload import for_patient, records, summary
from streams.cli.client import Client
from streams.cli.publish import publish
from streams.local.running import running_stack
from streams.local.sample import SampleChart, load_chart

TURNS = 3
TEXTS_A_TURN = 8
LINES = 10
"""Of the sample's summary: a text of some ten propositions, as a clinician would wait for."""
UNDER_WAY = 24
"""Notes of the backfill that are published and not done: two patients' or more."""
PAUSE_SECONDS = 1.0
"""Between texts, in every turn: the next one finds the backfill at full speed."""
ALONE_SECONDS = 8.0
LIVE = "bench-live"


@dataclass
class Times:
    """Seconds from a text to its first verdict and to its score sheet."""

    first: list[float] = field(default_factory=list)
    sheet: list[float] = field(default_factory=list)


@dataclass
class Load:
    """What the backfill got done."""

    notes: int = 0
    seconds: float = 0.0

    @property
    def rate(self) -> float:
        return self.notes / self.seconds


@dataclass
class Loads:
    alone: Load = field(default_factory=Load)
    beside: Load = field(default_factory=Load)


async def bench_backfill(console: Console) -> int:
    chart = load_chart()
    async with running_stack(console) as stack, Client(stack.settings) as client:
        await publish(client, records(for_patient(chart, LIVE)), wait=True)
        with console.status("texts without and with a backfill, in turns ..."):
            without, beside, loads = await _measure(client, chart)
    console.print(figures_table(_figures(without, beside), "Live texts beside a backfill"))
    console.print(
        f"{len(beside.first)} texts with and {len(without.first)} without; of the backfill "
        f"{loads.beside.rate:.1f} notes/s were indexed beside them, {loads.alone.rate:.1f} alone"
    )
    return 0


async def _measure(client: Client, chart: SampleChart) -> tuple[Times, Times, Loads]:
    without, beside, loads = Times(), Times(), Loads()
    async with (
        client.follow([VERDICTS, SCORESHEETS]) as events,
        client.follow([OUTCOMES]) as outcomes,
    ):
        supply = _Supply(client, chart)
        counting = asyncio.create_task(supply.count(outcomes))
        for turn in range(TURNS):
            await _turn(client, events, chart, without, f"{turn}-without")
            async with supply.running(loads):
                await _turn(client, events, chart, beside, f"{turn}-beside")
        counting.cancel()
        await asyncio.gather(counting, return_exceptions=True)
    return without, beside, loads


async def _turn(
    client: Client,
    events: AsyncIterator[tuple[Topic, Record]],
    chart: SampleChart,
    times: Times,
    name: str,
) -> None:
    text = summary(for_patient(chart, LIVE), name)
    text = text.model_copy(update={"text": "".join(text.text.splitlines(keepends=True)[:LINES])})
    for n in range(TEXTS_A_TURN):
        await asyncio.sleep(PAUSE_SECONDS)
        first, sheet = await live_times(
            client, events, text.model_copy(update={"text_id": f"{name}-{n}"})
        )
        times.first.append(first)
        times.sheet.append(sheet)


class _Supply:
    """A backfill without end: there is always more of it than fits in work."""

    def __init__(self, client: Client, chart: SampleChart) -> None:
        self._client = client
        self._notes = (
            note for n in count() for note in records(for_patient(chart, f"backfill-{n}"))
        )
        self._sent = 0
        self._done = 0
        self._news = asyncio.Event()
        self._stop = False

    async def count(self, outcomes: AsyncIterator[tuple[Topic, Record]]) -> None:
        name = self._client.name(INBOUND_BACKFILL)
        async for topic, record in outcomes:
            event = read_event(topic, record.value)
            self._done += isinstance(event, OutcomeRecorded) and event.source.topic == name
            self._news.set()

    @asynccontextmanager
    async def running(self, loads: Loads) -> AsyncIterator[None]:
        """Inside, the backfill runs; what is under way is done when the context ends."""
        self._stop = False
        supplying = asyncio.create_task(self._supply())
        try:
            with self._counted(loads.alone):
                await asyncio.sleep(ALONE_SECONDS)
            with self._counted(loads.beside):
                yield
        finally:
            self._stop = True
            self._news.set()
            await supplying
        while self._done < self._sent:
            await self._heard()

    async def _supply(self) -> None:
        while not self._stop:
            while self._sent - self._done < UNDER_WAY:
                note = next(self._notes)
                self._sent += 1
                await self._client.publish(INBOUND_BACKFILL, note.value, note.key)
            await self._heard()

    async def _heard(self) -> None:
        self._news.clear()
        await self._news.wait()

    @contextmanager
    def _counted(self, load: Load) -> Iterator[None]:
        before, started = self._done, time.perf_counter()
        yield
        load.notes += self._done - before
        load.seconds += time.perf_counter() - started


def _figures(without: Times, beside: Times) -> list[Figure]:
    return [
        Figure(f"{what}, {name}", 1000 * point(with_), 1000 * point(base), "ms", "without backfill")
        for what, with_, base in (
            ("text to first verdict", beside.first, without.first),
            ("text to score sheet", beside.sheet, without.sheet),
        )
        for name, point in (("p50", statistics.median), ("p95", p95))
    ]

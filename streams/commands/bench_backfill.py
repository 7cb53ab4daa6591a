"""`chartproof bench --backfill`: what a backfill that runs beside them costs live texts.

Texts of one patient, one at a time, in turns without and with a backfill of other patients' notes:
the turns are of the same minutes, so what else the machine does weighs on both.
"""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from rich.console import Console

from agents.ports import Record
from schemas.topics import INBOUND_BACKFILL, SCORESHEETS, VERDICTS, Topic
from streams.bench_workload import for_patient, records, summary
from streams.client import Client
from streams.commands.bench import Figure, figures_table, live_times, p95
from streams.commands.publish import Published, publish
from streams.local.sample import SampleChart, load_chart
from streams.local.stack import Stack

TURNS = 3
TEXTS_A_TURN = 8
LINES = 10
"""Of the sample's summary: a text of some ten propositions, as a clinician would wait for."""
LOADERS = 4
"""Charts of the backfill that are under way at once: there is always more than fits in work."""
PAUSE_SECONDS = 1.0
"""Between texts, in every turn: the next one finds the backfill at full speed."""
ALONE_SECONDS = 5.0
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
    with tempfile.TemporaryDirectory(prefix="chartproof-bench-") as folder:
        stack = Stack(Path(folder))
        try:
            with console.status("starting the stack ..."):
                await asyncio.to_thread(stack.start)
                await asyncio.to_thread(stack.start_worker)
            async with Client(stack.settings) as client:
                await publish(client, records(for_patient(chart, LIVE)), wait=True)
                with console.status("texts without and with a backfill, in turns ..."):
                    without, beside, loads = await _measure(client, chart)
        finally:
            await asyncio.to_thread(stack.stop)
    console.print(figures_table(_figures(without, beside), "Live texts beside a backfill"))
    console.print(
        f"{len(beside.first)} texts with and {len(without.first)} without; of the backfill "
        f"{loads.beside.rate:.1f} notes/s were indexed beside them, {loads.alone.rate:.1f} alone"
    )
    return 0


async def _measure(client: Client, chart: SampleChart) -> tuple[Times, Times, Loads]:
    without, beside, loads = Times(), Times(), Loads()
    numbers = count()
    async with client.follow([VERDICTS, SCORESHEETS]) as events:
        for turn in range(TURNS):
            await _turn(client, events, chart, without, f"{turn}-without")
            async with _backfill(client, chart, numbers, loads):
                await _turn(client, events, chart, beside, f"{turn}-beside")
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


@asynccontextmanager
async def _backfill(
    client: Client, chart: SampleChart, numbers: count[int], loads: Loads
) -> AsyncIterator[None]:
    """Inside, a backfill runs; it is done when the context ends."""
    settled: Counter[int] = Counter()
    stop, running = False, asyncio.Event()

    async def loader() -> None:
        while not stop:
            number = next(numbers)

            def progress(report: Published) -> None:
                settled[number] = report.settled  # noqa: B023 - called in this round only
                if report.settled:
                    running.set()

            notes = records(for_patient(chart, f"backfill-{number}"))
            await publish(client, notes, topic=INBOUND_BACKFILL, wait=True, progress=progress)

    @contextmanager
    def counted(load: Load) -> Iterator[None]:
        before, started = settled.total(), time.perf_counter()
        yield
        load.notes += settled.total() - before
        load.seconds += time.perf_counter() - started

    loaders = [asyncio.create_task(loader()) for _ in range(LOADERS)]
    try:
        await running.wait()
        with counted(loads.alone):
            await asyncio.sleep(ALONE_SECONDS)
        with counted(loads.beside):
            yield
    finally:
        stop = True
        await asyncio.gather(*loaders)


def _figures(without: Times, beside: Times) -> list[Figure]:
    return [
        Figure(f"{what}, {name}", 1000 * point(with_), 1000 * point(base), "ms", "without backfill")
        for what, with_, base in (
            ("text to first verdict", beside.first, without.first),
            ("text to score sheet", beside.sheet, without.sheet),
        )
        for name, point in (("p50", statistics.median), ("p95", p95))
    ]

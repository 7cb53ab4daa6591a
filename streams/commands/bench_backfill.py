"""`chartproof bench --backfill`: what a backfill that runs beside them costs live texts.

Texts of one patient, one at a time, in turns without and with a backfill of other patients' notes:
the turns are of the same minutes, so what else the machine does weighs on both.
"""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from rich.console import Console

from agents.ports import Record
from schemas.topics import INBOUND_BACKFILL, SCORESHEETS, VERDICTS, Topic
from streams.bench_workload import for_patient, records, summary
from streams.client import Client
from streams.commands.bench import Figure, figures_table, live_times, p95
from streams.commands.publish import publish
from streams.local.sample import SampleChart, load_chart
from streams.local.stack import Stack

TURNS = 3
TEXTS_A_TURN = 8
LINES = 10
"""Of the sample's summary: a text of some ten propositions, as a clinician would wait for."""
LOADERS = 4
"""Charts of the backfill that are under way at once: there is always more than fits in work."""
LIVE = "bench-live"


@dataclass
class Times:
    """Seconds from a text to its first verdict and to its score sheet."""

    first: list[float] = field(default_factory=list)
    sheet: list[float] = field(default_factory=list)


@dataclass
class Load:
    """What the backfill got done beside the texts."""

    notes: int = 0
    seconds: float = 0.0


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
                    without, beside, load = await _measure(client, chart)
        finally:
            await asyncio.to_thread(stack.stop)
    console.print(figures_table(_figures(without, beside), "Live texts beside a backfill"))
    console.print(
        f"{len(beside.first)} texts with and {len(without.first)} without; the backfill had "
        f"{load.notes / load.seconds:.1f} notes/s indexed meanwhile"
    )
    return 0


async def _measure(client: Client, chart: SampleChart) -> tuple[Times, Times, Load]:
    without, beside, load = Times(), Times(), Load()
    numbers = count()
    async with client.follow([VERDICTS, SCORESHEETS]) as events:
        for turn in range(TURNS):
            await _turn(client, events, chart, without, f"{turn}-without")
            async with _backfill(client, chart, numbers, load):
                await _turn(client, events, chart, beside, f"{turn}-beside")
    return without, beside, load


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
        first, sheet = await live_times(
            client, events, text.model_copy(update={"text_id": f"{name}-{n}"})
        )
        times.first.append(first)
        times.sheet.append(sheet)


@asynccontextmanager
async def _backfill(
    client: Client, chart: SampleChart, numbers: count[int], load: Load
) -> AsyncIterator[None]:
    """Inside, a backfill runs; it is done when the context ends."""
    running, indexed = asyncio.Event(), 0
    stop = False

    async def loader() -> None:
        nonlocal indexed
        while not stop:
            notes = records(for_patient(chart, f"backfill-{next(numbers)}"))
            report = await publish(client, notes, topic=INBOUND_BACKFILL, wait=True)
            assert report.ok
            indexed += report.resources
            running.set()

    loaders = [asyncio.create_task(loader()) for _ in range(LOADERS)]
    try:
        await running.wait()
        before, started = indexed, time.perf_counter()
        yield
        load.notes += indexed - before
        load.seconds += time.perf_counter() - started
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

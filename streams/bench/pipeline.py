"""`chartproof bench`: what the pipeline costs over its parts, as ratios within one run.

Absolute times are of this machine in this minute; the ratios are what a change should be judged by.
"""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from agents.adapters.index.milvus import MilvusIndex
from agents.adapters.models import Models
from agents.events import read_event
from agents.ports import Record
from schemas.texts import TextGenerated
from schemas.topics import INBOUND_TEXTS, SCORESHEETS, VERDICTS, Topic
from schemas.verdicts import ScoreSheetIssued, VerdictIssued
from streams.bench.index import IndexTiming, bench_index
from streams.bench.intake import bench_intake
from streams.bench.models import Throughput, measure_models
from streams.bench.workload import Recorded, for_patient, records, summary
from streams.bench.workload import record as record_calls
from streams.cli.client import Client
from streams.cli.publish import publish
from streams.cli.verify import verify
from streams.dependencies import open_models
from streams.local.milvus import MilvusLite
from streams.local.running import running_stack
from streams.local.sample import SampleChart, load_chart
from streams.local.stack import LITE_SPREAD

PATIENTS = 6
TEXTS_AT_ONCE = 4
THROUGHPUT_RUNS = 5
IDLE_RUNS = 15


@dataclass(frozen=True)
class Figure:
    """`measured` and `baseline` in `unit`; `ratio` is what to compare between runs."""

    what: str
    measured: float
    baseline: float
    unit: str
    over: str

    @property
    def ratio(self) -> float:
        return self.measured / self.baseline


async def bench(console: Console) -> int:
    chart = load_chart()
    console.print(bench_intake())
    async with running_stack(console, worker=False) as stack:
        models = await open_models(stack.settings)
        with console.status("models alone ..."):
            console.print(_throughputs(await measure_models(models)))
        await asyncio.to_thread(stack.start_worker)
        async with Client(stack.settings) as client:
            with console.status("ingest ..."):
                figures = [await _ingest(client, chart, models)]
            recorded, _ = await record_calls(for_patient(chart, "bench-0"), models)
            with console.status("verify, many texts at once ..."):
                figures.append(await _throughput(client, chart, models, recorded))
            with console.status("verify, one text at a time ..."):
                figures += await _latency(client, chart, models, recorded)
        await models.close()
    console.print(figures_table(figures))
    with console.status("index at 10, 100 and 1,000 patients ..."):
        console.print(_timings(await _index()))
    return 0


async def _index() -> list[IndexTiming]:
    """An empty Milvus Lite of its own, filled step by step."""
    with tempfile.TemporaryDirectory(prefix="chartproof-bench-") as folder:
        server = MilvusLite(Path(folder) / "milvus", Path(folder))
        try:
            await asyncio.to_thread(server.start)
            index = await MilvusIndex.connect(server.uri, spread=LITE_SPREAD)
            timings = await bench_index(index)
            await index.close()
        finally:
            server.process.retire()
            await asyncio.to_thread(server.stop)
    return timings


async def _ingest(client: Client, chart: SampleChart, models: Models) -> Figure:
    """Notes of `PATIENTS` patients, published until indexed, over the embedder fed directly."""
    charts = [for_patient(chart, f"bench-{n}") for n in range(PATIENTS)]
    started = time.perf_counter()
    report = await publish(client, [item for each in charts for item in records(each)], wait=True)
    measured = report.facts / (time.perf_counter() - started)
    _, sentences = await record_calls(for_patient(chart, "bench-raw"), models)
    texts = [f"{text} (raw {n})" for n in range(PATIENTS) for text in sentences]
    started = time.perf_counter()
    await models.embedder.embed(texts)
    baseline = len(texts) / (time.perf_counter() - started)
    return Figure("ingest", measured, baseline, "sentences/s", "the embedder alone")


async def _throughput(
    client: Client, chart: SampleChart, models: Models, recorded: Recorded
) -> Figure:
    """Texts of several patients at once, over the same model calls made directly."""
    charts = [for_patient(chart, f"bench-{n}") for n in range(TEXTS_AT_ONCE)]
    # Once unmeasured: the replay finds the models' caches warm, so the pipeline must too.
    await asyncio.gather(
        *[_sheet(client, summary(each, f"warm-{each.patient_id}")) for each in charts]
    )
    measured, baseline = [], []
    for n in range(THROUGHPUT_RUNS):  # by turns, so that what else the machine does hits both
        started = time.perf_counter()
        sheets = await asyncio.gather(
            *[_sheet(client, summary(each, f"t{n}-{each.patient_id}")) for each in charts]
        )
        judged = sum(len(sheet.judged) for sheet in sheets)
        measured.append(judged / (time.perf_counter() - started))
        started = time.perf_counter()
        await asyncio.gather(*[recorded.replay(models) for _ in charts])
        propositions = len(recorded.chains) * len(charts)
        baseline.append(propositions / (time.perf_counter() - started))
    return Figure(
        "verify",
        statistics.median(measured),
        statistics.median(baseline),
        "propositions/s",
        "the model calls alone",
    )


async def _latency(
    client: Client, chart: SampleChart, models: Models, recorded: Recorded
) -> list[Figure]:
    """One text at a time on an idle stack: first verdict and score sheet, p50 and p95."""
    first, sheet, first_sum, sheet_sum = [], [], [], []
    async with client.follow([VERDICTS, SCORESHEETS]) as events:
        for n in range(IDLE_RUNS):
            text = summary(for_patient(chart, "bench-0"), f"idle-{n}")
            to_first, to_sheet = await live_times(client, events, text)
            model_first, model_all = await recorded.sums(models)
            first.append(to_first)
            sheet.append(to_sheet)
            first_sum.append(model_first)
            sheet_sum.append(model_all)
    return [
        Figure(f"{what}, {name}", 1000 * point(times), 1000 * point(sums), "ms", over)
        for what, times, sums, over in (
            ("text to first verdict", first, first_sum, "the sum of its model calls"),
            ("text to score sheet", sheet, sheet_sum, "the sum of all model calls"),
        )
        for name, point in (("p50", statistics.median), ("p95", p95))
    ]


async def live_times(
    client: Client, events: AsyncIterator[tuple[Topic, Record]], text: TextGenerated
) -> tuple[float, float]:
    """Seconds from publishing to the first verdict and to the score sheet."""
    started = time.perf_counter()
    await client.publish(INBOUND_TEXTS, text.to_json(), text.key)
    first: float | None = None
    async for topic, record in events:
        event = read_event(topic, record.value)
        passed = time.perf_counter() - started
        if isinstance(event, VerdictIssued) and event.text_id == text.text_id:
            first = first or passed
        if isinstance(event, ScoreSheetIssued) and event.text_id == text.text_id:
            return first or passed, passed
    raise AssertionError("a topic has no end")


async def _sheet(client: Client, text: TextGenerated) -> ScoreSheetIssued:
    async for event in verify(client, text):
        if isinstance(event, ScoreSheetIssued):
            return event
    raise AssertionError("verify ends with a score sheet")


def p95(values: Sequence[float]) -> float:
    return statistics.quantiles(values, n=20, method="inclusive")[-1]


def _throughputs(throughputs: Sequence[Throughput]) -> Table:
    table = Table(title="Models alone, through Triton", title_justify="left")
    table.add_column("model")
    table.add_column("per second", justify="right")
    table.add_column("of")
    for each in throughputs:
        table.add_row(each.name, f"{each.per_second:,.0f}", each.unit)
    return table


def _timings(timings: Sequence[IndexTiming]) -> Table:
    table = Table(title="Index on Milvus Lite, medians", title_justify="left")
    for column in ("patients", "facts", "update ms", "ratio", "query ms", "ratio"):
        table.add_column(column, justify="right")
    for each in timings:
        table.add_row(
            f"{each.patients:,}",
            f"{each.facts:,}",
            f"{each.update_ms:.1f}",
            f"{each.update_ratio:.2f}",
            f"{each.query_ms:.1f}",
            f"{each.query_ratio:.2f}",
        )
    return table


def figures_table(figures: Sequence[Figure], title: str = "Pipeline over its parts") -> Table:
    table = Table(title=title, title_justify="left")
    for column in ("what", "measured", "baseline", "unit", "ratio", "over"):
        table.add_column(column, justify="right" if column in {"measured", "ratio"} else "left")
    for each in figures:
        table.add_row(
            each.what,
            f"{each.measured:.1f}",
            f"{each.baseline:.1f}",
            each.unit,
            f"{each.ratio:.2f}",
            each.over,
        )
    return table

"""`chartproof settings-table`: what each setting of a verification does, on the sample chart.

The chart's notes go through the same agents as in a worker, in this process; the summary is then
verified once a row, with one setting changed. This command prints the table of
docs/settings.md.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

import orjson
from rich.console import Console

from agents.adapters.index.memory import MemoryIndex
from agents.adapters.models import Models, in_process
from agents.chart import ChartAgent
from agents.indexing.document_indexer import DocumentIndexer
from agents.intake.receive import Intake
from agents.ports import Record
from agents.verification.verifier import Verifier
from schemas.events import Event
from schemas.texts import VerificationSettings
from schemas.topics import CHART, INBOUND_DOCUMENTS
from schemas.verdicts import ScoreSheetIssued, Verdict
from streams.cli import render
from streams.clock import SystemClock
from streams.local.sample import SampleChart, load_chart
from streams.local.sample.messages import document_reference, generated_summary
from streams.local.sample.scoring import score

ROWS: tuple[Mapping[str, object], ...] = (
    {},
    {"unit": "sentence"},
    {"unit": "snippet"},
    {"unit": "snippet", "decomposition": "group"},
    {"retrieval": "dense"},
    {"retrieval": "sparse"},
    {"rerank": False},
    {"top_n": 5},
    {"top_n": 30},
    {"top_n": 150},
    {"ensure_section_coverage": True},
    {"scope": "encounter"},
    {"reference_format": "relevance"},
    {"reference_format": "absolute_time"},
    {"reference_format": "relative_time"},
    {"token_budget": 200},
    {"judging": "full_context"},
    {"abstain_below": 0.6},
    {"max_rounds": 1},
    {"max_rounds": 5},
)
HEADER = ("setting", "errors caught", "true flagged", "open", "judge calls", "facts shown")


async def settings_table(model_repository: Path, console: Console) -> int:
    """Print the table. 0 when every row has its score sheet."""
    chart = load_chart()
    models = await in_process.load(model_repository)
    lines = [_line(HEADER), _line("---" for _ in HEADER)]
    try:
        agent = await _agent(models, chart)
        for row in ROWS:
            with console.status(f"{row or 'defaults'} ..."):
                sheet = await _verified(agent, chart, VerificationSettings.model_validate(row))
            lines.append(_line(_cells(row, chart, sheet)))
    finally:
        await models.close()
    render.document("\n".join(lines), console)
    return 0


async def _agent(models: Models, chart: SampleChart) -> ChartAgent:
    """A chart agent whose index has the chart's notes."""
    clock, index = SystemClock(), MemoryIndex()
    indexer = DocumentIndexer(index, models.embedder, models.decomposer, clock)
    verifier = Verifier(
        index, models.embedder, models.reranker, models.decomposer, models.judge, clock
    )
    agent = ChartAgent(indexer, verifier)
    changes: list[Event] = []

    async def keep(event: Event) -> None:
        changes.append(event)

    intake = Intake(clock)
    for n, note in enumerate(chart.notes):
        value = orjson.dumps(document_reference(chart, note))
        await intake.documents(Record(INBOUND_DOCUMENTS.name, 0, n, None, value), keep)
    for n, change in enumerate(tuple(changes)):
        await agent.handle(Record(CHART.name, 0, n, None, change.to_json()), keep)
    return agent


async def _verified(
    agent: ChartAgent, chart: SampleChart, settings: VerificationSettings
) -> ScoreSheetIssued:
    sheets: list[ScoreSheetIssued] = []

    async def keep(event: Event) -> None:
        if isinstance(event, ScoreSheetIssued):
            sheets.append(event)

    text = generated_summary(chart, "summary", chart.summary_generated_at, settings)
    await agent.handle(Record(CHART.name, 0, len(chart.notes), None, text.to_json()), keep)
    return sheets[0]


def _cells(
    row: Mapping[str, object], chart: SampleChart, sheet: ScoreSheetIssued
) -> tuple[str, ...]:
    result = score(chart.planted, sheet.judged)
    calls = sum(each.judge_calls for each in sheet.judged)
    shown = sum(each.facts_shown for each in sheet.judged)
    return (
        as_text(row),
        f"{len(result.caught)} of {len(chart.planted)}",
        f"{len(result.false_alarms)} of {result.true_statements}",
        str(sheet.counts[Verdict.ABSTAINED]),
        str(calls),
        f"{shown / max(len(sheet.judged), 1):.1f}",
    )


def as_text(row: Mapping[str, object]) -> str:
    """What is changed in a row, as its first cell says it."""
    return ", ".join(f"`{name}={json.dumps(row[name])}`" for name in row) or "defaults"


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"

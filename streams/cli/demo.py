"""`chartproof demo`: the main job on an invented patient, end to end, on the embedded stack.

It says which planted errors were caught, which were missed and which true statements were flagged:
what the cpu judge cannot do is shown as it is.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import UTC, datetime

import orjson
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from schemas.verdicts import JudgedProposition, ScoreSheetIssued, VerdictIssued
from streams.cli import render
from streams.cli.client import Client
from streams.cli.llm_options import NO_LLM, LlmChoice
from streams.cli.publish import Published, publish
from streams.cli.sources import SourceRecord
from streams.cli.verify import verify
from streams.local.running import running_stack
from streams.local.sample import SampleChart, load_chart
from streams.local.sample.messages import document_reference, generated_summary
from streams.local.sample.scoring import SampleScore, score
from streams.local.stack import Stack


async def demo(console: Console, llm: LlmChoice = NO_LLM) -> int:
    """0 when the chart was indexed and the summary got its score sheet, 2 otherwise."""
    chart = load_chart()
    async with running_stack(console, llm=llm.small, **llm.changes) as stack:
        console.print(f"[bold]Stack up:[/] {_parts(stack)}")
        if llm.small:
            console.print(
                "The language model is the smallest there is: it shows the path, not how well a "
                "language model judges. Name your own with --llm-url and --llm-model."
            )
        async with Client(stack.settings) as client:
            indexed = await _index(client, chart, console)
            if not indexed.ok:
                console.print(render.published(indexed))
                return 2
            sheet = await _verify(client, chart, console)
    if sheet is None:
        return 2
    console.print(render.score_sheet(sheet))
    _say_what_was_caught(chart, sheet.judged, console)
    return 0


def _parts(stack: Stack) -> str:
    models = f"Triton at {stack.triton.grpc_url}" if stack.triton else "models in the worker"
    given = f"Kafka (Tansu) at {stack.bootstrap}, Milvus Lite at {stack.milvus.uri}, {models}"
    llm = stack.settings.llm_url
    return f"{given}, a language model at {llm}" if llm else given


async def _index(client: Client, chart: SampleChart, console: Console) -> Published:
    console.print(f"\n[bold]Notes of {escape(chart.patient_name)} go in[/] (an invented patient)")
    records = []
    for note in chart.notes:
        value = orjson.dumps(document_reference(chart, note))
        records.append(SourceRecord(note.note_id, value, f"Patient/{chart.patient_id}"))
        console.print(f"  {render.utc(note.time)}  {escape(note.display)}")
    report = await publish(client, records, wait=True)
    console.print(f"{report.resources} notes, {report.facts} facts in the index")
    return report


async def _verify(client: Client, chart: SampleChart, console: Console) -> ScoreSheetIssued | None:
    console.print("\n[bold]A generated discharge summary goes in; verdicts come out[/]")
    text = generated_summary(chart, str(uuid.uuid4()), datetime.now(UTC))
    async for event in verify(client, text):
        if isinstance(event, VerdictIssued):
            console.print(render.verdict(event.judged))
        else:
            return event
    return None


def _say_what_was_caught(
    chart: SampleChart, judged: Sequence[JudgedProposition], console: Console
) -> None:
    result = score(chart.planted, judged)
    table = Table(title="Planted errors", title_justify="left")
    for column in ("kind", "the summary says", "the chart says", "outcome"):
        table.add_column(column)
    for planted in chart.planted:
        outcome = "[green]caught[/]" if planted in result.caught else "[bold red]missed[/]"
        row = (planted.kind, planted.quote, planted.truth)
        table.add_row(*[escape(cell) for cell in row], outcome)
    console.print(table)
    console.print(_totals(result))


def _totals(result: SampleScore) -> str:
    planted = len(result.caught) + len(result.missed)
    return (
        f"[bold]{len(result.caught)} of {planted} planted errors caught[/]; "
        f"{len(result.false_alarms)} of {result.true_statements} true statements flagged in error."
    )

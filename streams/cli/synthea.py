"""`chartproof evaluate`: a Synthea export through the whole pipeline, and statements made from it.

It also holds the two promises that no judge may break: a verdict cites facts of its own patient
only, and none that are later than the text's `as_of`.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import orjson
from rich.console import Console

from agents.evaluation.confusion import WORST_FIRST, Confusion, markdown
from agents.evaluation.synthea import load_synthea
from agents.evaluation.synthea_statements import EXPECTED, Statement, statements
from agents.events import read_event
from agents.ports import Record
from schemas.texts import TextGenerated, VerificationSettings
from schemas.topics import INBOUND_TEXTS, SCORESHEETS, Topic
from schemas.verdicts import ScoreSheetIssued, Verdict
from streams.cli import render
from streams.cli.client import Client
from streams.cli.publish import publish
from streams.cli.sources import read_sources
from streams.local.running import running_stack

QUIET_SECONDS = 120.0


async def run_synthea(folder: Path, *, per_class: int, seed: int, console: Console) -> int:
    """0 when every statement was judged and no verdict broke isolation or time, 1 otherwise."""
    notes, asked = await asyncio.to_thread(_plan, folder, per_class, seed)
    async with running_stack(console) as stack, Client(stack.settings) as client:
        with console.status("publishing the notes ..."):
            report = await publish(client, read_sources(notes), wait=True)
        console.print(render.published(report))
        with console.status(f"verifying {len(asked)} statements ..."):
            sheets = await _verify(client, asked)
    pairs = [(asked[n].label, worst(sheet)) for n, sheet in sheets.items()]
    render.document(markdown(Confusion.of(pairs), EXPECTED), console)
    foreign, later = broken_promises(sheets, asked, _owners(notes))
    console.print(
        f"{report.facts} facts, {len(sheets)} of {len(asked)} statements judged; "
        f"citations of another patient's facts: {foreign}; of facts after as_of: {later}"
    )
    return 0 if report.ok and len(sheets) == len(asked) and not foreign and not later else 1


def _plan(folder: Path, per_class: int, seed: int) -> tuple[list[Path], list[Statement]]:
    """The files with notes, and the statements: as of the middle note of each patient."""
    charts = load_synthea(folder)
    asked = [
        statement
        for chart in charts
        for statement in statements(chart, charts, chart.middle(), seed=seed, n=per_class)
    ]
    return sorted(folder.glob("DocumentReference.*.ndjson")), asked


def worst(sheet: ScoreSheetIssued) -> Verdict:
    """The verdict of a statement; `failed` when it has no proposition at all."""
    found = {row.verdict for row in sheet.judged}
    return next((verdict for verdict in WORST_FIRST if verdict in found), Verdict.FAILED)


def broken_promises(
    sheets: Mapping[int, ScoreSheetIssued], asked: Sequence[Statement], owners: Mapping[str, str]
) -> tuple[int, int]:
    """How many citations are of another patient's document, and how many are later than as_of."""
    cited = [
        (asked[n], evidence)
        for n, sheet in sheets.items()
        for row in sheet.judged
        for evidence in row.evidence
    ]
    foreign = sum(owners[each.document_id] != said.patient_id for said, each in cited)
    later = sum(each.note_time > said.as_of for said, each in cited)
    return foreign, later


async def _verify(client: Client, asked: Sequence[Statement]) -> dict[int, ScoreSheetIssued]:
    """The score sheet of each statement, by its index."""
    async with client.follow([SCORESHEETS]) as events:
        for n, statement in enumerate(asked):
            text = TextGenerated(
                occurred_at=datetime.now(UTC),
                text_id=str(n),
                patient_id=statement.patient_id,
                text=statement.text,
                as_of=statement.as_of,
                settings=VerificationSettings(unit="sentence"),
            )
            await client.publish(INBOUND_TEXTS, text.to_json(), text.key)
        return await _sheets(events, len(asked))


async def _sheets(
    events: AsyncIterator[tuple[Topic, Record]], expected: int
) -> dict[int, ScoreSheetIssued]:
    """Sheets until all are there or nothing came for `QUIET_SECONDS`."""
    sheets: dict[int, ScoreSheetIssued] = {}
    while len(sheets) < expected:
        try:
            async with asyncio.timeout(QUIET_SECONDS):
                topic, record = await anext(events)
        except TimeoutError:
            break
        event = read_event(topic, record.value)
        if isinstance(event, ScoreSheetIssued):
            sheets[int(event.text_id)] = event
    return sheets


def _owners(notes: Sequence[Path]) -> dict[str, str]:
    """Document id -> patient id, from the export itself and not from anything of ours."""
    owners = {}
    for path in notes:
        for line in path.read_bytes().splitlines():
            resource = orjson.loads(line)
            owners[resource["id"]] = resource["subject"]["reference"].removeprefix("Patient/")
    return owners

"""A bulk load beside live traffic, and one that is killed and goes on, on the embedded stack."""

import asyncio
import base64
import json
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import orjson
import pytest

from agents.events import read_event
from schemas.outcomes import Outcome, OutcomeRecorded
from schemas.texts import TextGenerated
from schemas.topics import INBOUND_BACKFILL, INBOUND_DOCUMENTS, INBOUND_TEXTS, OUTCOMES, SCORESHEETS
from schemas.verdicts import ScoreSheetIssued, Verdict
from streams.cli.client import Client
from streams.cli.publish_backfill import backfill
from streams.local.stack import Stack

NOTES = 300
PATIENTS = 20


@pytest.fixture(scope="module")
def stack(tmp_path_factory) -> Iterator[Stack]:
    with Stack(tmp_path_factory.mktemp("stack")) as running:
        running.start_worker()
        yield running


@pytest.fixture
async def client(stack: Stack):
    async with Client(stack.settings) as connected:
        yield connected


def note(patient: str, document: str, text: str) -> bytes:
    data = base64.b64encode(text.encode()).decode()
    return orjson.dumps(
        {
            "resourceType": "DocumentReference",
            "id": document,
            "meta": {"versionId": "1"},
            "status": "current",
            "subject": {"reference": f"Patient/{patient}"},
            "date": "2026-03-02T09:30:00Z",
            "content": [{"attachment": {"contentType": "text/plain", "data": data}}],
        }
    )


def export(path: Path, name: str) -> set[str]:
    """An NDJSON file of `NOTES` notes; returns their ids."""
    ids = [f"{name}-{n}" for n in range(NOTES)]
    path.write_bytes(
        b"\n".join(
            note(f"{name}-p{n % PATIENTS}", each, f"Visit {n}. Denies chest pain. Walks {n} steps.")
            for n, each in enumerate(ids)
        )
    )
    return set(ids)


async def test_a_live_text_does_not_wait_for_the_backfill(client: Client, tmp_path: Path) -> None:
    name, patient = uuid.uuid4().hex[:8], f"live-{uuid.uuid4().hex[:8]}"
    expected = export(tmp_path / "notes.ndjson", name)
    text = TextGenerated(
        occurred_at=datetime.now(UTC),
        text_id=str(uuid.uuid4()),
        patient_id=patient,
        text="Allergic to shellfish.",
    )
    loaded: set[str] = set()
    loaded_at_sheet: int | None = None
    sheet: ScoreSheetIssued | None = None
    async with client.follow([OUTCOMES, SCORESHEETS]) as events:
        loading = asyncio.create_task(
            backfill(
                client, [tmp_path / "notes.ndjson"], state_file=tmp_path / "state.json", wait=True
            )
        )
        async for topic, record in events:
            event = read_event(topic, record.value)
            if isinstance(event, OutcomeRecorded) and event.document_id in expected:
                if not loaded:  # the backfill runs: now comes a clinician
                    live = note(patient, f"{patient}-n", "Allergic to shellfish.")
                    await client.publish(INBOUND_DOCUMENTS, live, f"Patient/{patient}")
                loaded.add(event.document_id)
            if isinstance(event, OutcomeRecorded) and event.document_id == f"{patient}-n":
                await client.publish(INBOUND_TEXTS, text.to_json(), text.key)
            if isinstance(event, ScoreSheetIssued) and event.text_id == text.text_id:
                sheet, loaded_at_sheet = event, len(loaded)
            if loaded == expected and sheet:
                break
        report = await loading
    assert dict(report.outcomes) == {(Outcome.INDEXED, None): NOTES}
    assert (report.records, report.settled, report.unresolved) == (NOTES, NOTES, 0)
    assert sheet.counts[Verdict.SUPPORTED] == 1
    assert loaded_at_sheet < NOTES / 2


async def test_a_backfill_that_is_killed_goes_on_and_no_document_is_missing(
    client: Client, stack: Stack, tmp_path: Path
) -> None:
    name, path, state = uuid.uuid4().hex[:8], tmp_path / "notes.ndjson", tmp_path / "state.json"
    expected = export(path, name)
    async with client.follow([OUTCOMES]) as events:
        published = await asyncio.to_thread(_publish_and_kill, stack, path, state)
        assert 0 < published < path.stat().st_size
        report = await backfill(client, [path], state_file=state, wait=True)
        assert 0 < report.records < NOTES
        assert (report.unresolved, report.ok) == (0, True)
        ended: dict[str, set[Outcome]] = {}
        while ended.keys() != expected:
            async with asyncio.timeout(60):
                topic, record = await anext(events)
            event = read_event(topic, record.value)
            if event.document_id in expected:
                assert event.source.topic == client.name(INBOUND_BACKFILL)
                ended.setdefault(event.document_id, set()).add(event.outcome)
    assert all(Outcome.INDEXED in outcomes for outcomes in ended.values())
    again = await backfill(client, [path], state_file=state)
    assert again.records == 0


def _publish_and_kill(stack: Stack, path: Path, state: Path) -> int:
    """Kill the publisher when its state says that it is under way; returns the bytes it wrote."""
    assignments = [f"{name}={value}" for name, value in stack.environment.items()]
    command = [sys.executable, "-m", "tests.integration.slow_publisher", str(path), str(state)]
    with subprocess.Popen(["env", *assignments, *command]) as process:
        deadline = time.monotonic() + 60
        while _offset(state, path) == 0 and time.monotonic() < deadline:
            time.sleep(0.05)
        process.kill()
    return _offset(state, path)


def _offset(state: Path, path: Path) -> int:
    if not state.exists():
        return 0
    return json.loads(state.read_bytes())["files"][str(path.resolve())]["offset"]

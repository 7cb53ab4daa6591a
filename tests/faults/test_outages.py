"""Milvus and Triton away: a clear message at start; waiting and resuming while running."""

import asyncio
import subprocess
import sys
import uuid
from collections.abc import Iterator

import orjson
import pytest

from schemas.outcomes import Outcome
from streams.cli.client import Client
from streams.cli.publish import publish
from streams.cli.sources import SourceRecord
from streams.local.ports import free_port
from streams.local.sample import load_chart
from streams.local.sample.messages import document_reference
from streams.local.stack import Stack


@pytest.fixture(scope="module")
def stack(tmp_path_factory) -> Iterator[Stack]:
    with Stack(tmp_path_factory.mktemp("stack")) as running:
        running.start_worker()
        yield running


def _run_worker(stack: Stack, **changes: str) -> subprocess.CompletedProcess[str]:
    said = stack.environment | {"CHARTPROOF_START_TIMEOUT_S": "5"} | changes
    assignments = [f"{name}={value}" for name, value in said.items()]
    return subprocess.run(
        ["env", *assignments, sys.executable, "-m", "streams.cli.main", "worker"],
        capture_output=True,
        text=True,
        timeout=90,
        check=False,
    )


@pytest.mark.parametrize(
    ("variable", "address", "names"),
    [
        ("CHARTPROOF_BROKER", "127.0.0.1:{port}", "broker"),
        ("CHARTPROOF_MILVUS_URI", "http://127.0.0.1:{port}", "Milvus"),
        ("CHARTPROOF_TRITON_URL", "127.0.0.1:{port}", "Triton"),
    ],
)
def test_a_worker_without_a_dependency_says_which_and_ends(
    stack: Stack, variable: str, address: str, names: str
) -> None:
    where = address.format(port=free_port())
    ended = _run_worker(stack, **{variable: where})
    assert ended.returncode == 2
    assert names in ended.stderr
    assert where.removeprefix("http://") in ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.mark.parametrize("part", ["milvus", "triton"])
async def test_work_waits_while_a_dependency_is_away_and_resumes(stack: Stack, part: str) -> None:
    process = getattr(stack, part).process
    chart = load_chart().model_copy(update={"patient_id": f"p-{uuid.uuid4().hex[:8]}"})
    records = [
        SourceRecord("test", orjson.dumps(document_reference(chart, each)), chart.patient_id)
        for each in chart.notes[:3]
    ]
    async with Client(stack.settings) as client:
        await asyncio.to_thread(process.kill)
        waiting = asyncio.create_task(publish(client, records, wait=True, stall_s=90))
        done, _ = await asyncio.wait([waiting], timeout=5)
        assert not done, "outcomes came although the dependency is away"
        await asyncio.to_thread(getattr(stack, part).start)
        report = await waiting
    assert dict(report.outcomes) == {(Outcome.INDEXED, None): 3}

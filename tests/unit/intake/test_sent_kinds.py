"""Each row of docs/intake.md's table of what can be sent, run: intake, then the chart agent.

Real parts: the FHIR client and a server on loopback, the models in this process.
"""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

import orjson
import pytest
import pytest_asyncio
from aiohttp import web

from agents.adapters.fhir import FhirBase, FhirClient
from agents.adapters.index.memory import MemoryIndex
from agents.adapters.models import Models
from agents.chart import ChartAgent
from agents.errors import InvalidEvent
from agents.indexing.document_indexer import DocumentIndexer
from agents.intake.receive import Intake
from agents.ports import NoteSource, Record
from agents.verification.verifier import Verifier
from schemas.events import Event
from schemas.outcomes import OutcomeRecorded
from schemas.topics import CHART, INBOUND_DOCUMENTS, topic_for
from tests.integration.fhir_server import Server, serving
from tests.sent import TEXT, version
from tests.sent_kinds import KINDS, Kind

pytestmark = pytest.mark.asyncio(loop_scope="module")

REPOSITORY = Path(__file__).parents[3] / "triton_models" / "cpu"


class Clock:
    """It goes on by a second each time: a repeat is told from a redelivery by when it came."""

    def __init__(self) -> None:
        self.ticks = count()

    def now(self) -> datetime:
        return datetime(2026, 3, 2, 10, tzinfo=UTC) + timedelta(seconds=next(self.ticks))


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def server() -> AsyncIterator[Server]:
    async with serving() as running:
        held = web.json_response(version(2))
        running.answers["DocumentReference/doc-1"] = held
        running.answers["DocumentReference/doc-1/_history/2"] = held
        running.answers["Binary/1"] = web.Response(text=TEXT)
        yield running


class Worker:
    """Intake and the chart agent; what is emitted to `chart` is handled next."""

    def __init__(self, models: Models, source: NoteSource | None) -> None:
        index = MemoryIndex()
        clock = Clock()
        indexer = DocumentIndexer(index, models.embedder, models.decomposer, clock)
        verifier = Verifier(
            index=index,
            embedder=models.embedder,
            reranker=models.reranker,
            decomposer=models.decomposer,
            judge=models.judge,
            clock=clock,
        )
        self.intake = Intake(clock, source=source, patient_ids={"urn:mrn|9": "p-1"})
        self.chart = ChartAgent(indexer, verifier)
        self.waiting: deque[Record] = deque()
        self.ends: list[tuple[int, str]] = []
        self.offset = 0

    async def emit(self, event: Event) -> None:
        if topic_for(event) is CHART:
            self.offset += 1
            key, value = event.key.encode(), event.to_json()
            self.waiting.append(Record(CHART.name, 0, self.offset, key, value))
        elif isinstance(event, OutcomeRecorded):
            self.ends.append((event.item, _said(event)))

    async def publish(self, record: object, offset: int) -> list[str]:
        """What a person sees of one inbound record, in the order of its resources."""
        value = record if isinstance(record, bytes) else orjson.dumps(record)
        self.ends = []
        try:
            inbound = Record(INBOUND_DOCUMENTS.name, 0, offset, None, value)
            await self.intake.documents(inbound, self.emit)
        except InvalidEvent as error:
            self.ends.append((error.item, f"dead letter: `{error.reason}`"))
        while self.waiting:
            try:
                await self.chart.handle(self.waiting.popleft(), self.emit)
            except InvalidEvent as error:
                self.ends.append((error.item, f"dead letter: `{error.reason}`"))
        return [said for _, said in sorted(self.ends)]


def _said(event: OutcomeRecorded) -> str:
    if event.reason is None:
        return f"`{event.outcome.value}`"
    return f"{event.outcome.value.replace('_lettered', ' letter')}: `{event.reason}`"


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.send)
async def test_what_the_readme_says_of_a_kind_is_what_happens(
    kind: Kind, models: Models, server: Server
) -> None:
    client = FhirClient([FhirBase(server.base)]) if kind.fetches else None
    worker = Worker(models, client)
    seen: list[str] = []
    for offset, record in enumerate(kind.records):
        seen += await worker.publish(record, offset)
    if client:
        await client.close()
    assert "; ".join(seen) == kind.sees


async def test_no_two_rows_are_the_same() -> None:
    assert len({kind.send for kind in KINDS}) == len(KINDS)

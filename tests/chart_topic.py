"""The chart agent behind a topic in memory: one lane a key, what is emitted to `chart` comes again.

The index, models and agent are real; only Kafka and Faust are not there. `run` may be told to die
at any step: the record at hand then comes again, as a redelivery does.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from agents.adapters.index.memory import MemoryIndex
from agents.adapters.models import Models
from agents.chart import ChartAgent
from agents.indexing.document_indexer import DocumentIndexer
from agents.ports import (
    Decomposed,
    Decomposer,
    EmbeddedFact,
    Embedder,
    Embedding,
    FactIndex,
    Record,
    Span,
)
from agents.verification.verifier import Verifier
from schemas.events import Event
from schemas.notes import FactsChanged
from schemas.outcomes import OutcomeRecorded
from schemas.texts import Decomposition, Unit
from schemas.topics import CHART, topic_for

NOW = datetime(2024, 3, 2, 8, tzinfo=UTC)


class Crash(Exception):
    """The worker dies here."""


class Clock:
    def now(self) -> datetime:
        return NOW


class RememberingEmbedder:
    """The real embedder; it answers a text that it knows from memory, to save time."""

    def __init__(self, embedder: Embedder, known: dict[str, Embedding]) -> None:
        self.embedder = embedder
        self.known = known
        self.dim = embedder.dim
        self.version = embedder.version
        self.asked = 0

    async def check(self) -> None:
        await self.embedder.check()

    async def embed(self, texts: Sequence[str]) -> list[Embedding]:
        self.asked += len(texts)
        new = [text for text in dict.fromkeys(texts) if text not in self.known]
        self.known |= dict(zip(new, await self.embedder.embed(new), strict=True)) if new else {}
        return [self.known[text] for text in texts]


class RememberingDecomposer:
    """The real decomposer, likewise."""

    def __init__(self, decomposer: Decomposer, known: dict[tuple[str, Unit], list[Span]]) -> None:
        self.decomposer = decomposer
        self.known = known
        self.version = decomposer.version

    async def check(self) -> None:
        await self.decomposer.check()

    async def decompose(self, text: str, unit: Unit) -> list[Span]:
        if (text, unit) not in self.known:
            self.known[text, unit] = await self.decomposer.decompose(text, unit)
        return self.known[text, unit]

    async def propositions(
        self, text: str, unit: Unit, mode: Decomposition = "direct"
    ) -> Decomposed:
        return await self.decomposer.propositions(text, unit, mode)


@dataclass
class Memory:
    """What models answered before, for charts that share it."""

    embeddings: dict[str, Embedding] = field(default_factory=dict)
    spans: dict[tuple[str, Unit], list[Span]] = field(default_factory=dict)


class ChartTopic:
    def __init__(
        self,
        models: Models,
        index: FactIndex | None = None,
        memory: Memory | None = None,
    ) -> None:
        self.index = index or MemoryIndex()
        memory = memory or Memory()
        self.embedder = RememberingEmbedder(models.embedder, memory.embeddings)
        decomposer = RememberingDecomposer(models.decomposer, memory.spans)
        indexer = DocumentIndexer(self.index, self.embedder, decomposer, Clock())
        verifier = Verifier(
            index=self.index,
            embedder=self.embedder,
            reranker=models.reranker,
            decomposer=decomposer,
            judge=models.judge,
            clock=Clock(),
        )
        self.agent = ChartAgent(indexer, verifier)
        self.emitted: list[Event] = []
        self.lanes: dict[str, deque[Record]] = {}
        self.offset = 0
        self.until_crash: int | None = None
        self._write = self.index.write
        self._delete = self.index.delete
        self._write_links = self.index.write_patient_links
        self.index.write = self._dying_write  # type: ignore[method-assign]
        self.index.delete = self._dying_delete  # type: ignore[method-assign]
        self.index.write_patient_links = self._dying_links  # type: ignore[method-assign]

    def _step(self) -> None:
        if self.until_crash is not None:
            if self.until_crash == 0:
                self.until_crash = None
                raise Crash
            self.until_crash -= 1

    async def _dying_write(self, *args: object) -> None:
        self._step()
        await self._write(*args)  # type: ignore[arg-type]

    async def _dying_delete(self, *args: object) -> None:
        self._step()
        await self._delete(*args)  # type: ignore[arg-type]

    async def _dying_links(self, *args: object) -> None:
        self._step()
        await self._write_links(*args)  # type: ignore[arg-type]

    def publish(self, *events: Event) -> None:
        for event in events:
            record = Record(CHART.name, 0, self.offset, event.key.encode(), event.to_json())
            self.offset += 1
            self.lanes.setdefault(event.key, deque()).append(record)

    async def _emit(self, event: Event) -> None:
        self._step()
        self.emitted.append(event)
        if topic_for(event) is CHART:
            self.publish(event)

    async def run(self, drawn: random.Random | None = None, crash: float = 0.0) -> None:
        """Handle all there is, and what comes of it. `drawn` mixes the lanes, each in its order.

        `crash` is the probability that the worker dies within a record's first steps.
        """
        while waiting := [key for key, lane in self.lanes.items() if lane]:
            key = drawn.choice(waiting) if drawn else waiting[0]
            dies = drawn and drawn.random() < crash
            await self.step(key, drawn.randrange(8) if drawn and dies else None)

    async def step(self, key: str, dies_after: int | None = None) -> None:
        """Handle the next record of a lane; it stays there if the worker dies on the way.

        More steps than the record takes: it dies when all is done and only the commit is left.
        """
        lane = self.lanes[key]
        self.until_crash = dies_after
        try:
            await self.agent.handle(lane[0], self._emit)
        except Crash:
            return
        self.until_crash = None
        if dies_after is None:
            lane.popleft()

    async def apply(self, *events: Event) -> list[OutcomeRecorded]:
        """Each event to its end, before the next; returned are the outcomes."""
        before = len(self.emitted)
        for event in events:
            self.publish(event)
            await self.run()
        return [each for each in self.emitted[before:] if isinstance(each, OutcomeRecorded)]

    @property
    def changes(self) -> list[FactsChanged]:
        return [event for event in self.emitted if isinstance(event, FactsChanged)]

    async def statuses(self, patient: str = "p") -> dict[str, str]:
        return {head.document_id: head.status for head in await self.index.documents(patient)}

    async def facts(self, patient: str = "p") -> dict[str, EmbeddedFact]:
        """All facts of a patient by id; each stands in its document's row and the other way."""
        ids: list[str] = []
        stored: dict[str, EmbeddedFact] = {}
        for head in await self.index.documents(patient):
            record = await self.index.document(patient, head.document_id)
            assert record is not None
            if record.evidence_ids:
                ids += record.evidence_ids
                stored |= {each.fact.fact_id: each for each in await self.index.facts(record)}
        assert len(ids) == len(stored) == await self.index.count(patient)
        return stored

    async def said(self, patient: str = "p") -> list[str]:
        return sorted(each.fact.text for each in (await self.facts(patient)).values())

    async def state(self, patient: str = "p") -> object:
        """What the index says of a patient: documents with versions, facts with vectors."""
        heads = await self.index.documents(patient)
        facts = await self.facts(patient)
        return (
            {head.document_id: (head.status, head.version.version_id) for head in heads},
            {
                fact_id: (each.fact, each.embedding.dense.tolist(), dict(each.embedding.sparse))
                for fact_id, each in facts.items()
            },
        )

    async def nowhere(self, *texts: str) -> bool:
        """Whether no row of any patient, of suppressed documents too, has one of the texts."""
        assert isinstance(self.index, MemoryIndex)
        rows = [row for facts in self.index._facts.values() for row in facts.values()]
        return not any(row["text"] in texts for row in rows)


def later(seconds: float) -> datetime:
    return NOW - timedelta(days=1) + timedelta(seconds=seconds)

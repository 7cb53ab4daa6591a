"""The benchmark's workload, from the sample chart, and its model calls recorded for replay.

"What the models alone need" is measured by replaying exactly the calls that one verification makes:
same inputs, same order within a proposition, same concurrency.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import orjson

from agents.adapters.index.memory import MemoryIndex
from agents.adapters.models import Models
from agents.concurrency import map_bounded
from agents.indexing.document_indexer import DocumentIndexer
from agents.intake.receive import Intake
from agents.ports import Record
from agents.verification.verifier import CONCURRENT_PROPOSITIONS, Verifier
from schemas.events import Event, Position
from schemas.notes import NoteChanged
from schemas.texts import TextGenerated
from streams.cli.sources import SourceRecord
from streams.clock import SystemClock
from streams.local.sample import SampleChart
from streams.local.sample.messages import document_reference, generated_summary

NOWHERE = Position(topic="bench", partition=0, offset=0)


def for_patient(chart: SampleChart, patient_id: str) -> SampleChart:
    """The same admission of another patient, each line worded apart: no cache can answer for it."""
    notes = [
        note.model_copy(
            update={
                "note_id": f"{patient_id}-{note.note_id}",
                "text": re.sub(r"(?<=\w)(?=\W?$)", f" {patient_id}", note.text, flags=re.M),
            }
        )
        for note in chart.notes
    ]
    return chart.model_copy(update={"patient_id": patient_id, "notes": tuple(notes)})


def records(chart: SampleChart) -> list[SourceRecord]:
    """The chart's notes as an engine publishes them."""
    key = f"Patient/{chart.patient_id}"
    return [
        SourceRecord(note.note_id, orjson.dumps(document_reference(chart, note)), key)
        for note in chart.notes
    ]


def summary(chart: SampleChart, text_id: str) -> TextGenerated:
    return generated_summary(chart, text_id, datetime.now(UTC))


@dataclass(frozen=True)
class Call:
    """One model call: which port and method, with what."""

    port: str
    method: str
    args: tuple[Any, ...]
    kwargs: dict[str, Any]

    async def replay(self, models: Models) -> float:
        """Make the call again; returns its seconds."""
        started = time.perf_counter()
        await getattr(getattr(models, self.port), self.method)(*self.args, **self.kwargs)
        return time.perf_counter() - started


@dataclass
class Recorded:
    """The model calls of one verification: the decomposition, then a chain per proposition."""

    decompose: list[Call] = field(default_factory=list)
    chains: dict[int, list[Call]] = field(default_factory=dict)

    def add(self, call: Call) -> None:
        if call.port == "decomposer":
            self.decompose.append(call)
        else:
            task = asyncio.current_task()
            self.chains.setdefault(id(task), []).append(call)

    async def replay(self, models: Models) -> None:
        """All calls, as concurrently as the verifier makes them."""

        async def chain(calls: Sequence[Call]) -> None:
            for call in calls:
                await call.replay(models)

        await chain(self.decompose)
        await map_bounded(chain, list(self.chains.values()), CONCURRENT_PROPOSITIONS)

    async def sums(self, models: Models) -> tuple[float, float]:
        """Seconds of model calls up to a first verdict, and of all of them, one after another."""
        start = sum([await call.replay(models) for call in self.decompose])
        chains = [
            sum([await call.replay(models) for call in calls]) for calls in self.chains.values()
        ]
        return start + chains[0], start + sum(chains)


class _Recording:
    """A model port that notes each call before it makes it."""

    def __init__(self, models: Models, port: str, recorded: Recorded) -> None:
        self._inner = getattr(models, port)
        self._port = port
        self._recorded = recorded

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401
        result = getattr(self._inner, name)
        if not callable(result):
            return result
        return self._noting(name, result)

    def _noting(
        self, name: str, inner: Callable[..., Awaitable[Any]]
    ) -> Callable[..., Awaitable[Any]]:
        async def noting(*args: Any, **kwargs: Any) -> Any:  # noqa: ANN401
            self._recorded.add(Call(self._port, name, args, kwargs))
            return await inner(*args, **kwargs)

        return noting


async def record(chart: SampleChart, models: Models) -> tuple[Recorded, list[str]]:
    """The model calls of verifying the chart's summary, and the sentences of its notes."""
    index = MemoryIndex()
    sentences = await _index(chart, models, index)
    recorded = Recorded()
    ports: dict[str, Any] = {
        port: _Recording(models, port, recorded)
        for port in ("embedder", "reranker", "decomposer", "judge")
    }
    verifier = Verifier(index=index, clock=SystemClock(), **ports)
    await verifier.verify(summary(chart, "bench"), NOWHERE, _drop)
    return recorded, sentences


async def _index(chart: SampleChart, models: Models, index: MemoryIndex) -> list[str]:
    indexer = DocumentIndexer(index, models.embedder, models.decomposer, SystemClock())
    sentences: list[str] = []

    async def apply(event: Event) -> None:
        if isinstance(event, NoteChanged):
            spans = await models.decomposer.decompose(event.note.text, "sentence")
            sentences.extend(span.content for span in spans)
            await indexer.apply(event, NOWHERE, _drop)

    intake = Intake(SystemClock())
    for item in records(chart):
        await intake.documents(Record("bench", 0, 0, None, item.value), apply)
    return sentences


async def _drop(_: Event) -> None:
    return None

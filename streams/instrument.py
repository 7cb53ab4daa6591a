"""Ports wrapped from outside, so that agents know nothing of metrics: every call is timed."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from agents.chart_records import DocumentHead, DocumentRecord, PatientLinks, WritePosition
from agents.errors import TransientError
from agents.ports import (
    Completion,
    Decomposed,
    Decomposer,
    EmbeddedFact,
    Embedder,
    Embedding,
    FactIndex,
    FactQuery,
    Fetched,
    Judge,
    Judgement,
    LanguageModel,
    Message,
    NoteSource,
    Reranker,
    ScoredFact,
    ShownFact,
    Span,
    judge_of_text,
)
from schemas.events import Event
from schemas.failures import DeadLetter
from schemas.texts import Decomposition, Unit
from streams.delivery.outputs import Outputs
from streams.metrics import Metrics


class CountingOutputs:
    """Outputs that count the events which the broker has taken."""

    def __init__(self, inner: Outputs, metrics: Metrics) -> None:
        self._inner = inner
        self._metrics = metrics

    async def emit(self, event: Event, traceparent: bytes | None = None) -> None:
        await self._inner.emit(event, traceparent)
        self._metrics.emitted(event)

    async def dead_letter(self, letter: DeadLetter, key: bytes | None, value: bytes | None) -> None:
        await self._inner.dead_letter(letter, key, value)


class Calls:
    """Observes calls to one dependency: operation, outcome, seconds."""

    def __init__(self, metrics: Metrics, dependency: str) -> None:
        self._metrics = metrics
        self._dependency = dependency

    @contextmanager
    def timed(self, operation: str) -> Iterator[None]:
        """Time the body as `operation`; the outcome is `ok`, `error` or the transient one."""
        started = time.perf_counter()
        outcome = "error"
        try:
            yield
            outcome = "ok"
        except TransientError as error:
            outcome = type(error).__name__
            raise
        finally:
            self._metrics.dependency_duration.labels(self._dependency, operation, outcome).observe(
                time.perf_counter() - started
            )


class TimedEmbedder:
    def __init__(self, inner: Embedder, calls: Calls) -> None:
        self._inner = inner
        self._calls = calls

    @property
    def version(self) -> str:
        return self._inner.version

    @property
    def dim(self) -> int:
        return self._inner.dim

    async def check(self) -> None:
        with self._calls.timed("check"):
            await self._inner.check()

    async def embed(self, texts: Sequence[str]) -> list[Embedding]:
        with self._calls.timed("embed"):
            return await self._inner.embed(texts)


class TimedReranker:
    def __init__(self, inner: Reranker, calls: Calls) -> None:
        self._inner = inner
        self._calls = calls

    @property
    def version(self) -> str:
        return self._inner.version

    async def check(self) -> None:
        with self._calls.timed("check"):
            await self._inner.check()

    async def score(self, query: str, passages: Sequence[str]) -> list[float]:
        with self._calls.timed("score"):
            return await self._inner.score(query, passages)


class TimedDecomposer:
    def __init__(self, inner: Decomposer, calls: Calls) -> None:
        self._inner = inner
        self._calls = calls

    @property
    def version(self) -> str:
        return self._inner.version

    async def check(self) -> None:
        with self._calls.timed("check"):
            await self._inner.check()

    async def decompose(self, text: str, unit: Unit) -> list[Span]:
        with self._calls.timed("decompose"):
            return await self._inner.decompose(text, unit)

    async def propositions(
        self, text: str, unit: Unit, mode: Decomposition = "direct"
    ) -> Decomposed:
        with self._calls.timed("propositions"):
            return await self._inner.propositions(text, unit, mode)


class TimedJudge:
    def __init__(self, inner: Judge, calls: Calls) -> None:
        self._inner = inner
        self._calls = calls

    @property
    def version(self) -> str:
        return self._inner.version

    async def check(self) -> None:
        with self._calls.timed("check"):
            await self._inner.check()

    async def judge(  # noqa: PLR0913 - as the port
        self,
        proposition: str,
        facts: Sequence[ShownFact],
        *,
        section: str | None = None,
        as_of: datetime | None = None,
        abstain_below: float = 0.0,
        surroundings: str | None = None,
    ) -> Judgement:
        with self._calls.timed("judge"):
            return await self._inner.judge(
                proposition,
                facts,
                section=section,
                as_of=as_of,
                abstain_below=abstain_below,
                surroundings=surroundings,
            )

    def for_text(self) -> TimedJudge:
        return TimedJudge(judge_of_text(self._inner), self._calls)


class TimedLanguageModel:
    """`stage`: what it is asked for (judging, decomposition, notes)."""

    def __init__(self, inner: LanguageModel, metrics: Metrics, stage: str) -> None:
        self._inner = inner
        self._metrics = metrics
        self._calls = Calls(metrics, "llm")
        self._stage = stage

    @property
    def version(self) -> str:
        return self._inner.version

    @property
    def context_tokens(self) -> int:
        return self._inner.context_tokens

    async def check(self) -> None:
        with self._calls.timed("check"):
            await self._inner.check()

    async def complete(  # noqa: PLR0913 - as the port
        self,
        messages: Sequence[Message],
        *,
        schema: Mapping[str, Any] | None = None,
        max_tokens: int = 512,
        temperature: float = 0.0,
        seed: int = 0,
        logprobs: bool = False,
    ) -> Completion:
        with self._calls.timed(self._stage):
            result = await self._inner.complete(
                messages,
                schema=schema,
                max_tokens=max_tokens,
                temperature=temperature,
                seed=seed,
                logprobs=logprobs,
            )
        self._metrics.spent(self._stage, result.usage)
        return result


class TimedSource:
    def __init__(self, inner: NoteSource, calls: Calls) -> None:
        self._inner = inner
        self._calls = calls

    async def fetch(self, reference: str) -> Fetched:
        with self._calls.timed("fetch"):
            return await self._inner.fetch(reference)

    async def close(self) -> None:
        await self._inner.close()


class TimedIndex:
    def __init__(self, inner: FactIndex, calls: Calls) -> None:
        self._inner = inner
        self._calls = calls

    async def document(self, patient_id: str, document_id: str) -> DocumentRecord | None:
        with self._calls.timed("document"):
            return await self._inner.document(patient_id, document_id)

    async def documents(
        self, patient_id: str, names: Collection[str] | None = None
    ) -> list[DocumentHead]:
        with self._calls.timed("documents"):
            return await self._inner.documents(patient_id, names)

    async def find_documents(self, document_id: str) -> list[str]:
        with self._calls.timed("find_documents"):
            return await self._inner.find_documents(document_id)

    async def facts(self, document: DocumentRecord) -> list[EmbeddedFact]:
        with self._calls.timed("facts"):
            return await self._inner.facts(document)

    async def is_complete(self, document: DocumentRecord) -> bool:
        with self._calls.timed("is_complete"):
            return await self._inner.is_complete(document)

    async def write(
        self, document: DocumentRecord, facts: Sequence[EmbeddedFact] | None, at: WritePosition
    ) -> None:
        with self._calls.timed("write"):
            await self._inner.write(document, facts, at)

    async def delete(self, patient_id: str, document_id: str, at: WritePosition) -> None:
        with self._calls.timed("delete"):
            await self._inner.delete(patient_id, document_id, at)

    async def patient_links(self, patient_id: str) -> PatientLinks | None:
        with self._calls.timed("patient_links"):
            return await self._inner.patient_links(patient_id)

    async def write_patient_links(self, links: PatientLinks, at: WritePosition) -> None:
        with self._calls.timed("write_patient_links"):
            await self._inner.write_patient_links(links, at)

    async def search(self, query: FactQuery) -> list[ScoredFact]:
        with self._calls.timed("search"):
            return await self._inner.search(query)

    async def count(self, patient_id: str) -> int:
        with self._calls.timed("count"):
            return await self._inner.count(patient_id)

    async def check(self) -> None:
        with self._calls.timed("check"):
            await self._inner.check()

    async def close(self) -> None:
        await self._inner.close()

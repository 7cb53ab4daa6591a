"""What a text costs, by stage: the models' ports, wrapped so that each call is counted.

Seconds are of calls; those that run at the same time each count. Tokens are what language models
say of themselves, in their answers.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime

from agents.ports import (
    Decomposed,
    Decomposer,
    Embedder,
    Embedding,
    Judge,
    Judgement,
    Reranker,
    ShownFact,
    Span,
)
from schemas.texts import Decomposition, Unit
from schemas.usage import NO_USAGE, Stage, Usage


class Costs:
    """Sums by stage, of one text."""

    def __init__(self) -> None:
        self.by_stage: dict[Stage, Usage] = {}

    def add(self, stage: Stage, usage: Usage) -> None:
        if usage != NO_USAGE:
            self.by_stage[stage] = self.by_stage.get(stage, NO_USAGE) + usage

    @contextmanager
    def call(self, stage: Stage) -> Iterator[None]:
        started = time.perf_counter()
        try:
            yield
        finally:
            self.add(stage, Usage(calls=1, seconds=time.perf_counter() - started))


def spent_in(judgement: Judgement) -> Usage:
    """The language model's share of a judgement; the call of the judge itself is counted by who
    makes it, and so is its time."""
    return judgement.usage.model_copy(update={"calls": 0, "seconds": 0.0})


class CountedEmbedder:
    def __init__(self, inner: Embedder, costs: Costs, stage: Stage) -> None:
        self._inner, self._costs, self._stage = inner, costs, stage

    @property
    def version(self) -> str:
        return self._inner.version

    @property
    def dim(self) -> int:
        return self._inner.dim

    async def check(self) -> None:
        await self._inner.check()

    async def embed(self, texts: Sequence[str]) -> list[Embedding]:
        with self._costs.call(self._stage):
            return await self._inner.embed(texts)


class CountedReranker:
    def __init__(self, inner: Reranker, costs: Costs, stage: Stage) -> None:
        self._inner, self._costs, self._stage = inner, costs, stage

    @property
    def version(self) -> str:
        return self._inner.version

    async def check(self) -> None:
        await self._inner.check()

    async def score(self, query: str, passages: Sequence[str]) -> list[float]:
        with self._costs.call(self._stage):
            return await self._inner.score(query, passages)


class CountedDecomposer:
    def __init__(self, inner: Decomposer, costs: Costs, stage: Stage) -> None:
        self._inner, self._costs, self._stage = inner, costs, stage

    @property
    def version(self) -> str:
        return self._inner.version

    async def check(self) -> None:
        await self._inner.check()

    async def decompose(self, text: str, unit: Unit) -> list[Span]:
        with self._costs.call(self._stage):
            return await self._inner.decompose(text, unit)

    async def propositions(
        self, text: str, unit: Unit, mode: Decomposition = "direct"
    ) -> Decomposed:
        with self._costs.call(self._stage):
            result = await self._inner.propositions(text, unit, mode)
        self._costs.add(self._stage, result.usage.model_copy(update={"calls": 0, "seconds": 0.0}))
        return result


class CountedJudge:
    def __init__(self, inner: Judge, costs: Costs, stage: Stage) -> None:
        self._inner, self._costs, self._stage = inner, costs, stage

    @property
    def version(self) -> str:
        return self._inner.version

    async def check(self) -> None:
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
        with self._costs.call(self._stage):
            judgement = await self._inner.judge(
                proposition,
                facts,
                section=section,
                as_of=as_of,
                abstain_below=abstain_below,
                surroundings=surroundings,
            )
        self._costs.add(self._stage, spent_in(judgement))
        return judgement

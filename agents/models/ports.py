"""The four model ports over a `Transport`: batches, canaries, and answers checked.

Triton batches what different callers send; a large input is split here, so that one caller's ten
thousand texts do not stand before another's one.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import ClassVar, TypeVar

import numpy as np

from agents.concurrency import map_bounded
from agents.errors import DeadlineExceeded, DependencyUnavailable, ModelError
from agents.models import wire
from agents.models.transport import DEPENDENCY, Columns, Tensors, Transport
from agents.ports import Embedding, Judgement, ShownFact, Span
from schemas.texts import Unit

R = TypeVar("R")

REQUEST_ROWS = 32
"""Rows of one request: about 0.1 s of a CPU's work, so that others get their turn."""
REQUEST_CHARACTERS = 16_000
"""Long rows travel in smaller company."""
REQUESTS_IN_FLIGHT = 4
"""Of one call: enough to keep the model busy, few enough to leave others room in its queue."""
CANARY = "No fever today. Takes aspirin 81 mg daily."


class ModelPort:
    """What the four share. `version` is what answered the last canary."""

    name: ClassVar[str]

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._version: str | None = None

    @property
    def version(self) -> str:
        if self._version is None:
            raise RuntimeError(f"the {self.name} was not asked for its version yet: await check()")
        return self._version

    async def check(self) -> None:
        """One canary inference. Raises `DependencyUnavailable` when the answer is not right."""
        try:
            self._version = await self._canary()
        except (ModelError, DeadlineExceeded) as error:
            raise DependencyUnavailable(
                DEPENDENCY,
                f"the model {self.name} is not healthy: {error}; see the log of what hosts it, "
                "and restart that",
            ) from None

    async def _canary(self) -> str:
        """Raises `ModelError` when the answer is not right. Returns the version."""
        raise NotImplementedError

    async def _infer(self, columns: Columns, *outputs: str) -> Tensors:
        encodable = {
            name: [wire.encodable(text) for text in texts] for name, texts in columns.items()
        }
        return await self._transport.infer(self.name, encodable, outputs)

    def _expect(self, right: bool, what: str) -> None:
        if not right:
            raise ModelError(self.name, f"its canary's answer is wrong: {what}")


def _version(tensors: Tensors) -> str:
    return str(tensors["VERSION"].reshape(-1)[0].decode())


def _chunks(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    """`texts` in order, in requests of bounded rows and characters."""
    start = characters = 0
    for at, text in enumerate(texts):
        full = at - start >= REQUEST_ROWS or characters + len(text) > REQUEST_CHARACTERS
        if at > start and full:
            yield texts[start:at]
            start, characters = at, 0
        characters += len(text)
    if start < len(texts):
        yield texts[start:]


async def _in_requests(
    texts: Sequence[str], request: Callable[[Sequence[str]], Awaitable[list[R]]]
) -> list[R]:
    parts = await map_bounded(request, list(_chunks(texts)), REQUESTS_IN_FLIGHT)
    return [row for part in parts for row in part]


class ModelEmbedder(ModelPort):
    name = "embedder"

    def __init__(self, transport: Transport) -> None:
        super().__init__(transport)
        self._dim: int | None = None

    @property
    def dim(self) -> int:
        if self._dim is None:
            raise RuntimeError("the embedder was not asked for its dimension yet: await check()")
        return self._dim

    async def embed(self, texts: Sequence[str]) -> list[Embedding]:
        return await _in_requests(texts, self._embed)

    async def _embed(self, texts: Sequence[str]) -> list[Embedding]:
        tensors = await self._infer({"TEXT": texts}, "DENSE", "SPARSE")
        return self._embeddings(tensors)

    def _embeddings(self, tensors: Tensors) -> list[Embedding]:
        dense = np.array(tensors["DENSE"], dtype=np.float32)
        if dense.ndim != 2 or (self._dim is not None and dense.shape[1] != self._dim):
            raise ModelError(self.name, "the embedder's vectors have another dimension than before")
        if not np.allclose(np.linalg.norm(dense, axis=1), 1.0, atol=1e-3):
            raise ModelError(self.name, "the embedder's vectors are not of unit length")
        documents = tensors["SPARSE"].reshape(-1)
        return [
            Embedding(row.copy(), wire.read_sparse(document))
            for row, document in zip(dense, documents, strict=True)
        ]

    async def _canary(self) -> str:
        columns = {"TEXT": [CANARY, "Snow fell over the harbour."]}
        tensors = await self._infer(columns, "DENSE", "SPARSE", "VERSION")
        one, other = self._embeddings(tensors)
        self._expect(float(one.dense @ other.dense) < 0.99, "all texts have one vector")
        self._expect(bool(one.sparse), "no terms")
        self._dim = len(one.dense)
        return _version(tensors)


class ModelReranker(ModelPort):
    name = "reranker"

    async def score(self, query: str, passages: Sequence[str]) -> list[float]:
        async def request(some: Sequence[str]) -> list[float]:
            columns = {"QUERY": [query] * len(some), "PASSAGE": some}
            return self._scores(await self._infer(columns, "SCORE"))

        return await _in_requests(passages, request)

    def _scores(self, tensors: Tensors) -> list[float]:
        scores = tensors["SCORE"].reshape(-1)
        if not np.isfinite(scores).all():
            raise ModelError(self.name, "the reranker's scores are not numbers")
        return [float(score) for score in scores]

    async def _canary(self) -> str:
        columns = {"QUERY": [CANARY] * 2, "PASSAGE": [CANARY, "Snow fell over the harbour."]}
        tensors = await self._infer(columns, "SCORE", "VERSION")
        same, other = self._scores(tensors)
        self._expect(same > other, "a text is not more relevant to itself than another")
        return _version(tensors)


class ModelDecomposer(ModelPort):
    name = "decomposer"

    async def decompose(self, text: str, unit: Unit) -> list[Span]:
        tensors = await self._infer(_decomposition(text, unit), "PROPOSITIONS")
        return wire.read_spans(tensors["PROPOSITIONS"].reshape(-1)[0], wire.encodable(text), unit)

    async def _canary(self) -> str:
        tensors = await self._infer(_decomposition(CANARY, "sentence"), "PROPOSITIONS", "VERSION")
        spans = wire.read_spans(tensors["PROPOSITIONS"].reshape(-1)[0], CANARY, "sentence")
        self._expect(bool(spans), "no propositions")
        return _version(tensors)


def _decomposition(text: str, unit: Unit) -> Columns:
    return {"TEXT": [text], "UNIT": [unit], "CONTEXT": ["{}"]}


class ModelJudge(ModelPort):
    name = "judge"

    async def judge(  # noqa: PLR0913 - as the port says
        self,
        proposition: str,
        facts: Sequence[ShownFact],
        *,
        section: str | None = None,
        as_of: datetime | None = None,
        abstain_below: float = 0.0,
        surroundings: str | None = None,
    ) -> Judgement:
        columns = {
            "PROPOSITION": [proposition],
            "CONTEXT": [wire.judge_context(facts, section, as_of, surroundings)],
            "OPTIONS": [wire.judge_options(abstain_below)],
        }
        tensors = await self._infer(columns, "VERDICT")
        return wire.read_judgement(tensors["VERDICT"].reshape(-1)[0], facts)

    async def _canary(self) -> str:
        fact = ShownFact("canary", CANARY, None, datetime(2000, 1, 1, tzinfo=UTC), None, "c", 1.0)
        columns = {
            "PROPOSITION": [CANARY],
            "CONTEXT": [wire.judge_context([fact], None, None)],
            "OPTIONS": [wire.judge_options(0.0)],
        }
        tensors = await self._infer(columns, "VERDICT", "VERSION")
        wire.read_judgement(tensors["VERDICT"].reshape(-1)[0], [fact])
        return _version(tensors)


@dataclass(frozen=True)
class Models:
    """The four ports over one transport, checked. Close it when done."""

    embedder: ModelEmbedder
    reranker: ModelReranker
    decomposer: ModelDecomposer
    judge: ModelJudge
    transport: Transport

    @property
    def ports(self) -> tuple[ModelPort, ...]:
        return (self.embedder, self.reranker, self.decomposer, self.judge)

    async def check(self) -> None:
        """All four canaries. Raises the first failure."""
        await map_bounded(lambda port: port.check(), self.ports, len(self.ports))

    async def close(self) -> None:
        await self.transport.close()


async def checked_models(transport: Transport) -> Models:
    """Ports whose canaries have answered; else `transport` is closed and the error raised."""
    models = Models(
        ModelEmbedder(transport),
        ModelReranker(transport),
        ModelDecomposer(transport),
        ModelJudge(transport),
        transport,
    )
    try:
        await models.check()
    except BaseException:
        await models.close()
        raise
    return models

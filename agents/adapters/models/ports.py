"""The four model ports over a `Transport`; every answer is checked before it is believed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import numpy as np

from agents.adapters.models import wire
from agents.adapters.models.long_texts import in_pieces
from agents.adapters.models.port import ModelPort, version_of
from agents.adapters.models.transport import Columns, Tensors, Transport
from agents.errors import DeadlineExceeded, ModelError, PermanentError
from agents.ports import Decomposed, Embedding, Judgement, ShownFact, Span
from schemas.texts import Decomposition, Unit

DECOMPOSE_ATTEMPTS = 3
TOO_SLOW = "too_slow"

CANARY = "No fever today. Takes aspirin 81 mg daily."


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
        return await self._in_requests(texts, self._embed)

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
        return version_of(tensors)


class ModelReranker(ModelPort):
    name = "reranker"

    async def score(self, query: str, passages: Sequence[str]) -> list[float]:
        async def request(some: Sequence[str]) -> list[float]:
            columns = {"QUERY": [query] * len(some), "PASSAGE": some}
            return self._scores(await self._infer(columns, "SCORE"))

        return await self._in_requests(passages, request)

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
        return version_of(tensors)


class ModelDecomposer(ModelPort):
    name = "decomposer"

    async def decompose(self, text: str, unit: Unit) -> list[Span]:
        return await in_pieces(text, lambda piece: self._in_time(piece, unit, None))

    async def propositions(
        self, text: str, unit: Unit, mode: Decomposition = "direct"
    ) -> Decomposed:
        spans = await in_pieces(text, lambda piece: self._in_time(piece, unit, mode))
        return Decomposed.of(spans)

    async def _in_time(self, text: str, unit: Unit, mode: Decomposition | None) -> list[Span]:
        """What is too slow for a healthy decomposer is so at every attempt: it must end."""
        for _ in range(DECOMPOSE_ATTEMPTS):
            try:
                return await self._decompose(text, unit, mode)
            except DeadlineExceeded:
                await self.check()
        raise PermanentError(
            TOO_SLOW,
            f"The decomposer missed its deadline {DECOMPOSE_ATTEMPTS} times on this text and is "
            "healthy on others: raise CHARTPROOF_MODEL_TIMEOUT_S, or split the text.",
        )

    async def _decompose(self, text: str, unit: Unit, mode: Decomposition | None) -> list[Span]:
        tensors = await self._infer(_decomposition(text, unit, mode), "PROPOSITIONS")
        return wire.read_spans(tensors["PROPOSITIONS"].reshape(-1)[0], wire.encodable(text), unit)

    async def _canary(self) -> str:
        tensors = await self._infer(_decomposition(CANARY, "sentence"), "PROPOSITIONS", "VERSION")
        spans = wire.read_spans(tensors["PROPOSITIONS"].reshape(-1)[0], CANARY, "sentence")
        self._expect(bool(spans), "no propositions")
        return version_of(tensors)


def _decomposition(text: str, unit: Unit, mode: Decomposition | None = None) -> Columns:
    return {"TEXT": [text], "UNIT": [unit], "CONTEXT": [wire.decomposition_context(mode)]}


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
        return version_of(tensors)

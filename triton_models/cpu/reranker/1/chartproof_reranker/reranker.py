"""The cpu reranker: late interaction over the embedder's token states, exact about numbers.

For each word piece of the query the best match in the passage counts (MaxSim: Khattab and Zaharia
2020, "ColBERT"), weighted by how rare the piece is, so that "denies" and "daily" do not decide.
The encoder was trained for its mean and not for its tokens, so the cosine of the means has its
say too; and it is half blind for numbers, so a share goes to the terms of the query that stand in
the passage letter for letter, numbers with their units among them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from chartproof_encoder import MODEL_ID, BoundedCache, Encoder, TokenStates, rarity
from chartproof_encoder.terms import weighted_terms
from numpy.typing import NDArray

TOKEN_SHARE, MEAN_SHARE, TERM_SHARE = 0.4, 0.3, 0.3
TOKEN_FLOOR = 0.25
"""MaxSim of unrelated sentences; rescaled so that they come out near 0."""
MAX_PIECES = 256
"""Word pieces of a query or passage that take part; both are sentences as a rule."""
CACHE_BYTES = 128 * 2**20
"""About 4,000 facts of 40 word pieces."""


@dataclass(frozen=True)
class _Side:
    """A text, ready to be compared: unit-length token rows (float16, to hold more of them)."""

    rows: NDArray[np.float16]
    weights: NDArray[np.float32]
    mean: NDArray[np.float32]
    terms: Mapping[str, float]

    @property
    def nbytes(self) -> int:
        overhead = 1024 + 120 * len(self.terms)
        return self.rows.nbytes + self.weights.nbytes + self.mean.nbytes + overhead


class Reranker:
    """`version` changes whenever the same pair could get another score."""

    version = f"late-interaction({MODEL_ID})/1"

    def __init__(self, encoder: Encoder, cache_bytes: int = CACHE_BYTES) -> None:
        self._encoder = encoder
        self._vocabulary = encoder.tokenizer.get_vocab()
        self._sides: BoundedCache[_Side] = BoundedCache(cache_bytes, lambda side: side.nbytes)

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """Relevance of each (query, passage), 0 to 1, in order; 0 when either is blank.

        The same facts are asked about again for every proposition of a text, so their token
        states are kept.
        """
        texts = [text for pair in pairs for text in pair if text.strip()]
        sides = self._sides.get_all(texts, self._prepare)
        return [
            _relevance(sides[query], sides[passage]) if query in sides and passage in sides else 0.0
            for query, passage in pairs
        ]

    def _prepare(self, texts: list[str]) -> list[_Side]:
        states = self._encoder.encode(texts)
        return [self._side(*pair) for pair in zip(texts, states, strict=True)]

    def _side(self, text: str, states: TokenStates) -> _Side:
        kept = np.flatnonzero(~states.special)[:MAX_PIECES]
        if not len(kept):  # nothing but signs the tokenizer drops
            kept = np.arange(1)
        rows = states.states[kept]
        rows = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
        weights = [rarity(int(piece)) for piece in states.ids[kept]]
        return _Side(
            rows.astype(np.float16),
            np.asarray(weights, dtype=np.float32),
            states.mean(),
            weighted_terms(text, self._vocabulary),
        )


def _relevance(query: _Side, passage: _Side) -> float:
    similarity = query.rows.astype(np.float32) @ passage.rows.astype(np.float32).T
    best = float(np.average(similarity.max(axis=1), weights=query.weights))
    tokens = (best - TOKEN_FLOOR) / (1 - TOKEN_FLOOR)
    mean = float(query.mean @ passage.mean)
    score = TOKEN_SHARE * tokens + MEAN_SHARE * mean + TERM_SHARE * _coverage(query, passage)
    return min(max(score, 0.0), 1.0)


def _coverage(query: _Side, passage: _Side) -> float:
    """The share of the query's terms, by weight, that stand in the passage."""
    total = sum(query.terms.values())
    shared = sum(weight for term, weight in query.terms.items() if term in passage.terms)
    return shared / total if total else 0.0


def load() -> Reranker:
    return Reranker(Encoder())

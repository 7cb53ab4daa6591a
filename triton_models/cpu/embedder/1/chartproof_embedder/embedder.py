"""The cpu embedder: mean-pooled MiniLM token states, and lexical weights by rarity."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from chartproof_encoder import DIM, MODEL_ID, BoundedCache, Encoder, sparse_vector
from numpy.typing import NDArray

CACHE_BYTES = 64 * 2**20
"""About 20,000 sentences."""


class Vectors(NamedTuple):
    dense: NDArray[np.float32]
    sparse: dict[int, float]

    @property
    def nbytes(self) -> int:
        return self.dense.nbytes + 100 * len(self.sparse) + 512


class Embedder:
    """`version` changes whenever the same text could get another vector."""

    version = f"{MODEL_ID}+lexical/1"

    def __init__(self, encoder: Encoder, cache_bytes: int = CACHE_BYTES) -> None:
        self._encoder = encoder
        self._vocabulary = encoder.tokenizer.get_vocab()
        self._held: BoundedCache[Vectors] = BoundedCache(cache_bytes, lambda result: result.nbytes)

    def embed(self, texts: Sequence[str]) -> tuple[NDArray[np.float32], list[dict[int, float]]]:
        """Dense float32 (n, 384), L2-normalised rows, and sparse term id -> weight, in order.

        An empty text has a dense vector too (that of [CLS] and [SEP]) and an empty sparse one.
        Dense reads the first 1,016 word pieces (`encoder.MAX_PIECES`), sparse 100,000 characters.
        """
        held = self._held.get_all(texts, self._vectors)
        result = [held[text] for text in texts]
        dense = np.array([vectors.dense for vectors in result], dtype=np.float32)
        return dense.reshape(len(texts), DIM), [vectors.sparse for vectors in result]

    def _vectors(self, texts: list[str]) -> list[Vectors]:
        return [
            Vectors(states.mean(), sparse_vector(text, self._vocabulary))
            for text, states in zip(texts, self._encoder.encode(texts), strict=True)
        ]


def load() -> Embedder:
    return Embedder(Encoder())

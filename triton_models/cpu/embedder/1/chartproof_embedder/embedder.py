"""The cpu embedder: mean-pooled MiniLM token states, and lexical weights by rarity."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from chartproof_encoder import DIM, MODEL_ID, Encoder, sparse_vector
from numpy.typing import NDArray


class Embedder:
    """`version` changes whenever the same text could get another vector."""

    version = f"{MODEL_ID}+lexical/1"

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self._vocabulary = encoder.tokenizer.get_vocab()

    def embed(self, texts: Sequence[str]) -> tuple[NDArray[np.float32], list[dict[int, float]]]:
        """Dense float32 (n, 384), L2-normalised rows, and sparse term id -> weight, in order.

        An empty text has a dense vector too (that of [CLS] and [SEP]) and an empty sparse one.
        Dense reads the first 1,016 word pieces (`encoder.MAX_PIECES`), sparse 100,000 characters.
        """
        dense = np.empty((len(texts), DIM), dtype=np.float32)
        for row, states in enumerate(self._encoder.encode(texts)):
            dense[row] = states.mean()
        return dense, [sparse_vector(text, self._vocabulary) for text in texts]


def load() -> Embedder:
    return Embedder(Encoder())

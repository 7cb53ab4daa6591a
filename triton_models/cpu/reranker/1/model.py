"""Triton's entry to the reranker: QUERY, PASSAGE -> SCORE."""

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).resolve().parents[3] / "shared"))

from chartproof_reranker import Reranker, load
from chartproof_serving import Row, ServedModel, Tensors


class TritonPythonModel(ServedModel):
    inputs = ("QUERY", "PASSAGE")

    def load(self) -> Reranker:
        return load()

    def answer(self, rows: Sequence[Row]) -> Tensors:
        scores = self.model.score([(query, passage) for query, passage in rows])
        return {"SCORE": np.asarray(scores, dtype=np.float32).reshape(-1, 1)}

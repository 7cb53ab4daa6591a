"""Triton's entry to the embedder: TEXT -> DENSE, SPARSE (a JSON object: term id -> weight)."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).resolve().parents[3] / "shared"))

from chartproof_embedder import Embedder, load
from chartproof_serving import Row, ServedModel, Tensors, text_tensor


class TritonPythonModel(ServedModel):
    inputs = ("TEXT",)

    def load(self) -> Embedder:
        return load()

    def answer(self, rows: Sequence[Row]) -> Tensors:
        dense, sparse = self.model.embed([text for (text,) in rows])
        documents = [json.dumps(weights, separators=(",", ":")) for weights in sparse]
        return {"DENSE": np.ascontiguousarray(dense), "SPARSE": text_tensor(documents)}

"""BGE-M3 by FlagEmbedding: TEXT -> DENSE, SPARSE (JSON: token id -> weight), in one pass."""

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

sys.path.append(str(Path(__file__).resolve().parents[3] / "shared"))

from chartproof_flag import Parameters, parameters
from chartproof_serving import Row, ServedModel, Tensors, text_tensor

CONFIG = Path(__file__).resolve().parents[1] / "config.pbtxt"

WARM_UP = "Warm-up: no fever today."


class Embedder:
    """`version` changes with the weights, and so does an index's fingerprint."""

    def __init__(self, given: Parameters) -> None:
        from FlagEmbedding import BGEM3FlagModel  # noqa: PLC0415 - after HF_HUB_OFFLINE is set

        self._said = given
        self._model: Any = BGEM3FlagModel(
            given.model,
            use_fp16=given.fp16,
            devices=given.devices[0] if len(given.devices) == 1 else given.devices,
            batch_size=given.batch_size,
            passage_max_length=given.max_length,
        )
        self.version = f"bge-m3 {given.version}{'+fp16' if given.fp16 else ''}"
        self.embed([WARM_UP])

    def embed(self, texts: Sequence[str]) -> Tensors:
        result = self._model.encode(
            list(texts),
            batch_size=self._said.batch_size,
            max_length=self._said.max_length,
            return_dense=True,
            return_sparse=True,
            return_colbert_vecs=self._said.colbert,
        )
        dense = np.asarray(result["dense_vecs"], dtype=np.float32).reshape(len(texts), -1)
        # fp16 leaves a vector's length at 1 only to three digits.
        dense /= np.linalg.norm(dense, axis=1, keepdims=True)
        tensors = {"DENSE": dense, "SPARSE": text_tensor(_documents(result["lexical_weights"]))}
        if self._said.colbert:
            vectors = [np.asarray(each, np.float32).tolist() for each in result["colbert_vecs"]]
            tensors["COLBERT"] = text_tensor([json.dumps(each) for each in vectors])
        return tensors


def _documents(weights: Sequence[Mapping[Any, Any]]) -> list[str]:
    """numpy floats are not JSON's."""
    return [
        json.dumps({str(token): float(weight) for token, weight in each.items() if weight > 0})
        for each in weights
    ]


class TritonPythonModel(ServedModel):
    inputs = ("TEXT",)

    def initialize(self, args: Mapping[str, str] | None = None) -> None:
        self.model = Embedder(parameters(args, CONFIG))

    def answer(self, rows: Sequence[Row]) -> Tensors:
        return self.model.embed([text for (text,) in rows])

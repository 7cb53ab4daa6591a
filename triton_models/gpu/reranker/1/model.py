"""bge-reranker by FlagEmbedding: QUERY, PASSAGE -> SCORE, 0 to 1."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

sys.path.append(str(Path(__file__).resolve().parents[3] / "shared"))

from chartproof_flag import NoWeights, Parameters, parameters
from chartproof_serving import Row, ServedModel, Tensors

CONFIG = Path(__file__).resolve().parents[1] / "config.pbtxt"

KINDS = {
    "encoder": "FlagReranker",
    "llm": "FlagLLMReranker",
    "layerwise": "LayerWiseFlagLLMReranker",
    "lightweight": "LightWeightFlagLLMReranker",
}
"""bge-reranker-v2-m3 is an encoder, -gemma an llm, -minicpm-layerwise and -gemma2-lightweight of
the families of their names."""


class Reranker:
    def __init__(self, given: Parameters) -> None:
        import FlagEmbedding  # noqa: PLC0415 - after HF_HUB_OFFLINE is set

        if given.kind not in KINDS:
            raise NoWeights(f"kind is one of {', '.join(KINDS)}, not {given.kind}")
        self._said = given
        self._model: Any = getattr(FlagEmbedding, KINDS[given.kind])(
            given.model,
            use_fp16=given.fp16,
            devices=given.devices[0] if len(given.devices) == 1 else given.devices,
            batch_size=given.batch_size,
            max_length=given.max_length,
            normalize=True,
        )
        self.version = f"bge-reranker {given.version}{'+fp16' if given.fp16 else ''}"
        self.score([("Warm-up", "No fever today.")])

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        result = self._model.compute_score([list(pair) for pair in pairs], normalize=True)
        return [float(score) for score in np.asarray(result, dtype=np.float64).reshape(-1)]


class TritonPythonModel(ServedModel):
    inputs = ("QUERY", "PASSAGE")

    def initialize(self, args: Mapping[str, str] | None = None) -> None:
        self.model = Reranker(parameters(args, CONFIG))

    def answer(self, rows: Sequence[Row]) -> Tensors:
        scores = self.model.score([(query, passage) for query, passage in rows])
        return {"SCORE": np.asarray(scores, dtype=np.float32).reshape(-1, 1)}

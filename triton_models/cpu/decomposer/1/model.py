"""Triton's entry to the decomposer: TEXT, UNIT, CONTEXT -> PROPOSITIONS (a JSON list a row)."""

import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[3] / "shared"))

from chartproof_decomposer import Decomposer, load
from chartproof_serving import JsonModel, Row


class TritonPythonModel(JsonModel):
    inputs = ("TEXT", "UNIT", "CONTEXT")
    output = "PROPOSITIONS"

    def load(self) -> Decomposer:
        return load()

    def documents(self, rows: Sequence[Row]) -> list[str]:
        return self.model.decompose([(text, unit, context) for text, unit, context in rows])

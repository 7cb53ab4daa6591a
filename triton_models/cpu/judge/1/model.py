"""Triton's entry to the judge: PROPOSITION, CONTEXT, OPTIONS -> VERDICT (a JSON object a row)."""

import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[3] / "shared"))

from chartproof_judge import Judge, load
from chartproof_serving import JsonModel, Row


class TritonPythonModel(JsonModel):
    inputs = ("PROPOSITION", "CONTEXT", "OPTIONS")
    output = "VERDICT"

    def load(self) -> Judge:
        return load()

    def documents(self, rows: Sequence[Row]) -> list[str]:
        return self.model.judge([(given, context, options) for given, context, options in rows])

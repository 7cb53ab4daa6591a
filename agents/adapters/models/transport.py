"""What the model ports need of whatever runs the models: rows of strings in, tensors out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from numpy.typing import NDArray

from agents.errors import ModelError

DEPENDENCY = "triton"
"""The name in errors and metrics, in whichever way the models are hosted."""
MODELS = ("embedder", "reranker", "decomposer", "judge")

Columns = Mapping[str, Sequence[str]]
"""Input name -> one string a row; all columns are equally long and not empty."""
Tensors = Mapping[str, NDArray[Any]]
"""Output name -> array whose first axis is the rows; strings are bytes, UTF-8."""


class Transport(Protocol):
    async def infer(self, model: str, columns: Columns, outputs: Sequence[str]) -> Tensors:
        """One request. Raises `ModelError` and `TransientError`; cancelled with its caller."""
        ...

    async def close(self) -> None: ...


def checked(model: str, tensors: Tensors, outputs: Sequence[str], rows: int) -> Tensors:
    """`tensors` if they are what was asked for, a row each. Raises `ModelError`."""
    for name in outputs:
        if name not in tensors:
            raise ModelError(model, f"the model {model} gave no {name}: its config is not ours")
        if len(tensors[name]) != rows:
            raise ModelError(model, f"the model {model} gave {name} for another number of rows")
    return tensors

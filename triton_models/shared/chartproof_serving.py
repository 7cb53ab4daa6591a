"""What every model here shares with Triton: strings in, tensors out, errors kept where they are.

A model's `1/model.py` puts the folder of this file on its path and subclasses `ServedModel`: it
names its inputs and turns a list of rows into tensors. The same class works without Triton, which
is how chartproof hosts the models in-process where Triton does not run.

This folder lies beside the model repositories (`cpu/`, `gpu/`), not in one, so Triton never takes
it for a model. It imports nothing of chartproof and `triton_python_backend_utils` only in a stub.
"""

from __future__ import annotations

import json
import logging
import traceback
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

_LOG = logging.getLogger("chartproof.models")
"""To stderr, and so to Triton's log. Never an exception's message: it may hold a note's text."""

Row: TypeAlias = tuple[str, ...]
Tensors: TypeAlias = dict[str, NDArray[Any]]
Plain: TypeAlias = Any
"""The plain model object, whatever its class; it has `.version`."""
Pb: TypeAlias = Any
"""The module `triton_python_backend_utils`, or a thing of it; nothing describes their types."""


class ServedModel:
    """Base of each `TritonPythonModel`. Subclasses set `inputs` and fill in three methods."""

    inputs: ClassVar[tuple[str, ...]]

    def load(self) -> Plain:
        """Build the model; called once."""
        raise NotImplementedError

    def answer(self, rows: Sequence[Row]) -> Tensors:
        """Output name -> array whose first axis is the rows. May raise what it likes."""
        raise NotImplementedError

    def refusal(self, code: str) -> Tensors | None:
        """A one-row answer that says the row was refused; None: the request fails as a whole."""
        return None

    # What Triton calls.

    def initialize(self, args: Mapping[str, str] | None = None) -> None:
        self.model = self.load()

    def execute(self, requests: Sequence[Pb]) -> list[Pb]:
        import triton_python_backend_utils as pb  # noqa: PLC0415 - exists in Triton's stub only

        # Nobody waits any more for a request whose caller left while it stood in the queue.
        left = [request.is_cancelled() for request in requests]
        waiting = [request for request, gone in zip(requests, left, strict=True) if not gone]
        answers = iter(self.answers([self._rows(request, pb) for request in waiting]))
        return [
            _cancelled(pb) if gone else self._response(request, next(answers), pb)
            for request, gone in zip(requests, left, strict=True)
        ]

    # The same without Triton.

    def answers(self, batches: Sequence[Sequence[Row]]) -> list[Tensors | Exception]:
        """One answer a batch, all batches in one go; if that fails, each on its own."""
        if not batches:
            return []
        together = [row for rows in batches for row in rows]
        try:
            tensors = self.answer(together)
        except Exception:
            return [self._alone(rows) for rows in batches]
        tensors["VERSION"] = text_tensor([self.model.version] * len(together))
        answers: list[Tensors | Exception] = []
        start = 0
        for rows in batches:
            end = start + len(rows)
            answers.append({name: tensor[start:end] for name, tensor in tensors.items()})
            start = end
        return answers

    def _alone(self, rows: Sequence[Row]) -> Tensors | Exception:
        """Row by row, so that one bad row costs its neighbours nothing if the model allows it."""
        parts: list[Tensors] = []
        for row in rows:
            try:
                part = self.answer([row])
            except Exception as error:
                where = traceback.extract_tb(error.__traceback__)[-1]
                _LOG.warning(
                    "refused a row: %s at %s:%s", type(error).__name__, where.filename, where.lineno
                )
                refused = self.refusal(type(error).__name__)
                if refused is None:
                    return error
                part = refused
            parts.append({**part, "VERSION": text_tensor([self.model.version])})
        return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}

    def _rows(self, request: Pb, pb: Pb) -> list[Row]:
        columns = (pb.get_input_tensor_by_name(request, name).as_numpy() for name in self.inputs)
        texts = [[as_text(value) for value in column.reshape(-1)] for column in columns]
        return list(zip(*texts, strict=True))

    def _response(self, request: Pb, answer: Tensors | Exception, pb: Pb) -> Pb:
        if isinstance(answer, Exception):
            message = f"the model refused its input: {type(answer).__name__}"
            error = pb.TritonError(message, pb.TritonError.INVALID_ARG)
            return pb.InferenceResponse(error=error)
        wanted = request.requested_output_names()
        tensors = [pb.Tensor(name, answer[name]) for name in wanted if name in answer]
        return pb.InferenceResponse(output_tensors=tensors)


def _cancelled(pb: Pb) -> Pb:
    return pb.InferenceResponse(error=pb.TritonError("cancelled", pb.TritonError.CANCELLED))


class JsonModel(ServedModel):
    """A model whose one output is a JSON document a row; a refused row says `{"error": code}`."""

    output: ClassVar[str]

    def documents(self, rows: Sequence[Row]) -> list[str]:
        """One JSON document a row."""
        raise NotImplementedError

    def answer(self, rows: Sequence[Row]) -> Tensors:
        return {self.output: text_tensor(self.documents(rows))}

    def refusal(self, code: str) -> Tensors:
        return {self.output: text_tensor([json.dumps({"error": code})])}


def as_text(value: bytes | str) -> str:
    """Triton hands BYTES over as bytes; a request that is not UTF-8 is read, not refused."""
    return value if isinstance(value, str) else value.decode("utf-8", "replace")


def text_tensor(values: Sequence[str]) -> NDArray[np.object_]:
    """Shape (n, 1), of UTF-8 bytes: Triton's BYTES."""
    tensor = np.empty((len(values), 1), dtype=np.object_)
    tensor[:, 0] = [value.encode("utf-8", "replace") for value in values]
    return tensor

"""What a run costs: calls, rows, tokens and seconds of each model, by what they were for.

Seconds are those in which the model works, without waiting in its queue. Tokens are characters / 4,
as the token budget counts them, of what goes in and what comes out.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from agents.adapters.models.transport import Columns, Tensors, Transport
from agents.verification.reference_context import CHARACTERS_PER_TOKEN

INTAKE, INDEXING, VERIFYING, BASELINES = "intake", "indexing", "verifying", "baselines"

WRITTEN = ("PROPOSITIONS", "VERDICT")


class Cost(NamedTuple):
    calls: int = 0
    rows: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    seconds: float = 0.0

    def plus(self, other: Cost) -> Cost:
        return Cost(
            self.calls + other.calls,
            self.rows + other.rows,
            self.tokens_in + other.tokens_in,
            self.tokens_out + other.tokens_out,
            self.seconds + other.seconds,
        )


Costs = Mapping[str, Cost]
"""Stage, or `stage: model`, -> its cost."""


class Meter:
    """Adds up costs until they are taken. `stage` is what is going on now."""

    def __init__(self) -> None:
        self.stage = INTAKE
        self._costs: dict[str, Cost] = {}

    def add(self, model: str, cost: Cost) -> None:
        name = f"{self.stage}: {model}" if model else self.stage
        self._costs[name] = self._costs.get(name, Cost()).plus(cost)

    @contextmanager
    def during(self, stage: str) -> Iterator[None]:
        """What is added meanwhile is of this stage, and so is the time that passes."""
        before, self.stage = self.stage, stage
        started = time.perf_counter()
        try:
            yield
        finally:
            self.add("", Cost(calls=1, seconds=time.perf_counter() - started))
            self.stage = before

    def take(self) -> dict[str, Cost]:
        """The costs since it was last asked."""
        taken, self._costs = self._costs, {}
        return taken


class MeteredModel:
    """A served model (see `agents.adapters.models.in_process`) whose answers are metered."""

    def __init__(self, name: str, served: Any, meter: Meter) -> None:  # noqa: ANN401
        self._name = name
        self._served = served
        self._meter = meter

    @property
    def inputs(self) -> tuple[str, ...]:
        inputs: tuple[str, ...] = self._served.inputs
        return inputs

    def answers(self, requests: Sequence[Sequence[Sequence[str]]]) -> list[Any]:
        started = time.perf_counter()
        answers: list[Any] = self._served.answers(requests)
        seconds = time.perf_counter() - started
        rows = [row for request in requests for row in request]
        characters = sum(len(cell) for row in rows for cell in row)
        given = sum(_characters(answer) for answer in answers)
        cost = Cost(len(requests), len(rows), _tokens(characters), _tokens(given), seconds)
        self._meter.add(self._name, cost)
        return answers


class MeteredTransport(Transport):
    """The same for models elsewhere: seconds are those until the answer, queues included."""

    def __init__(self, transport: Transport, meter: Meter) -> None:
        self._transport = transport
        self._meter = meter

    async def infer(self, model: str, columns: Columns, outputs: Sequence[str]) -> Tensors:
        started = time.perf_counter()
        tensors = await self._transport.infer(model, columns, outputs)
        seconds = time.perf_counter() - started
        rows = max(map(len, columns.values()), default=0)
        characters = sum(len(cell) for column in columns.values() for cell in column)
        cost = Cost(1, rows, _tokens(characters), _tokens(_characters(tensors)), seconds)
        self._meter.add(model, cost)
        return tensors

    async def close(self) -> None:
        await self._transport.close()


def _characters(answer: Any) -> int:  # noqa: ANN401 - a mapping of tensors, or an exception
    """Of what a model writes; vectors and scores are no text."""
    if not isinstance(answer, Mapping):
        return 0
    written = [np.asarray(answer[name]).reshape(-1) for name in WRITTEN if name in answer]
    return sum(len(cell) for cells in written for cell in cells)


def _tokens(characters: int) -> int:
    return -(-characters // CHARACTERS_PER_TOKEN)

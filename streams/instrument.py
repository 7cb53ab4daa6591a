"""Ports wrapped from outside, so that agents know nothing of metrics: every call is timed."""

from __future__ import annotations

import time
from typing import Any, TypeVar

from agents.errors import TransientError
from schemas.events import Event
from schemas.failures import DeadLetter
from streams.delivery.outputs import Outputs
from streams.metrics import Metrics

P = TypeVar("P")


class CountingOutputs:
    """Outputs that count the events which the broker has taken."""

    def __init__(self, inner: Outputs, metrics: Metrics) -> None:
        self._inner = inner
        self._metrics = metrics

    async def emit(self, event: Event, traceparent: bytes | None = None) -> None:
        await self._inner.emit(event, traceparent)
        self._metrics.emitted(event)

    async def dead_letter(self, letter: DeadLetter, key: bytes | None, value: bytes | None) -> None:
        await self._inner.dead_letter(letter, key, value)


class _Timed:
    """Forwards everything; coroutine methods are timed under their own name."""

    def __init__(self, inner: object, dependency: str, metrics: Metrics) -> None:
        self._inner = inner
        self._dependency = dependency
        self._metrics = metrics

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the port has
        found = getattr(self._inner, name)
        if not callable(found):
            return found

        async def timed(*args: object, **kwargs: object) -> object:
            started = time.perf_counter()
            outcome = "error"
            try:
                result = await found(*args, **kwargs)
                outcome = "ok"
            except TransientError as error:
                outcome = type(error).__name__
                raise
            else:
                return result
            finally:
                self._metrics.dependency_duration.labels(self._dependency, name, outcome).observe(
                    time.perf_counter() - started
                )

        return timed


def timed(port: P, dependency: str, metrics: Metrics) -> P:
    """`port` with its coroutine methods timed as `dependency` (milvus, triton, fhir)."""
    return _Timed(port, dependency, metrics)  # type: ignore[return-value]

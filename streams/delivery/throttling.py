"""Embedding for a backfill: few facts at a time, and none while a live text is in work.

A model computes one request after the other, so what stands before a text's question is never more
than one small request a note.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextvars import ContextVar

from agents.ports import Embedder, Embedding, Emit, Record
from schemas.topics import INBOUND_BACKFILL
from streams.delivery.live_traffic import Traffic
from streams.delivery.settlement import Handler

STEP_ASIDE_SECONDS = 2.0
"""In all, for one note: a text of its own patient may wait behind it."""
THROTTLED_ROWS = 4
"""Facts embedded at a time: some ten milliseconds of a CPU's work."""

_backfilling: ContextVar[bool] = ContextVar("backfilling", default=False)
"""Whether the task at hand works on a note of a backfill."""


def tag_backfill(chart: Handler) -> Handler:
    """The chart agent's handler, that lets `ThrottledEmbedder` know of notes of a backfill."""

    async def handle(record: Record, emit: Emit) -> None:
        # The event names its source; a live note that has these words in its text loses nothing.
        token = _backfilling.set(INBOUND_BACKFILL.name.encode() in (record.value or b""))
        try:
            await chart(record, emit)
        finally:
            _backfilling.reset(token)

    return handle


class ThrottledEmbedder:
    """An embedder that does the facts of a backfill few at a time, when no live text waits."""

    def __init__(
        self, inner: Embedder, traffic: Traffic, *, step_aside_s: float = STEP_ASIDE_SECONDS
    ) -> None:
        self._inner = inner
        self._traffic = traffic
        self._step_aside_s = step_aside_s

    @property
    def version(self) -> str:
        return self._inner.version

    @property
    def dim(self) -> int:
        return self._inner.dim

    async def check(self) -> None:
        await self._inner.check()

    async def embed(self, texts: Sequence[str]) -> list[Embedding]:
        if not _backfilling.get():
            return await self._inner.embed(texts)
        made: list[Embedding] = []
        left = self._step_aside_s
        for start in range(0, len(texts), THROTTLED_ROWS):
            left -= await self._traffic.no_texts(max(left, 0.0))
            made += await self._inner.embed(texts[start : start + THROTTLED_ROWS])
        return made

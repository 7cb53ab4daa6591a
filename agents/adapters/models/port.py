"""What the four model ports share: requests of bounded size, a canary, and a version.

Triton batches what different callers send; a large input is split here, so that one caller's ten
thousand texts do not stand before another's one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import ClassVar, TypeVar

from agents.adapters.models import wire
from agents.adapters.models.transport import DEPENDENCY, Columns, Tensors, Transport
from agents.concurrency import map_bounded
from agents.errors import DeadlineExceeded, DependencyUnavailable, ModelError

R = TypeVar("R")

REQUEST_ROWS = 32
"""Rows of one request: about 0.1 s of a CPU's work, so that others get their turn."""
REQUEST_CHARACTERS = 16_000
"""Long rows travel in smaller company."""
LARGE_REQUESTS = 4
"""Large requests of this process that a model has at a time: enough to keep it busy, few enough
that none waits out its deadline in the queue while notes pour in. Small ones go at once: before
an interactive question there is never more than this."""
SMALL_ROWS = 8
SMALL_CHARACTERS = 2_000


class ModelPort:
    """What the four share. `version` is what answered the last canary."""

    name: ClassVar[str]

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._version: str | None = None
        self._large = asyncio.Semaphore(LARGE_REQUESTS)

    @property
    def version(self) -> str:
        if self._version is None:
            raise RuntimeError(f"the {self.name} was not asked for its version yet: await check()")
        return self._version

    async def check(self) -> None:
        """One canary inference. Raises `DependencyUnavailable` when the answer is not right."""
        try:
            self._version = await self._canary()
        except (ModelError, DeadlineExceeded) as error:
            raise DependencyUnavailable(
                DEPENDENCY,
                f"the model {self.name} is not healthy: {error}; see the log of what hosts it, "
                "and restart that",
            ) from None

    async def _canary(self) -> str:
        """Raises `ModelError` when the answer is not right. Returns the version."""
        raise NotImplementedError

    async def _infer(self, columns: Columns, *outputs: str) -> Tensors:
        encodable = {
            name: [wire.encodable(text) for text in texts] for name, texts in columns.items()
        }
        return await self._transport.infer(self.name, encodable, outputs)

    async def _in_requests(
        self, texts: Sequence[str], request: Callable[[Sequence[str]], Awaitable[list[R]]]
    ) -> list[R]:
        """`request` of bounded pieces of `texts`; the rows of all answers, in order."""

        async def one(piece: Sequence[str]) -> list[R]:
            if len(piece) <= SMALL_ROWS and sum(map(len, piece)) <= SMALL_CHARACTERS:
                return await request(piece)
            async with self._large:
                return await request(piece)

        parts = await map_bounded(one, list(_pieces(texts)), LARGE_REQUESTS)
        return [row for part in parts for row in part]

    def _expect(self, right: bool, what: str) -> None:
        if not right:
            raise ModelError(self.name, f"its canary's answer is wrong: {what}")


def version_of(tensors: Tensors) -> str:
    return str(tensors["VERSION"].reshape(-1)[0].decode())


def _pieces(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    """`texts` in order, in requests of bounded rows and characters."""
    start = characters = 0
    for at, text in enumerate(texts):
        full = at - start >= REQUEST_ROWS or characters + len(text) > REQUEST_CHARACTERS
        if at > start and full:
            yield texts[start:at]
            start, characters = at, 0
        characters += len(text)
    if start < len(texts):
        yield texts[start:]

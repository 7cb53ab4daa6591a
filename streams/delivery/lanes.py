"""One lane per key: keys run in parallel, each key in order.

A lane is a queue and a task that lives while the queue has something. Lanes belong to one partition
in one consumer generation and are closed with it.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Hashable
from typing import Generic, TypeVar

T = TypeVar("T")

CANCEL_SECONDS = 5.0
"""How long a cancelled handler may take to notice."""


class Lanes(Generic[T]):
    """Runs `run(item)` for the items of each key one after the other. `run` must not raise."""

    def __init__(self, run: Callable[[T], Awaitable[None]]) -> None:
        self.closing = asyncio.Event()
        """Set when nothing new is to be started; `run` ends its waits when it sees it."""
        self._run = run
        self._queues: dict[Hashable, deque[T]] = {}
        self._tasks: dict[Hashable, asyncio.Task[None]] = {}

    def put(self, key: Hashable, item: T) -> None:
        """Queue `item` behind what its key has already. After `close` it is dropped."""
        if self.closing.is_set():
            return
        if key in self._queues:
            self._queues[key].append(item)
        else:
            self._queues[key] = deque([item])
            self._tasks[key] = asyncio.create_task(self._lane(key))

    async def _lane(self, key: Hashable) -> None:
        queue = self._queues[key]
        try:
            while queue and not self.closing.is_set():
                await self._run(queue.popleft())
        finally:
            del self._queues[key]
            del self._tasks[key]

    async def close(self, deadline: float) -> None:
        """Drop what waits, let what runs finish for `deadline` seconds, then cancel it."""
        self.closing.set()
        running = list(self._tasks.values())
        if not running:
            return
        _, late = await asyncio.wait(running, timeout=deadline)
        for task in late:
            task.cancel()
        if late:
            await asyncio.wait(late, timeout=CANCEL_SECONDS)

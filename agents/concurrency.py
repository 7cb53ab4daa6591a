"""Many awaitables at once, bounded, and one plain exception when one of them fails."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


async def map_bounded(
    function: Callable[[T], Awaitable[R]], items: Sequence[T], limit: int
) -> list[R]:
    """`function` of every item, in order, at most `limit` at a time.

    The first failure cancels the rest and is raised as it is, not inside an exception group, so
    that callers can tell transient from permanent errors by type.
    """
    slots = asyncio.Semaphore(limit)

    async def one(item: T) -> R:
        async with slots:
            return await function(item)

    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(one(item)) for item in items]
    except BaseExceptionGroup as failures:
        raise failures.exceptions[0] from None
    return [task.result() for task in tasks]


async def completed(work: Awaitable[R]) -> R:
    """`work` to its end, even when the current task is cancelled meanwhile; that is raised then.

    For closing what others wrote: aiokafka's `close` and `stop` await tasks of their own that they
    have cancelled, and take a cancellation of their caller for that of the task.
    """
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait([task])
        raise


class Threads:
    """Threads, made when needed, for work that would hold up the event loop."""

    def __init__(self, most: int) -> None:
        self._pool = ThreadPoolExecutor(most)

    async def run(self, work: Callable[[], R]) -> R:
        return await asyncio.get_running_loop().run_in_executor(self._pool, work)

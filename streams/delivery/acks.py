"""Which finished records may be acknowledged: the contiguous prefix of what was read, no more.

Kafka keeps one number per partition, so acknowledging a record acknowledges all before it. Records
finish out of order (lanes of different keys), so a finished record waits here until everything
read before it has finished too. What counts is the order of reading, not the arithmetic of offsets:
offsets have gaps (transaction markers, compaction), and a gap holds nothing back.
"""

from __future__ import annotations

from heapq import heappop, heappush
from typing import Generic, TypeVar

T = TypeVar("T")


class InOrderAcks(Generic[T]):
    """The unacknowledged records of one partition in one consumer generation."""

    def __init__(self) -> None:
        self._items: dict[int, T] = {}
        self._offsets: list[int] = []
        self._finished: set[int] = set()

    def __len__(self) -> int:
        return len(self._items)

    def add(self, offset: int, item: T) -> bool:
        """Record that `offset` was read. False when it is here already: a repeat, to be dropped."""
        if offset in self._items:
            return False
        self._items[offset] = item
        heappush(self._offsets, offset)
        return True

    def finish(self, offset: int) -> list[T]:
        """`offset` is done. Returns what may be acknowledged now, by offset; often nothing."""
        self._finished.add(offset)
        ready = []
        while self._offsets and self._offsets[0] in self._finished:
            first = heappop(self._offsets)
            self._finished.discard(first)
            ready.append(self._items.pop(first))
        return ready

    def unacknowledged(self) -> list[T]:
        """What was read and never became ready, finished or not."""
        return list(self._items.values())

"""A least-recently-used cache bounded by bytes, for values that know their size."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class BoundedCache(Generic[K, V]):
    """Holds at most `capacity` bytes; a value larger than that is not kept. Thread-safe."""

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._held = 0
        self._entries: OrderedDict[K, tuple[V, int]] = OrderedDict()
        self._lock = Lock()

    def get(self, key: K) -> V | None:
        with self._lock:
            if key not in self._entries:
                return None
            self._entries.move_to_end(key)
            return self._entries[key][0]

    def put(self, key: K, value: V, size: int) -> None:
        with self._lock:
            if key in self._entries or size > self._capacity:
                return
            self._entries[key] = (value, size)
            self._held += size
            while self._held > self._capacity:
                _, (_, freed) = self._entries.popitem(last=False)
                self._held -= freed

"""A least-recently-used cache bounded by bytes, for what is computed from a text.

Notes copy forward what earlier notes said, and every proposition of a text is compared with the
same facts, so the same sentences come again and again.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable
from threading import Lock
from typing import Generic, TypeVar

V = TypeVar("V")


class BoundedCache(Generic[V]):
    """Text -> value, at most `capacity` bytes as `size` counts them. Thread-safe."""

    def __init__(self, capacity: int, size: Callable[[V], int]) -> None:
        self._capacity = capacity
        self._size = size
        self._held = 0
        self._entries: OrderedDict[str, V] = OrderedDict()
        self._lock = Lock()

    def get_all(
        self, texts: Iterable[str], make: Callable[[list[str]], Iterable[V]]
    ) -> dict[str, V]:
        """Every text's value; `make` is asked, once, for all that are not held."""
        wanted = dict.fromkeys(texts)
        with self._lock:
            result = {text: self._entries[text] for text in wanted if text in self._entries}
            for text in result:
                self._entries.move_to_end(text)
        missing = [text for text in wanted if text not in result]
        if missing:
            made = dict(zip(missing, make(missing), strict=True))
            self._keep(made)
            result |= made
        return result

    def _keep(self, made: dict[str, V]) -> None:
        with self._lock:
            for text, value in made.items():
                if text not in self._entries:
                    self._entries[text] = value
                    self._held += self._size(value)
            while self._held > self._capacity:
                _, dropped = self._entries.popitem(last=False)
                self._held -= self._size(dropped)

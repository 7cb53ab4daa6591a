"""Answers kept by content, so that what was asked before is not paid for again.

A key is a hash: the cache holds no question. Concurrent callers with one key share one call.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

import orjson

T = TypeVar("T")


def content_key(*given: object) -> str:
    return hashlib.sha256(orjson.dumps(given, default=repr)).hexdigest()


class AnswerCache(Generic[T]):
    """The latest `most` answers."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._held: OrderedDict[str, T] = OrderedDict()
        self._running: dict[str, asyncio.Future[T]] = {}

    def get(self, key: str) -> T | None:
        if key in self._held:
            self._held.move_to_end(key)
        return self._held.get(key)

    def put(self, key: str, answer: T) -> None:
        self._held[key] = answer
        self._held.move_to_end(key)
        while len(self._held) > self._most:
            self._held.popitem(last=False)

    async def get_or(self, key: str, make: Callable[[], Awaitable[T]]) -> tuple[T, bool]:
        """The answer, and whether it was made by this call.

        Who comes while it is being made waits for it; if that ends without one, makes it himself.
        """
        while True:
            held = self.get(key)
            if held is not None:
                return held, False
            running = self._running.get(key)
            if running is None:
                break
            await asyncio.wait([running])
            if not running.cancelled() and running.exception() is None:
                return running.result(), False
        mine: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._running[key] = mine
        try:
            answer = await make()
        except BaseException:
            mine.cancel()
            raise
        else:
            mine.set_result(answer)
            self.put(key, answer)
            return answer, True
        finally:
            del self._running[key]

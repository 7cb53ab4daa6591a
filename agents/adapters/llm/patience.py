"""Calls of a language model, bounded in number; overload is waited out, within a limit.

Only overload is repeated here: the server has not begun with the request. What is wrong with an
answer is `structured_answer`'s; a server that is away is delivery's, which pauses the partition.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Mapping, Sequence
from typing import Any

from agents.adapters.llm.errors import Overloaded
from agents.ports import Completion, LanguageModel, Message

FIRST_WAIT_S = 0.5
LONGEST_WAIT_S = 20.0


class PatientModel:
    """At most `concurrent` calls at a time; an overloaded server is asked again for `overload_s`.

    A wait is what the server asks for, else it doubles from half a second, with jitter.
    """

    def __init__(self, inner: LanguageModel, *, concurrent: int, overload_s: float) -> None:
        self._inner = inner
        self._slots = asyncio.Semaphore(concurrent)
        self._overload_s = overload_s

    @property
    def version(self) -> str:
        return self._inner.version

    @property
    def context_tokens(self) -> int:
        return self._inner.context_tokens

    async def check(self) -> None:
        await self._inner.check()

    async def complete(  # noqa: PLR0913 - as the port says
        self,
        messages: Sequence[Message],
        *,
        schema: Mapping[str, Any] | None = None,
        max_tokens: int = 512,
        temperature: float = 0.0,
        seed: int = 0,
        logprobs: bool = False,
    ) -> Completion:
        until = time.monotonic() + self._overload_s
        wait = FIRST_WAIT_S
        while True:
            try:
                async with self._slots:
                    return await self._inner.complete(
                        messages,
                        schema=schema,
                        max_tokens=max_tokens,
                        temperature=temperature,
                        seed=seed,
                        logprobs=logprobs,
                    )
            except Overloaded as error:
                pause = error.retry_after_s
                if pause is None:
                    pause = wait * random.uniform(0.5, 1.0)  # noqa: S311 - jitter
                    wait = min(2 * wait, LONGEST_WAIT_S)
                if time.monotonic() + pause > until:
                    raise
                await asyncio.sleep(pause)

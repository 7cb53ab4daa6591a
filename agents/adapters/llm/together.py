"""Questions of one text that go to a model in one call.

Callers ask one by one and at about the same time; what comes within a moment is put into groups,
and each caller gets its own answer. A call goes on while one of its callers waits for it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Generic, TypeVar

Q = TypeVar("Q")
A = TypeVar("A")

GATHER_S = 0.05
"""A fraction of what a call takes; the propositions of a text come through retrieval together."""


class Together(Generic[Q, A]):
    """`group` puts questions into groups, in order; `run` answers a group, an answer a question.

    An exception among the answers is raised to the one that asked.
    """

    def __init__(
        self,
        group: Callable[[Sequence[Q]], list[list[Q]]],
        run: Callable[[Sequence[Q]], Awaitable[Sequence[A | Exception]]],
    ) -> None:
        self._group = group
        self._run = run
        self._waiting: list[tuple[Q, asyncio.Future[A]]] = []
        self._tasks: set[asyncio.Task[None]] = set()

    async def ask(self, question: Q) -> A:
        answer: asyncio.Future[A] = asyncio.get_running_loop().create_future()
        self._waiting.append((question, answer))
        if len(self._waiting) == 1:
            self._start(self._gather())
        return await answer

    async def _gather(self) -> None:
        await asyncio.sleep(GATHER_S)
        waiting = [(q, answer) for q, answer in self._waiting if not answer.done()]
        self._waiting = []
        answers = {id(q): answer for q, answer in waiting}
        for group in self._group([q for q, _ in waiting]):
            self._start(self._answer(group, [answers[id(q)] for q in group]))

    async def _answer(self, group: Sequence[Q], answers: Sequence[asyncio.Future[A]]) -> None:
        run = asyncio.ensure_future(self._run(group))

        def left(_: object) -> None:
            if all(answer.done() for answer in answers):
                run.cancel()

        for answer in answers:
            answer.add_done_callback(left)
        with suppress(asyncio.CancelledError):
            await asyncio.wait([run])
            result: Sequence[A | Exception]
            error = None if run.cancelled() else run.exception()
            if run.cancelled() or isinstance(error, asyncio.CancelledError):
                result = []
            elif isinstance(error, Exception):
                result = [error] * len(group)
            else:
                result = run.result()
            for answer, each in zip(answers, result, strict=False):
                _settle(answer, each)

    def _start(self, work: Awaitable[None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _settle(answer: asyncio.Future[A], result: A | Exception) -> None:
    if answer.done():
        return
    if isinstance(result, Exception):
        answer.set_exception(result)
    else:
        answer.set_result(result)

"""What ends a command: Ctrl-C, SIGTERM of a supervisor, SIGHUP of a terminal that was closed."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager

ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Ended(Exception):
    """The command was ended by `number`, and has cleaned up after itself."""

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.exit_code = 128 + number


@contextmanager
def on_ending(call: Callable[[int], None]) -> Iterator[None]:
    """Inside, `call` gets the signals that end a command. Under nohup SIGHUP stays ignored."""
    loop = asyncio.get_running_loop()
    heard = [n for n in ENDING if n != signal.SIGHUP or signal.getsignal(n) != signal.SIG_IGN]
    for number in heard:
        loop.add_signal_handler(number, call, number)
    try:
        yield
    finally:
        for number in heard:
            loop.remove_signal_handler(number)


@contextmanager
def cancelled_on_ending() -> Iterator[None]:
    """The first signal cancels the current task, and `Ended` is raised when it has cleaned up.

    Further ones change nothing: they would break off the cleaning up. `Ended` is raised too where
    the body took the cancellation for another and went on to its end.
    """
    task = asyncio.current_task()
    assert task
    ended: list[int] = []

    def end(number: int) -> None:
        if not ended:
            task.cancel()
        ended.append(number)

    with on_ending(end):
        try:
            yield
        except asyncio.CancelledError:
            if not ended:
                raise
        if ended:
            task.uncancel()
            raise Ended(ended[0])

"""A worker's life: from start, through SIGTERM, to its exit code."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from collections.abc import Awaitable, Callable

from agents.errors import ChartproofError
from streams.delivery.faust_adapter import WorkerApp
from streams.delivery.kafka_topics import require_topics
from streams.signals import on_ending

log = logging.getLogger(__name__)

CRASH_STOP_SECONDS = 10.0
CRASHED = 1
COULD_NOT_START = 2


class WorkerCrashed(ChartproofError):
    """The worker cannot go on. Nothing is lost: what it had not finished is read again."""


async def serve(app: WorkerApp, stop: asyncio.Event) -> None:
    """Run `app` until `stop` is set, then stop it gracefully. Owns the process while it runs.

    Raises `DependencyUnavailable` when the broker or a topic is not there at the start, and
    `WorkerCrashed`. A broker that goes away later is waited for.
    """
    await require_topics(app.kafka_options, app.prefix)
    try:
        await app.start()
        await app.wait_for_stopped(stop.wait())
        crash = app.crash_reason
    except Exception as error:
        crash = error
    if crash is not None:
        log.error("the worker cannot go on (%s)", type(crash).__name__)
    limit = app.tuning.stop_seconds if crash is None else CRASH_STOP_SECONDS
    stopping = asyncio.ensure_future(app.stop())
    # Not wait_for: that waits for the cancelled stop to end, which one without a broker may not.
    await asyncio.wait({stopping}, timeout=limit)
    if not stopping.done() or stopping.exception() is not None:
        # Threads of Faust may still wait for a broker that is gone, and would keep the process.
        log.error("the worker did not stop in time")
        logging.shutdown()
        os._exit(CRASHED)
    if crash is not None:
        raise WorkerCrashed(f"The worker could not go on ({type(crash).__name__}); start it again.")


def run_until_ended(work: Callable[[asyncio.Event], Awaitable[None]]) -> int:
    """Run `work` with an event that is set on SIGTERM, SIGINT or SIGHUP. Returns the exit code.

    0 stopped as asked, 1 crashed, 2 could not start; standard error says why.
    """

    async def main() -> None:
        stop = asyncio.Event()
        with on_ending(lambda _: stop.set()):
            await work(stop)

    try:
        asyncio.run(main())
    except (ChartproofError, OSError, ValueError) as error:
        sys.stderr.write(f"error: {error}\n")
        return CRASHED if isinstance(error, WorkerCrashed) else COULD_NOT_START
    return 0

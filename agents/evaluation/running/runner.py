"""All charts of all sets, a chart at a time in each of several processes; a run that ended early is
gone on with.

Processes and not threads: the judge and the decomposer are Python, and a chart's items share its
index. A process loads its models once.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from multiprocessing.queues import Queue
from pathlib import Path

from agents.errors import ChartproofError
from agents.evaluation.dataset import Dataset, EvaluationChart, Item
from agents.evaluation.running.chart_run import run_chart
from agents.evaluation.running.engine import Configuration, Engine
from agents.evaluation.running.store import RunStore

POLL_SECONDS = 0.5
Progress = Callable[[int, int], None]
"""Items done, of how many."""


class RunFailed(ChartproofError):
    """A run that did not come to its end."""


@dataclass(frozen=True)
class Work:
    """A chart with the items on it that have no result yet."""

    dataset: Dataset
    """Without its charts and items."""
    chart: EvaluationChart
    items: tuple[Item, ...]


def work_left(datasets: Sequence[Dataset], store: RunStore) -> list[Work]:
    """Largest charts first, so that no process is left alone with one. Failed items run again."""
    done = {result.key for result in store.items() if result.error is None}
    work = []
    for dataset in datasets:
        charts = {chart.chart_id: chart for chart in dataset.charts}
        items: dict[str, list[Item]] = {}
        for item in dataset.items:
            if (dataset.name, item.item_id) not in done:
                items.setdefault(item.chart_id, []).append(item)
        bare = replace(dataset, charts=(), items=())
        work += [Work(bare, charts[c], tuple(some)) for c, some in items.items()]
    return sorted(work, key=_size, reverse=True)


def _size(work: Work) -> int:
    notes = sum(len(note.text) + len(note.resource or b"") for note in work.chart.notes)
    return notes + sum(len(item.text) for item in work.items)


@dataclass(frozen=True)
class Runner:
    """`repository`: the models where the configuration names none. `jobs`: processes."""

    configuration: Configuration
    repository: Path
    store: RunStore
    jobs: int

    def run(self, work: Sequence[Work], progress: Progress = lambda *_: None) -> None:
        """Every item's result into the store.

        Raises what goes wrong; what is done by then is kept, and the next run goes on there.
        """
        total = sum(len(each.items) for each in work)
        progress(0, total)
        if min(self.jobs, len(work)) <= 1:
            asyncio.run(self.here(iter(work), lambda done: progress(done, total)))
        else:
            self._in_processes(work, lambda done: progress(done, total))

    async def here(
        self, work: Iterator[Work], progress: Callable[[int], None] = lambda _: None
    ) -> None:
        """In this process, one after the other."""
        engine = await Engine.load(self.configuration, self.repository)
        done = 0
        try:
            for each in work:
                await run_chart(engine, each.dataset, each.chart, each.items, self.store.add)
                done += len(each.items)
                progress(done)
        finally:
            await engine.close()

    def _in_processes(self, work: Sequence[Work], progress: Callable[[int], None]) -> None:
        context = multiprocessing.get_context("spawn")
        queue: Queue[Work | None] = context.Queue()
        jobs = min(self.jobs, len(work))
        for each in (*work, *[None] * jobs):
            queue.put(each)
        processes = [context.Process(target=_work, args=(self, queue)) for _ in range(jobs)]
        before = self.store.lines()
        try:
            for process in processes:
                process.start()
            while any(process.is_alive() for process in processes):
                time.sleep(POLL_SECONDS)
                progress(self.store.lines() - before)
                if any(process.exitcode for process in processes):
                    break
        finally:
            queue.cancel_join_thread()
            for process in processes:
                process.terminate()
                process.join()
        if any(process.exitcode for process in processes):
            raise RunFailed(
                "a process of the run ended early (see above); the same command goes on"
            )


def _work(runner: Runner, queue: Queue[Work | None]) -> None:
    asyncio.run(runner.here(iter(queue.get, None)))


def jobs_of(machine: int | None = None) -> int:
    """As many as the machine has cores for."""
    return machine or len(os.sched_getaffinity(0))

"""Data sets through one or several configurations, and a report: `chartproof evaluate`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agents.evaluation.dataset import Dataset
from agents.evaluation.formats.answer_lines import answer_lines
from agents.evaluation.report.document import Resampling, RunResults, report
from agents.evaluation.running.engine import Configuration, Engine
from agents.evaluation.running.runner import Runner, work_left
from agents.evaluation.running.store import DatasetIdentity, Manifest, RunStore
from agents.evaluation.scoring.statements import statements
from agents.evaluation.scoring.systems import ours
from agents.evaluation.versions import versions

ANSWERS = "answers.jsonl"
"""Beside the results: what this run answers to each labelled span, to be kept with the data."""

Progress = Callable[[str, int, int], None]
"""Name of the run, items done, of how many."""


@dataclass(frozen=True)
class Evaluation:
    """`out`: a folder of its own for each configuration, and the report, in it."""

    datasets: Sequence[Dataset]
    repository: Path
    out: Path
    jobs: int = 1
    seed: int = 1

    def run(
        self, configurations: Sequence[Configuration], progress: Progress = lambda *_: None
    ) -> list[RunResults]:
        """Whatever has no result yet is run. Raises `OtherRun` and what a run raises."""
        return [self._run(each, progress) for each in configurations]

    def report(self, runs: Sequence[RunResults], how: Resampling) -> dict[str, Any]:
        return report(runs, how, {each.name: each.answers for each in self.datasets})

    def _run(self, configuration: Configuration, progress: Progress) -> RunResults:
        store = RunStore(self.out / _folder_name(configuration.name))
        store.open(self._manifest(configuration))
        work = work_left(self.datasets, store)
        runner = Runner(configuration, self.repository, store, self.jobs)
        if work:
            runner.run(work, lambda done, total: progress(configuration.name, done, total))
        wanted = {(each.name, item.item_id) for each in self.datasets for item in each.items}
        items = [each for each in store.items() if each.key in wanted]
        answers = ((each.span_id, ours(each)) for each in statements(items))
        (store.folder / ANSWERS).write_bytes(answer_lines(answers))
        return RunResults(store.manifest(), items, store.charts())

    def _manifest(self, configuration: Configuration) -> Manifest:
        return Manifest(
            configuration=configuration,
            datasets=tuple(
                DatasetIdentity(
                    name=each.name,
                    format=each.format,
                    sha256=each.sha256,
                    charts=len(each.charts),
                    items=len(each.items),
                    notices=each.notices,
                )
                for each in self.datasets
            ),
            versions=versions(),
            models=asyncio.run(_models(configuration, self.repository)),
            seed=self.seed,
        )


async def _models(configuration: Configuration, repository: Path) -> dict[str, str]:
    engine = await Engine.load(configuration, repository)
    try:
        return engine.versions
    finally:
        await engine.close()


def _folder_name(name: str) -> str:
    return "".join(each if each.isalnum() or each in "-_." else "-" for each in name)

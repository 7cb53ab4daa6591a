"""`chartproof evaluate`: labelled data through the real pipeline, in process, and a report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from agents.evaluation.configurations import configurations
from agents.evaluation.dataset import Dataset
from agents.evaluation.evaluate import Evaluation
from agents.evaluation.formats.labels import Labels
from agents.evaluation.formats.read import read_datasets
from agents.evaluation.formats.shapes import Reading
from agents.evaluation.guarded import enter
from agents.evaluation.report.document import Resampling, RunResults
from agents.evaluation.report.files import summary, write
from agents.evaluation.running.engine import Configuration
from agents.evaluation.running.runner import jobs_of
from agents.evaluation.scoring.label_shuffling import with_shuffled_labels
from agents.evaluation.versions import commit
from streams.cli import render


@dataclass(frozen=True)
class Options:
    """What the command's options say."""

    paths: Sequence[Path]
    out: Path
    repository: Path
    """Of models, where a configuration names none."""
    labels: Mapping[str, str]
    seed: int = 1
    jobs: int | None = None
    resamples: int = 1000
    why: str | None = None
    """Why a guarded set is run."""
    charts: int | None = None
    """Only the first so many of each set."""
    shuffle_labels: bool = False
    """A control: nothing may do better than chance."""


def run_evaluate(
    options: Options,
    configs: Sequence[Path],
    settings: Mapping[str, Any],
    *,
    console: Console,
    progress: Console,
) -> int:
    """0 when every item was verified, 1 when one failed."""
    chosen = configurations(configs, settings)
    datasets = read(options, progress)
    runs, evaluation = run_configurations(options, chosen, datasets, progress)
    if options.shuffle_labels:
        runs = [replace(r, items=with_shuffled_labels(r.items, options.seed)) for r in runs]
    made = evaluation.report(runs, Resampling(options.seed, options.resamples))
    files = write(made, options.out)
    render.document(summary(made), console)
    for file in files:
        progress.print(f"Written: {file}")
    return 1 if any(item.error for run in runs for item in run.items) else 0


def read(options: Options, progress: Console) -> list[Dataset]:
    """The sets, past their guards; what a reader reports is shown."""
    reading = Reading(Labels(options.labels), options.seed)
    datasets = first_charts(read_datasets(options.paths, reading), options.charts)
    for log in enter(options.paths, options.why, commit(), datetime.now(UTC)):
        progress.print(f"This run is logged: {log}")
    for dataset in datasets:
        for notice in dataset.notices:
            progress.print(notice, style="yellow")
    return datasets


def first_charts(datasets: Sequence[Dataset], charts: int | None) -> list[Dataset]:
    """Of each set the first so many charts, and the items on them."""
    if charts is None:
        return list(datasets)
    chosen = []
    for each in datasets:
        kept = each.charts[:charts]
        ids = {chart.chart_id for chart in kept}
        items = tuple(item for item in each.items if item.chart_id in ids)
        chosen.append(replace(each, charts=kept, items=items))
    return chosen


def run_configurations(
    options: Options,
    chosen: Sequence[Configuration],
    datasets: Sequence[Dataset],
    progress: Console,
) -> tuple[list[RunResults], Evaluation]:
    jobs = jobs_of(options.jobs)
    evaluation = Evaluation(datasets, options.repository, options.out, jobs, options.seed)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, TimeElapsedColumn(), console=progress) as bars:
        tasks = {each.name: bars.add_task(each.name, total=None) for each in chosen}
        runs = evaluation.run(
            chosen, lambda name, done, of: bars.update(tasks[name], completed=done, total=of)
        )
    return runs, evaluation

"""`chartproof study`: many configurations over the same data, in one table."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from rich.console import Console

from agents.evaluation.dataset import Dataset
from agents.evaluation.report.blocks import as_markdown
from agents.evaluation.report.document import Resampling
from agents.evaluation.running.engine import judge_parts
from agents.evaluation.studies.grids import TOP_N, Grid, ablation, medsnip, verifact
from agents.evaluation.studies.study_report import blocks, study, write
from streams.cli import render
from streams.cli.evaluate import Options, read, run_configurations

Study = Literal["verifact", "medsnip", "ablation"]


def run_study(
    name: Study, options: Options, levels: Sequence[int], *, console: Console, progress: Console
) -> int:
    """`levels`: facts shown of `verifact`, rounds of `medsnip`; all of the paper's without."""
    datasets = read(options, progress)
    grid = _grid(name, levels, datasets, options.repository)
    progress.print(f"{len(grid.cells)} configurations")
    chosen = [cell.configuration for cell in grid.cells]
    runs, _ = run_configurations(options, chosen, datasets, progress)
    made = study(grid, runs, Resampling(options.seed, options.resamples))
    title = f"chartproof: study {name}"
    files = write(title, made, options.out)
    render.document(as_markdown(blocks(title, made)), console)
    for file in files:
        progress.print(f"Written: {file}")
    return 1 if any(item.error for run in runs for item in run.items) else 0


def _grid(name: Study, levels: Sequence[int], datasets: Sequence[Dataset], models: Path) -> Grid:
    if name == "verifact":
        encounters = all(item.encounter for each in datasets for item in each.items)
        return verifact(encounters=encounters, top_n=levels or TOP_N)
    if name == "medsnip":
        return medsnip(levels or range(1, 6))
    return ablation(judge_parts(models))

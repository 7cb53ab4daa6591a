"""`chartproof calibrate`: the judge's confidence, fitted to labelled claims and measured on others.

Development only: it needs the extra `calibrate`; the judge that runs needs what it writes. Run it
again, with `--write`, when the judge's rules or its version change.

The curves in the repository are of ACI-BENCH's claims, MEDEC and K-QA. Not every labelled set will
do: WiCE is of web pages, and its `not_supported` does not tell silence from contradiction; the
scores of MTS-Dialog are of whole texts; Synthea's notes are of templates, in which a statement is
found word by word or not at all.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path

from rich.console import Console
from rich.status import Status

from agents.adapters.models import in_process
from agents.evaluation.calibration_file import calibrate, to_json
from agents.evaluation.graded import Graded, GradingJudge, grade
from agents.evaluation.labelled import LabelledSet, read_labelled
from agents.evaluation.reliability_report import markdown
from streams.cli import render

CURVES = Path("judge", "1", "chartproof_judge", "calibration.json")
TABLES = Path("judge", "RELIABILITY.md")


async def run_calibrate(
    paths: Sequence[Path], *, model_repository: Path, seed: int, write: bool, console: Console
) -> int:
    """Print the reliability tables; with `write`, into the model repository, with the curves."""
    sets = [await asyncio.to_thread(read_labelled, path, seed) for path in paths]
    judge: GradingJudge = in_process.load_model(model_repository, "judge").model
    graded = await _graded(sets, judge, model_repository, console)
    calibration = calibrate(sets, graded, judge_version=judge.version, kinds=judge.kinds, seed=seed)
    tables = markdown(calibration)
    render.document(tables, console)
    if write:
        (model_repository / CURVES).write_bytes(to_json(calibration))
        (model_repository / TABLES).write_text(tables, encoding="utf-8")
        console.print(f"Written: {CURVES} and {TABLES} in {model_repository}")
    return 0


async def _graded(
    sets: Sequence[LabelledSet], judge: GradingJudge, model_repository: Path, console: Console
) -> list[Graded]:
    models = await in_process.load(model_repository)
    try:
        with console.status("reading the charts ...") as status:
            return [
                one
                for each in sets
                for one in await grade(models, judge, each, _progress(status, each))
            ]
    finally:
        await models.close()


def _progress(status: Status, labelled: LabelledSet) -> Callable[[int], None]:
    return lambda n: status.update(f"{labelled.name}: {n} of {len(labelled.claims)} claims judged")

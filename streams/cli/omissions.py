"""`chartproof study omissions`: summaries with facts left out, and which of them are listed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path

from rich.console import Console
from rich.status import Status

from agents.adapters.models import in_process
from agents.evaluation.claim_charts import read_claim_charts
from agents.evaluation.omission_cases import SummaryCase, summaries
from agents.evaluation.omission_claims import claim_summaries
from agents.evaluation.omission_run import list_omissions, omission_table
from agents.evaluation.omission_synthea import synthea_cases
from streams.cli import render
from streams.local.sample.salient import sample_case


async def run_omissions(  # noqa: PLR0913 - the command's options
    paths: Sequence[Path],
    *,
    model_repository: Path,
    k: int,
    encounters: int,
    seed: int,
    console: Console,
) -> int:
    """Print a table for each source."""
    sources = [await asyncio.to_thread(_cases, path, encounters, seed) for path in paths]
    models = await in_process.load(model_repository)
    try:
        for cases in sources or [[sample_case()]]:
            made = [summary for case in cases for summary in summaries(case, seed, k)]
            with console.status("reading the charts ...") as status:
                listed = await list_omissions(
                    models,
                    cases,
                    made,
                    _shown(status, len(made)),
                )
            render.document(omission_table(listed), console)
            whole = [each for each in listed if not each.summary.left_out]
            console.print(
                f"{cases[0].source if cases else 'nothing'}: {len(cases)} charts, {len(made)} "
                f"summaries, seed {seed}; of {len(whole)} summaries that leave nothing out "
                f"{sum(len(each.marks) for each in whole)} facts are listed"
            )
    finally:
        await models.close()
    return 0


def _cases(path: Path, encounters: int, seed: int) -> list[SummaryCase]:
    """A folder is a Synthea export, a file is labelled claims."""
    if path.is_dir():
        return synthea_cases(path, seed, encounters)
    return claim_summaries(read_claim_charts(path))


def _shown(status: Status, of: int) -> Callable[[int], None]:
    return lambda n: status.update(f"{n} of {of} summaries read")

"""`chartproof evaluate-claims`: claims with charts through the engine, here, without a broker."""

from __future__ import annotations

import asyncio
from pathlib import Path

from rich.console import Console

from agents.adapters.models import in_process
from agents.evaluation.claim_charts import claim_cases, read_claim_charts
from agents.evaluation.claim_run import claim_table, judge_claims
from schemas.texts import VerificationSettings
from schemas.verdicts import Verdict
from streams.cli import render


async def run_claims(  # noqa: PLR0913 - the command's options
    path: Path,
    *,
    model_repository: Path,
    settings: VerificationSettings,
    patients: int | None,
    seed: int,
    console: Console,
) -> int:
    """0 when every claim was judged, 1 when a judgement failed."""
    charts = await asyncio.to_thread(read_claim_charts, path)
    chosen = charts[:patients]
    ids = {chart.patient_id for chart in chosen}
    cases = [case for case in claim_cases(charts, seed) if case.patient_id in ids]
    models = await in_process.load(model_repository)
    try:
        with console.status("reading the charts ...") as status:
            judged = await judge_claims(
                models,
                chosen,
                cases,
                settings,
                lambda n: status.update(f"{n} of {len(cases)} claims judged"),
            )
    finally:
        await models.close()
    render.document(claim_table(judged), console)
    calls = sum(each.judge_calls for each in judged)
    console.print(f"{len(chosen)} charts, {len(judged)} claims, {calls} judge calls, seed {seed}")
    return 1 if any(each.verdict == Verdict.FAILED for each in judged) else 0

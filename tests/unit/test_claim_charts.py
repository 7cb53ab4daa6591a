"""Claims with charts: read by path, paired with the note that has their words, and judged."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import orjson
import pytest

from agents.adapters.models import in_process
from agents.evaluation.claim_charts import (
    AS_GIVEN,
    FOREIGN,
    ClaimCase,
    ClaimChart,
    claim_cases,
    read_claim_charts,
)
from agents.evaluation.claim_run import Judged, claim_table, judge_claims
from schemas.texts import VerificationSettings
from schemas.verdicts import Verdict

KNEE = ClaimChart(
    "inv-1",
    "Ms. Invented is 52 years old. She has left knee pain after a fall. She takes naproxen 500 mg.",
    "[0][doctor] how is your knee ?\n[1][patient] not yet .",
    ("The patient has left knee pain.", "The patient takes naproxen 500 mg."),
)
ASTHMA = ClaimChart(
    "inv-2",
    "Mr. Madeup has asthma. He uses albuterol twice weekly. He denies wheezing at night.",
    "[0][doctor] any wheezing ?\n[1][patient] not at night .",
    ("The patient has asthma.", "The patient denies wheezing at night."),
)


def written(tmp_path: Path, *charts: ClaimChart) -> Path:
    path = tmp_path / "claims.jsonl"
    rows = [
        {
            "patient": chart.patient_id,
            "note": chart.note,
            "dialogue": chart.dialogue.split("\n"),
            "claims": [{"section": "subjective", "claim": claim} for claim in chart.claims],
        }
        for chart in charts
    ]
    path.write_bytes(b"\n".join(orjson.dumps(row) for row in rows))
    return path


def test_charts_are_read_as_they_are_when_claims_and_notes_belong_together(tmp_path: Path) -> None:
    assert read_claim_charts(written(tmp_path, KNEE, ASTHMA)) == [KNEE, ASTHMA]


def test_claims_of_another_row_go_to_the_note_that_has_their_words(tmp_path: Path) -> None:
    swapped = (replace(KNEE, claims=ASTHMA.claims), replace(ASTHMA, claims=KNEE.claims))
    found = read_claim_charts(written(tmp_path, *swapped))
    assert sorted(found, key=lambda chart: chart.patient_id) == [KNEE, ASTHMA]


def test_claims_without_a_note_in_the_file_are_left_out(tmp_path: Path) -> None:
    stray = replace(KNEE, claims=("The patient underwent cataract surgery in spring.",))
    assert read_claim_charts(written(tmp_path, stray, ASTHMA)) == [ASTHMA]


def test_cases_are_the_claims_as_given_changed_and_foreign() -> None:
    four = tuple(f"{claim} {n}" for n in "ab" for claim in ASTHMA.claims)
    cases = claim_cases([KNEE, replace(ASTHMA, claims=four)], seed=1)
    labels = [case.label for case in cases if case.patient_id == "inv-2"]
    assert labels.count(AS_GIVEN) == 4
    assert labels.count(FOREIGN) == 1
    assert "negation" in labels
    assert cases == claim_cases([KNEE, replace(ASTHMA, claims=four)], seed=1)


@pytest.mark.timeout(120)
async def test_the_engine_judges_them_on_the_real_models() -> None:
    models = await in_process.load(Path(__file__).parents[2] / "triton_models" / "cpu")
    try:
        charts = [KNEE, ASTHMA]
        cases = claim_cases(charts, seed=1)
        done: list[int] = []
        settings = VerificationSettings(unit="sentence")
        judged = await judge_claims(models, charts, cases, settings, done.append)
    finally:
        await models.close()
    assert done == list(range(1, len(cases) + 1))
    given = [each.verdict for each in judged if each.case.label == AS_GIVEN]
    assert given == [Verdict.SUPPORTED] * 4
    table = claim_table(judged)
    assert "| as given | 4 | 0 | 0 | 0 | 0 | 4 | 100.0% |" in table
    assert "| family_member | 0 | 0 | 0 | 0 | 0 | 0 | n/a |" in table


def test_to_abstain_or_to_fail_is_never_right() -> None:
    judged = [Judged(ClaimCase("p", "side", "c"), verdict, 0.5, 1, 1) for verdict in Verdict]
    assert "| side | 1 | 1 | 1 | 1 | 1 | 5 | 40.0% |" in claim_table(judged)

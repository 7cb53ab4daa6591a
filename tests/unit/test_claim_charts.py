"""Claims with charts: read as they are, and wrong ones made of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import orjson

from agents.evaluation.claim_charts import (
    AS_GIVEN,
    FOREIGN,
    ClaimChart,
    claim_cases,
    read_claim_charts,
)

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


def test_claims_stay_with_their_row_whatever_their_words(tmp_path: Path) -> None:
    swapped = [replace(KNEE, claims=ASTHMA.claims), replace(ASTHMA, claims=KNEE.claims)]
    assert read_claim_charts(written(tmp_path, *swapped)) == swapped


def test_cases_are_the_claims_as_given_changed_and_foreign() -> None:
    four = tuple(f"{claim} {n}" for n in "ab" for claim in ASTHMA.claims)
    cases = claim_cases([KNEE, replace(ASTHMA, claims=four)], seed=1)
    labels = [case.label for case in cases if case.patient_id == "inv-2"]
    assert labels.count(AS_GIVEN) == 4
    assert labels.count(FOREIGN) == 1
    assert "negation" in labels
    assert cases == claim_cases([KNEE, replace(ASTHMA, claims=four)], seed=1)

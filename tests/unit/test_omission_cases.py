"""Summaries with known omissions: what is left out is the gold that a list is held against."""

from __future__ import annotations

import json
from base64 import b64encode
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from agents.evaluation.claim_charts import ClaimChart
from agents.evaluation.omission_cases import Stated, Summary, SummaryCase, summaries
from agents.evaluation.omission_claims import claim_summaries, kind_of
from agents.evaluation.omission_run import marked, omission_table
from agents.evaluation.omission_synthea import synthea_cases
from schemas.completeness import Omission, Omissions, Salience
from schemas.evidence import Evidence
from streams.local.sample import load_chart
from streams.local.sample.salient import sample_case

NOW = datetime(2031, 5, 4, tzinfo=UTC)
FACTS = (
    Stated(Salience.PROBLEM, "She has hypertension.", (("htn",),)),
    Stated(Salience.PROBLEM, "She has asthma.", (("asthma",),)),
    Stated(Salience.PROBLEM, "She has gout.", (("gout",),)),
    Stated(Salience.ALLERGY, "Latex gives her hives.", (("latex",),)),
    Stated(Salience.MEDICATION_CHANGE, "Albuterol was started for asthma.", (("albuterol",),)),
)
CASE = SummaryCase("test", "p1", None, NOW, (), FACTS, also=("She sleeps well, in spite of gout.",))


def test_one_summary_says_all_and_one_for_each_kind_lacks_k_of_it() -> None:
    whole, *lacking = summaries(CASE, seed=1, k=2)
    assert whole.left_out == frozenset()
    assert all(fact.statement in whole.text for fact in FACTS)
    assert "She sleeps well" in whole.text
    kinds = [{FACTS[n].kind for n in each.left_out} for each in lacking]
    assert kinds[:2] == [{Salience.ALLERGY}, {Salience.MEDICATION_CHANGE}]
    assert [FACTS[n].kind for n in lacking[2].left_out].count(Salience.PROBLEM) == 2
    for each in lacking:
        assert not any(FACTS[n].statement in each.text for n in each.left_out)


def test_the_seed_decides_what_is_left_out() -> None:
    def drawn(seed: int) -> list[frozenset[int]]:
        return [each.left_out for each in summaries(CASE, seed, k=1)]

    assert drawn(3) == drawn(3)
    assert len({tuple(drawn(seed)) for seed in range(20)}) > 1


def test_what_says_a_fact_that_is_left_out_is_left_out_with_it() -> None:
    asthma, gout = Summary(CASE, frozenset([1])), Summary(CASE, frozenset([2]))
    assert "She sleeps well" in asthma.text
    assert "gout" not in gout.text
    lacking = [s.left_out for seed in range(9) for s in summaries(CASE, seed, k=1)]
    assert all(4 in left_out for left_out in lacking if 1 in left_out)


@pytest.mark.parametrize(
    ("fact", "quote", "about"),
    [
        (FACTS[0], "HTN, on two drugs", True),
        (FACTS[0], "no xhtn here", False),
        (Stated(Salience.PROBLEM, "x", (("left", "leg"), ("lle",))), "L leg, left shin", True),
        (Stated(Salience.PROBLEM, "x", (("left", "leg"), ("lle",))), "left arm", False),
        (Stated(Salience.FOLLOW_UP, "A lipid panel will be ordered."), "Order lipid panel", True),
        (Stated(Salience.FOLLOW_UP, "A lipid panel will be ordered."), "Order an MRI", False),
    ],
)
def test_a_quote_is_told_by_its_words(fact: Stated, quote: str, about: bool) -> None:
    assert fact.is_about(quote) is about


def omission(quote: str, kind: Salience) -> Omission:
    evidence = Evidence(
        fact_id=quote, document_id="d", note_time=NOW, quote=quote, start=0, end=1, score=0.0
    )
    return Omission(salience=kind, coverage="left_out", evidence=evidence)


def test_recall_counts_what_was_left_out_and_precision_what_is_listed() -> None:
    listed = [
        omission("HTN", Salience.PROBLEM),
        omission("gout flare", Salience.PROBLEM),
        omission("Sunburn", Salience.PROBLEM),
    ]
    found = Omissions(checked=3, covered=0, recall=0.0, omissions=tuple(listed))
    result = marked(Summary(CASE, frozenset([0, 1])), found)
    assert result.marks == ("left_out", "said", "not_in_gold")
    assert result.hit == {0}
    table = {row.split(" | ")[0]: row for row in omission_table([result]).splitlines()}
    assert table["| problem"] == "| problem | 2 | 1 | 50.0% | 3 | 1 | 1 | 1 | 50.0% |"
    assert table["| allergy"] == "| allergy | 0 | 0 | n/a | 0 | 0 | 0 | 0 | n/a |"
    assert table["| all"].startswith("| all | 2 | 1 | 50.0%")


@pytest.mark.parametrize(
    ("claim", "kind"),
    [
        ("The patient is allergic to latex.", Salience.ALLERGY),
        ("The patient has asthma.", Salience.PROBLEM),
        ("The patient denies asthma.", None),
        ("The patient's mother had asthma.", None),
        ("The patient will be prescribed naproxen 250 mg twice daily.", Salience.MEDICATION_CHANGE),
        ("The patient's insulin prescription was refilled.", None),
        ("The patient underwent a hysterectomy.", Salience.PROCEDURE),
        ("The patient's potassium level is elevated at 5.9.", Salience.ABNORMAL_RESULT),
        ("A mammogram will be ordered.", Salience.FOLLOW_UP),
        ("The patient likes tea.", None),
    ],
)
def test_which_claims_are_salient(claim: str, kind: Salience | None) -> None:
    assert kind_of(claim) == kind


def test_the_other_claims_are_in_every_summary() -> None:
    chart = ClaimChart("p", "note", "talk", ("The patient has asthma.", "The patient likes tea."))
    (case,) = claim_summaries([chart])
    assert [fact.statement for fact in case.facts] == ["The patient has asthma."]
    assert all("likes tea" in each.text for each in summaries(case, 1, 1))


def resource(kind: str, name: str, **more: Any) -> dict[str, Any]:
    code = "medicationCodeableConcept" if kind == "MedicationRequest" else "code"
    return {
        "resourceType": kind,
        "subject": {"reference": "Patient/p"},
        "encounter": {"reference": "Encounter/e1"},
        code: {"text": name},
        "recordedDate": "2030-01-01T00:00:00Z",
        **more,
    }


def test_of_a_synthea_encounter_the_resources_say_what_is_salient(tmp_path: Path) -> None:
    text = """Gout, flu, old cold, old age, kidney disease stage 1, kidney disease stage 2.
    Aspirin 81. Colonoscopy. Depression screening."""
    note = {
        "id": "n1",
        "subject": {"reference": "Patient/p"},
        "date": "2031-01-01T00:00:00Z",
        "context": {"encounter": [{"reference": "Encounter/e1"}]},
        "content": [{"attachment": {"data": b64encode(text.encode()).decode()}}],
    }
    other = {"encounter": {"reference": "Encounter/e0"}}
    rows = {
        "DocumentReference": [note],
        "Condition": [
            resource("Condition", "Gout (disorder)"),
            resource("Condition", "Flu (disorder)", **other),
            resource("Condition", "Cold", abatementDateTime="2030-02-01T00:00:00Z", **other),
            resource("Condition", "Old age (finding)"),
            resource("Condition", "Rabies (disorder)"),  # in no note
            resource("Condition", "Kidney disease stage 1 (disorder)", **other),
            resource("Condition", "Kidney disease stage 2 (disorder)", **other),
        ],
        "MedicationRequest": [
            resource("MedicationRequest", "Aspirin 81"),
            resource("MedicationRequest", "Aspirin", **other),
        ],
        "Procedure": [
            resource("Procedure", "Colonoscopy"),
            resource("Procedure", "Depression screening (procedure)"),
        ],
    }
    for name, found in rows.items():
        lines = "\n".join(map(json.dumps, found))
        (tmp_path / f"{name}.000.ndjson").write_text(lines)
    (case,) = synthea_cases(tmp_path, seed=1, each=2)
    assert sorted(told for fact in case.facts for (told,) in fact.told) == [
        "Aspirin 81",
        "Colonoscopy",
        "Flu",
        "Gout",
        "Kidney disease stage 2",
    ]
    assert case.encounter_id == "e1"
    assert case.notes[0].note.text == text


def test_each_salient_fact_of_the_sample_stands_in_its_notes() -> None:
    case = sample_case()
    lines = [line for note in load_chart().notes for line in note.text.splitlines()]
    assert {fact.kind for fact in case.facts} == set(Salience)
    for fact in case.facts:
        assert any(fact.is_about(line) for line in lines), fact.statement

"""Labelled claims of either shape: of which chart they are, and which verdicts are right."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest

from agents.adapters.models import in_process
from agents.evaluation.graded import grade
from agents.evaluation.labelled import read_labelled
from schemas.verdicts import Verdict

REPOSITORY = Path(__file__).parents[2] / "triton_models" / "cpu"
KNEE = "Ms. Invented is 52 years old. She has left knee pain after a fall. No fever."
GOUT = "Mr. Madeup has gout. He takes allopurinol 100 mg daily."


def written(tmp_path: Path, *rows: dict[str, object]) -> Path:
    path = tmp_path / "invented.jsonl"
    path.write_bytes(b"\n".join(orjson.dumps(row) for row in rows) + b"\n")
    return path


def evidence(claim: str, text: object, label: str) -> dict[str, object]:
    return {"claim": claim, "evidence": text, "label": label}


def chart(patient: str, note: str, *claims: str) -> dict[str, object]:
    said = [{"section": "subjective", "claim": claim} for claim in claims]
    return {"patient": patient, "note": note, "dialogue": ["[doctor] hello ."], "claims": said}


def test_what_has_the_same_evidence_is_of_the_same_chart(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        evidence("The patient has gout.", GOUT, "supported"),
        evidence("The patient has asthma.", GOUT, "not_addressed"),
        evidence("The patient has fever.", ["No fever.", "Cough."], "not_supported"),
    )
    found = read_labelled(path, seed=1)
    gout, asthma, fever = found.claims
    assert found.name == gout.dataset == "invented"
    assert gout.chart_id == asthma.chart_id != fever.chart_id
    assert found.evidence == {gout.chart_id: GOUT, fever.chart_id: "No fever.\nCough."}
    assert [each.truth for each in found.claims] == [
        Verdict.SUPPORTED, Verdict.NOT_ADDRESSED, Verdict.NOT_SUPPORTED,
    ]  # fmt: skip
    assert all(each.right == {each.truth} for each in found.claims)


def test_of_charts_claims_are_right_changed_and_foreign(tmp_path: Path) -> None:
    knee = "The patient has left knee pain."
    path = written(
        tmp_path,
        chart("inv-1", KNEE, knee, "The patient has no fever.", "She is 52 years old.", knee + "."),
        chart("inv-2", GOUT, "The patient has gout.", "The patient takes allopurinol 100 mg."),
    )
    claims = read_labelled(path, seed=1).claims
    right = {each.claim: each.right for each in claims if each.chart_id == "inv-1"}
    assert right[knee] == {Verdict.SUPPORTED}
    assert right["The patient has right knee pain."] == {Verdict.NOT_SUPPORTED}
    foreign = [each for each in claims if each.truth == Verdict.NOT_ADDRESSED]
    assert [each.chart_id for each in foreign] == ["inv-1"]
    assert foreign[0].right == {Verdict.NOT_ADDRESSED, Verdict.NOT_SUPPORTED}
    assert claims == read_labelled(path, seed=1).claims


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ({"claim": "c", "text": "t"}, "neither"),
        (evidence("c", "t", "abstained"), "not one of supported, not_supported, not_addressed"),
    ],
)
def test_what_cannot_be_read_is_said(tmp_path: Path, row: dict[str, object], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        read_labelled(written(tmp_path, row), seed=1)


@pytest.mark.timeout(120)
async def test_the_judge_gives_its_verdicts_with_their_evidence(tmp_path: Path) -> None:
    """Of both shapes, on the real models: shown the whole evidence, and what a search finds."""
    whole = written(
        tmp_path,
        evidence("The patient has gout.", GOUT, "supported"),
        evidence("He takes allopurinol 300 mg daily.", GOUT, "not_supported"),
        evidence("The patient underwent cataract surgery.", GOUT, "not_addressed"),
    )
    by_evidence = read_labelled(whole, seed=1)
    searched = read_labelled(written(tmp_path, chart("inv-2", GOUT, "He has gout.")), seed=1)
    judge = in_process.load_model(REPOSITORY, "judge").model
    models = await in_process.load(REPOSITORY)
    done: list[int] = []
    try:
        graded = await grade(models, judge, by_evidence, done.append)
        of_chart = await grade(models, judge, searched)
    finally:
        await models.close()
    assert [each.verdict for each in graded] == [each.claim.truth for each in graded]
    assert [each.kind for each in graded] == ["supported", "contradiction", "silent"]
    assert all(each.kind in judge.kinds and 0 < each.evidence <= 1 for each in graded)
    assert all(each.right for each in graded)
    assert sorted(done) == [1, 2, 3]
    assert of_chart[0].verdict == Verdict.SUPPORTED

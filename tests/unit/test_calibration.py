"""Confidence is fitted on some charts, measured on others, and what is written belongs together."""

from __future__ import annotations

import json
import random
from itertools import pairwise
from pathlib import Path

import pytest
from chartproof_judge.confidence import KINDS, BadCalibration, along, confidence, read_curves

from agents.evaluation.calibration import (
    LEAST,
    POPULATION,
    Weighed,
    fit,
    probability,
    split,
    weighed,
)
from agents.evaluation.calibration_file import calibrate, to_json
from agents.evaluation.graded import Graded
from agents.evaluation.labelled import TRUTHS, LabelledClaim, LabelledSet
from agents.evaluation.reliability import reliability, uncalibrated
from agents.evaluation.reliability_report import markdown
from schemas.verdicts import Verdict
from tests.unit.judge_asking import JUDGE, ask

JUDGE_FOLDER = Path(__file__).parents[2] / "triton_models" / "cpu" / "judge"
CALIBRATION = JUDGE_FOLDER / "1" / "chartproof_judge" / "calibration.json"
KIND_OF = {
    Verdict.SUPPORTED: "supported",
    Verdict.NOT_SUPPORTED: "contradiction",
    Verdict.NOT_ADDRESSED: "silent",
}


def graded(truth: Verdict, verdict: Verdict, evidence: float, chart: int = 0) -> Graded:
    claim = LabelledClaim("invented", f"chart-{chart}", "c", truth, frozenset([truth]))
    return Graded(claim, verdict, KIND_OF[verdict], evidence)


def judged(n: int = 1200, charts: int = 30) -> list[Graded]:
    """A judge that is right the more often the more evidence it has, on claims of every truth."""
    drawn = random.Random(5)
    found = []
    for at in range(n):
        evidence = drawn.random()
        truth = TRUTHS[at % 3]
        right = drawn.random() < evidence
        verdict = truth if right else drawn.choice([each for each in TRUTHS if each != truth])
        found.append(graded(truth, verdict, evidence, chart=drawn.randrange(charts)))
    return found


def equal(cases: list[tuple[float, bool]]) -> list[Weighed]:
    """Verdicts of one kind and weight: the evidence for each, and whether it is right."""
    return [
        Weighed(
            graded(
                Verdict.SUPPORTED if right else Verdict.NOT_SUPPORTED, Verdict.SUPPORTED, evidence
            ),
            1.0,
        )
        for evidence, right in cases
    ]


def test_no_chart_is_on_both_sides_and_a_third_is_held_out() -> None:
    fitting, held = split(judged(), seed=1)
    of_fitting, of_held = ({each.claim.chart_id for each in part} for part in (fitting, held))
    assert not of_fitting & of_held
    assert (len(of_fitting), len(of_held)) == (20, 10)
    assert len(fitting) + len(held) == 1200


def test_a_seed_repeats_a_split_whatever_the_order_and_another_makes_another() -> None:
    given = judged()
    held = {each.claim.chart_id for each in split(given, seed=1)[1]}
    assert held == {each.claim.chart_id for each in split(given[::-1], seed=1)[1]}
    assert held != {each.claim.chart_id for each in split(given, seed=2)[1]}


def test_one_chart_is_too_few() -> None:
    with pytest.raises(ValueError, match="invented: too few charts"):
        split(judged(charts=1), seed=1)


def test_weights_bring_the_truths_to_the_population() -> None:
    uneven = [graded(Verdict.SUPPORTED, Verdict.SUPPORTED, 1.0)] * 70
    uneven += [graded(Verdict.NOT_SUPPORTED, Verdict.SUPPORTED, 1.0)] * 20
    uneven += [graded(Verdict.NOT_ADDRESSED, Verdict.SUPPORTED, 1.0)] * 10
    cases = weighed(uneven)
    for truth, share in POPULATION.items():
        weight = sum(each.weight for each in cases if each.graded.claim.truth == truth)
        assert weight == pytest.approx(100 * share)
    # 70 of 100 are right here, 50 of 100 in the population.
    assert fit(cases, ["supported"])["supported"][0][1] == pytest.approx(0.5, abs=0.01)


def test_a_truth_without_claims_has_no_weight_to_give() -> None:
    with pytest.raises(ValueError, match="too few claims that are not_addressed"):
        weighed([each for each in judged() if each.claim.truth != Verdict.NOT_ADDRESSED])


def test_a_curve_rises_with_the_share_that_was_right() -> None:
    curves = fit(weighed(judged()), ["supported", "contradiction", "silent"])
    for curve in curves.values():
        assert len(curve) > 2
        assert all(x0 < x1 and y0 < y1 for (x0, y0), (x1, y1) in pairwise(curve))
        assert probability(curve, 0.1) < 0.3
        assert probability(curve, 0.9) > 0.75


def test_where_more_evidence_was_less_often_right_it_is_pooled() -> None:
    falling = [(0.2, n < 60) for n in range(100)] + [(0.8, n < 40) for n in range(100)]
    assert fit(equal(falling), ["supported"])["supported"] == ((0.5, 0.5),)


@pytest.mark.parametrize(("right", "at_most"), [(True, 0.99), (False, 0.06)])
def test_what_never_failed_is_not_certain(right: bool, at_most: float) -> None:
    few = fit(equal([(0.9, right)] * LEAST), ["supported"])["supported"]
    many = fit(equal([(0.9, right)] * 5_000), ["supported"])["supported"]
    assert 0.0 < few[0][1] <= at_most
    assert 0.0 < many[0][1] <= 0.99
    assert abs(many[0][1] - right) <= abs(few[0][1] - right)


def test_every_point_stands_on_enough_verdicts_and_the_end_is_pooled() -> None:
    cases = [(at / 1000, at > 500) for at in range(1, 1000, 3)] + [(1.0, True)] * 5
    points = fit(equal(cases), ["supported"])["supported"]
    assert 2 <= len(points) <= len(cases) // LEAST
    assert points[-1][0] < 0.99


def test_a_kind_that_was_never_seen_is_even_odds_and_a_rare_one_is_one_point() -> None:
    curves = fit(equal([(0.3, True), (0.9, True)]), ["supported", "weaker"])
    assert curves["weaker"] == ((0.5, 0.5),)
    assert curves["supported"] == ((0.6, 0.75),)


def test_reliability_is_what_it_says_beside_what_was_right() -> None:
    """Too sure in one band and not sure enough in the other: neither makes the other good."""
    cases = equal([(0.95, True), (0.95, True), (0.95, True), (0.95, False), (0.65, True)])
    found = reliability(cases, uncalibrated)
    assert found["bands"] == [
        {"of": "supported", "n": 1, "confidence": 0.65, "right": 1.0, "low": 0.6, "high": 0.7},
        {"of": "supported", "n": 4, "confidence": 0.95, "right": 0.75, "low": 0.9, "high": 1.0},
    ]
    (supported, everything) = found["summary"]
    assert supported["ece"] == everything["ece"] == pytest.approx((0.35 + 4 * 0.2) / 5, abs=0.001)
    brier = (3 * 0.05**2 + 0.95**2 + 0.35**2) / 5
    assert supported["brier"] == pytest.approx(brier, abs=0.001)
    assert found["sets"] == [
        {"of": "invented, supported", "n": 5, "confidence": 0.89, "right": 0.8}
    ]


def test_certainty_has_its_place_in_the_last_band() -> None:
    found = reliability(equal([(1.0, True)]), uncalibrated)
    assert [(band["low"], band["n"]) for band in found["bands"]] == [(0.9, 1)]


def test_fitting_makes_confidence_truer_on_charts_held_out(tmp_path: Path) -> None:
    """Here half of what the evidence says is right; and the judge reads what is written."""
    given = [
        Graded(each.claim, each.verdict, each.kind, 0.5 + each.evidence / 2) for each in judged()
    ]
    some = LabelledSet("invented", "0" * 64, tuple(each.claim for each in given))
    found = calibrate([some], given, judge_version="judge-1", kinds=KINDS, seed=3)
    held = split(given, seed=3)[1]
    assert found["sets"][0]["claims"] == (1200 - len(held), len(held))
    before, after = (found["held_out"][each]["summary"] for each in ("uncalibrated", "calibrated"))
    assert before[-1]["n"] == after[-1]["n"] == len(held)
    assert all(one["ece"] > two["ece"] for one, two in zip(before, after, strict=True))
    assert all(one["brier"] > two["brier"] for one, two in zip(before, after, strict=True))
    assert all(row["ece_before"][0] > row["ece_after"][0] for row in found["other_splits"])

    path = tmp_path / "calibration.json"
    path.write_bytes(to_json(found))
    curves = read_curves(path)
    for kind in KINDS:
        for step in range(-5, 55):
            read = along(curves[kind], step / 50)
            assert read == pytest.approx(probability(found["curves"][kind], step / 50), abs=1e-4)
    assert markdown(json.loads(path.read_bytes())) == markdown(found)


def test_the_tables_in_the_repository_are_those_of_the_curves_that_the_judge_reads() -> None:
    calibration = json.loads(CALIBRATION.read_bytes())
    assert (JUDGE_FOLDER / "RELIABILITY.md").read_text("utf-8") == markdown(calibration)
    assert to_json(calibration) == CALIBRATION.read_bytes()
    assert calibration["judge"] == JUDGE.version, "run `chartproof calibrate ... --write` again"
    for kind, curve in calibration["curves"].items():
        assert confidence(kind, 0.7).probability == pytest.approx(probability(curve, 0.7), abs=1e-4)


def test_the_judge_says_what_its_confidence_was_read_off_to_those_who_call_it_here() -> None:
    given = {"facts": [{"id": "f", "text": "Lisinopril 20 mg daily"}]}
    found = JUDGE.verdict("Lisinopril 40 mg daily.", given).confidence
    assert found.kind == "contradiction"
    assert found == confidence("contradiction", found.evidence)
    wired = ask("Lisinopril 40 mg daily.", "Lisinopril 20 mg daily")
    assert wired["confidence"] == round(found.probability, 4)


def curves(**changed: object) -> str:
    rising = [[0.2, 0.4], [0.8, 0.9]]
    return json.dumps({"curves": dict.fromkeys(KINDS, rising) | changed})


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("", "Expecting value"),
        ("[]", "list indices"),
        ("{}", "there is no 'curves'"),
        ('{"curves": {"supported": [[0.5, 0.5]]}}', "there is no 'contradiction'"),
        (curves(silent=[]), "silent needs points"),
        (curves(silent=[[0.2, 0.0], [0.8, 0.9]]), "between 0 and 1"),
        (curves(silent=[[0.2, 0.3], [0.8, 1.0]]), "between 0 and 1"),
        (curves(silent=[[0.2, 0.3], [0.8, 0.2]]), "along silent .* never fall"),
        (curves(silent=[[0.8, 0.3], [0.2, 0.9]]), "along silent the evidence must rise"),
        (curves(silent=[[0.2, "high"]]), "silent is not a list of points"),
        (curves(silent=[0.2]), "silent is not a list of points"),
        (curves(silent=7), "silent is not a list of points"),
    ],
)
def test_curves_that_cannot_be_used_are_an_error_that_says_why(
    tmp_path: Path, content: str, says: str
) -> None:
    path = tmp_path / "calibration.json"
    path.write_text(content)
    with pytest.raises(BadCalibration, match=says) as error:
        read_curves(path)
    assert str(path) in str(error.value)


def test_without_the_file_the_judge_does_not_load(tmp_path: Path) -> None:
    with pytest.raises(BadCalibration, match="No such file"):
        read_curves(tmp_path / "calibration.json")

"""Curves of confidence from a run's items."""

import random

import pytest

from agents.evaluation.calibration import LEAST, calibration_of, fit_curves
from schemas.verdicts import Verdict


def test_a_judge_that_is_too_sure_gets_the_share_that_was_right():
    rng = random.Random(1)
    rows = [(Verdict.SUPPORTED, c, rng.random() < c / 2) for c in [0.4, 0.9] * 2000]
    curve = dict(fit_curves(rows)["supported"])
    assert curve[0.4] == pytest.approx(0.2, abs=0.03)
    assert curve[0.9] == pytest.approx(0.45, abs=0.03)


def test_a_curve_never_falls_and_few_verdicts_make_none():
    rows = [(Verdict.NOT_SUPPORTED, n / 100, n % 3 == 0) for n in range(100)]
    points = fit_curves(rows)["not_supported"]
    assert [p for _, p in points] == sorted(p for _, p in points)
    assert fit_curves(rows[: LEAST - 1]) == {}


def test_a_folder_without_a_run_is_refused(tmp_path):
    with pytest.raises(ValueError, match="0 judges"):
        calibration_of(tmp_path / "none")

"""`chartproof calibrate` on invented claims: what it prints, what it writes, what it needs."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import orjson
import pytest
from chartproof_judge.confidence import read_curves
from typer.testing import CliRunner

from agents.evaluation.reliability_report import markdown
from streams.cli.main import app

run = CliRunner()
REPOSITORY = Path(__file__).parents[2] / "triton_models" / "cpu"
CURVES = Path("judge", "1", "chartproof_judge", "calibration.json")
DRUGS = ("metformin", "lisinopril", "atorvastatin", "apixaban", "allopurinol", "omeprazole")


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A model repository that may be written to."""
    copy = tmp_path / "cpu"
    shutil.copytree(REPOSITORY, copy, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setenv("CHARTPROOF_MODEL_REPOSITORY", str(copy))
    return copy


@pytest.fixture
def claims(tmp_path: Path) -> Path:
    """Six charts, each with a claim of every truth."""
    rows = [
        {"claim": claim, "evidence": f"He takes {drug} {10 + n} mg daily.", "label": label}
        for n, drug in enumerate(DRUGS)
        for claim, label in (
            (f"He takes {drug} {10 + n} mg daily.", "supported"),
            (f"He takes {drug} {50 + n} mg daily.", "not_supported"),
            ("He underwent cataract surgery.", "not_addressed"),
        )
    ]
    path = tmp_path / "invented.jsonl"
    path.write_bytes(b"\n".join(orjson.dumps(row) for row in rows))
    return path


@pytest.mark.timeout(120)
def test_it_writes_curves_that_the_judge_reads_and_their_tables(
    repository: Path, claims: Path
) -> None:
    result = run.invoke(app, ["calibrate", str(claims), "--seed", "7", "--write"])
    assert result.exit_code == 0, result.output
    assert "Before and after" in result.stdout
    written = json.loads((repository / CURVES).read_bytes())
    assert (repository / "judge" / "RELIABILITY.md").read_text("utf-8") == markdown(written)
    assert written["command"] == "chartproof calibrate invented --seed 7"
    assert written["sets"][0]["charts"] == [4, 2]
    assert written["sets"][0]["claims"] == [12, 6]
    assert written["fitted"]["supported"] == written["fitted"]["contradiction"] == 4
    curves = read_curves(repository / CURVES)
    assert curves["supported"][0][1] == pytest.approx(5 / 6, abs=0.001)
    assert curves["weaker"] == ((0.5, 0.5),)


@pytest.mark.timeout(120)
def test_without_write_it_only_prints(repository: Path, claims: Path) -> None:
    before = (repository / CURVES).read_bytes()
    (repository / "judge" / "RELIABILITY.md").unlink()
    result = run.invoke(app, ["calibrate", str(claims)])
    assert result.exit_code == 0, result.output
    assert "Before and after" in result.stdout
    assert (repository / CURVES).read_bytes() == before
    assert not (repository / "judge" / "RELIABILITY.md").exists()


def test_without_scipy_it_says_what_to_install(
    claims: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("streams.cli.calibrate", "agents.evaluation.calibration_file",
                 "agents.evaluation.calibration", "agents.evaluation.reliability",
                 "agents.evaluation.splits", "agents.evaluation.reliability_report"):  # fmt: skip
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setitem(sys.modules, "scipy.optimize", None)
    result = run.invoke(app, ["calibrate", str(claims)])
    assert result.exit_code == 2
    assert "pip install scipy" in result.stderr
    assert "Traceback" not in result.output


def test_a_file_of_another_shape_is_an_error_that_says_so(tmp_path: Path) -> None:
    path = tmp_path / "other.jsonl"
    path.write_text('{"source": "s", "generated": "g"}\n')
    result = run.invoke(app, ["calibrate", str(path)])
    assert result.exit_code == 2
    assert "neither claim, evidence and label nor note and claims" in " ".join(
        result.stderr.split()
    )

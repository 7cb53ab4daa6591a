"""What the judge may not fall behind on the development part, and the guard of the test part."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from agents.evaluation.evaluate import Evaluation
from agents.evaluation.formats.read import read_datasets
from agents.evaluation.gate import (
    Gate,
    Limits,
    broken_limits,
    broken_rules,
    read_gate,
)
from agents.evaluation.guarded import Guarded, enter
from agents.evaluation.report.document import Resampling
from agents.evaluation.running.engine import Configuration
from agents.evaluation.running.runner import jobs_of
from streams.settings import Settings

HERE = Path(__file__).parent
CHANGELOG = HERE.parents[1] / "CHANGELOG.md"
LINE = re.compile(r"\d{4}-\d\d-\d\dT\S+\t[0-9a-f]{7,}\S*\t\S.*")


@pytest.mark.timeout(1200)
def test_the_judge_keeps_the_limits_on_the_development_part(tmp_path: Path) -> None:
    datasets = read_datasets([HERE / "development"])
    evaluation = Evaluation(datasets, Settings().model_repository, tmp_path, jobs_of())
    report = evaluation.report(evaluation.run([Configuration()]), Resampling(resamples=0))
    run = report["runs"][0]
    assert run["failed_items"] == 0
    assert run["promises"] == {"citations_of_other_charts": 0, "citations_after_as_of": 0}
    assert broken_limits(read_gate(HERE / "gate.toml"), run["sets"]["development"]["units"]) == []


def test_the_limits_have_moved_in_the_better_direction_only() -> None:
    assert broken_rules(read_gate(HERE / "gate.toml"), CHANGELOG.read_text("utf-8")) == []


def _gate(*entries: dict) -> Gate:
    limits = Limits(false_support=0.1, false_alarm=0.8, auroc=0.5)
    whole = {"date": "2031-01-01", "reason": "the reason is here", "sentences": limits}
    return Gate.model_validate(
        {
            "history": [
                {**whole, "claims": limits},
                *(
                    {**whole, "claims": {**limits.model_dump(), **entry.pop("claims", {})}, **entry}
                    for entry in entries
                ),
            ]
        }
    )


@pytest.mark.parametrize(
    ("entry", "rule"),
    [
        ({"claims": {"false_alarm": 0.7}}, None),
        ({"claims": {"auroc": 0.4}}, "AUROC"),
        ({"claims": {"false_support": 0.2}}, "false_support"),
        ({"claims": {"false_support": 0.2, "false_alarm": 0.3}}, "false_support"),
        ({"claims": {"false_support": 0.2, "false_alarm": 0.3}, "trade": True}, None),
        ({"claims": {"false_support": 0.2, "false_alarm": 0.75}, "trade": True}, "false_support"),
        ({"date": "2030-01-01"}, "before"),
        ({"reason": "of this nobody says a word"}, "CHANGELOG"),
    ],
)
def test_a_limit_that_moves_must_keep_the_rule(entry: dict, rule: str | None) -> None:
    faults = broken_rules(_gate(entry), "- A change, and the reason\n  is here.")
    assert (faults == []) if rule is None else any(rule in fault for fault in faults)


def test_a_worse_figure_breaks_its_limit() -> None:
    def unit(false_alarm: float | None) -> dict:
        values = {"false_support": 0.1, "false_alarm": false_alarm, "auroc": 0.5}
        headline = {name: {"value": value} for name, value in values.items()}
        return {"systems": {"chartproof": {"headline": headline}}}

    def faults(value: float | None) -> list[str]:
        units = {"single claims": unit(value), "sentences of generated texts": unit(0.8)}
        return broken_limits(_gate(), units)

    assert faults(0.8) == []
    assert faults(0.81) == ["claims: false_alarm is 0.810, over 0.800"]
    assert faults(None) == ["claims: false_alarm is undefined"]


def test_development_and_test_part_are_of_different_patients() -> None:
    parts = {
        name: {p.stem for p in (HERE / name).glob("*.json")} for name in ("development", "test")
    }
    assert not parts["development"] & parts["test"]
    assert parts["test"] == {"p03", "p06", "p08", "p12", "p14", "p17", "p20", "p23"}


def test_the_test_part_is_run_only_for_a_reason_and_each_run_is_logged(tmp_path: Path) -> None:
    folder = tmp_path / "test"
    folder.mkdir()
    (folder / "GUARD.toml").write_text('log = "../runs.log"\n')
    (folder / "p.json").write_text("{}")
    now = datetime(2031, 1, 2, 3, 4, 5, tzinfo=UTC)
    for path in (folder, folder / "p.json", tmp_path):
        with pytest.raises(Guarded, match="--why"):
            enter([path], " ", "abc1234", now)
    assert not (tmp_path / "runs.log").exists()
    enter([folder / "p.json"], "the README's\ntable", "abc1234", now)
    line = (tmp_path / "runs.log").read_text().rstrip("\n")
    assert line == "2031-01-02T03:04:05+00:00\tabc1234\tthe README's table"
    assert LINE.fullmatch(line)


def test_the_log_of_the_test_part_is_whole() -> None:
    with pytest.raises(Guarded):
        enter([HERE / "test" / "p03.json"], None, "abc1234", datetime.now(UTC))
    log = (HERE / "test_part_runs.log").read_text("utf-8").splitlines()
    assert [line for line in log if not LINE.fullmatch(line)] == []

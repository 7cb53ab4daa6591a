"""`chartproof evaluate` and `chartproof study` on the real models, from files to a report."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest
from click.testing import Result
from typer.testing import CliRunner

from agents.evaluation.formats.read import read_datasets
from agents.evaluation.running.engine import Configuration, Engine
from streams.cli.main import app
from streams.local.triton import start_triton
from streams.settings import Settings
from tests.unit.evaluation.cases import case
from tests.unit.evaluation.engines import ran


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    data = tmp_path / "cases"
    data.mkdir()
    for name in ("inv-1", "inv-2", "inv-3"):
        (data / f"{name}.json").write_bytes(orjson.dumps(case(name)))
    return data


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, list(map(str, arguments)))


def report(out: Path) -> dict[str, Any]:
    return orjson.loads((out / "report.json").read_bytes())


def without_seconds(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: without_seconds(v) for k, v in value.items() if k != "seconds"}
    return [without_seconds(each) for each in value] if isinstance(value, list) else value


def test_two_configurations_are_run_in_processes_compared_and_gone_on_with(
    folder: Path, tmp_path: Path
) -> None:
    plain, sparse = tmp_path / "plain.toml", tmp_path / "sparse.toml"
    plain.write_text("")
    sparse.write_text('name = "sparse only"\n[settings]\nretrieval = "sparse"\nmax_rounds = 1\n')
    command = ["evaluate", folder, "--config", plain, "--config", sparse, "--jobs", 2]
    command += ["--resamples", 50]
    first = run(*command, "--out", tmp_path / "one")
    assert first.exit_code == 0, first.output
    assert "embedder cosine" in first.output
    made = report(tmp_path / "one")
    assert [each["name"] for each in made["runs"]] == ["plain", "sparse only"]
    units = made["runs"][0]["sets"]["cases"]["units"]
    assert units["single claims"]["systems"]["chartproof"]["n"] == 6
    assert made["comparisons"][0]["sets"]["cases"]["single claims"]["n"] == 6
    stages = made["runs"][0]["cost"]["stages"]
    assert stages["verifying: judge"]["calls"] > 0
    assert stages["verifying: decomposer"]["tokens_out"] > 0
    assert (tmp_path / "one" / "report.html").read_text().startswith("<!doctype html>")

    results = tmp_path / "one" / "plain" / "items.jsonl"
    lines = results.read_bytes().splitlines(keepends=True)
    results.write_bytes(b"".join(lines[:4]))
    again = run(*command, "--out", tmp_path / "one")
    assert again.exit_code == 0, again.output
    assert without_seconds(report(tmp_path / "one")["runs"][0]["sets"]) == without_seconds(
        made["runs"][0]["sets"]
    )

    other = run(*command, "--out", tmp_path / "two")
    assert other.exit_code == 0, other.output
    assert without_seconds(report(tmp_path / "two")) == without_seconds(made)


def test_wrong_data_and_guarded_data_end_in_one_line_that_says_what_to_do(
    folder: Path, tmp_path: Path
) -> None:
    wrong = tmp_path / "claims.jsonl"
    wrong.write_text('{"claim": "He is well.", "evidence": "Well.", "label": "yes"}\n')
    result = run("evaluate", wrong, "--out", tmp_path / "out")
    assert result.exit_code == 2
    assert "claims.jsonl:1: label: is none of" in result.stderr.replace("\n", " ")
    (folder / "GUARD.toml").write_text('log = "../runs.log"\n')
    result = run("evaluate", folder, "--out", tmp_path / "out")
    assert result.exit_code == 2
    assert "--why" in result.stderr
    assert not (tmp_path / "out").exists()


def test_a_study_is_a_row_for_each_configuration(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "study"
    result = run("study", "medsnip", folder, "--rounds", 1, "--charts", 1, "--out", out)
    assert result.exit_code == 0, result.output
    rows = orjson.loads((out / "study.json").read_bytes())["units"]["single claims"]
    assert [row["levels"][:2] for row in rows][::2] == [
        ["sentence", "claim_only"],
        ["claim", "claim_only"],
        ["snippet", "claim_only"],
        ["grouped snippet", "claim_only"],
    ]
    assert all(row["n"] == 2 for row in rows)


async def test_models_on_a_triton_give_the_verdicts_of_those_in_process(
    folder: Path, tmp_path: Path
) -> None:
    [dataset] = read_datasets([folder])
    repository = Settings().model_repository
    outcomes = []
    with start_triton(repository, tmp_path / "triton") as server:
        for url in (server.grpc_url, None):
            engine = await Engine.load(Configuration(triton_url=url), repository)
            items, _ = await ran(engine, dataset)
            await engine.close()
            outcomes.append([p.verdict for item in items for p in item.propositions])
            assert all(item.costs["verifying: judge"].seconds > 0 for item in items)
    assert outcomes[0] == outcomes[1]
    assert outcomes[0]

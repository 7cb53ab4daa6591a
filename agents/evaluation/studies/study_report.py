"""A study's table: a row a configuration, with its figures, what it cost, and how it differs from
the first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson

from agents.evaluation.measures.bootstrap import paired
from agents.evaluation.report.blocks import (
    Block,
    Heading,
    Plots,
    Table,
    Text,
    as_html,
    as_markdown,
    figure,
)
from agents.evaluation.report.document import UNITS, Resampling, RunResults
from agents.evaluation.report.plots import Line, lines
from agents.evaluation.scoring.breakdowns import evidence_recall
from agents.evaluation.scoring.cost_table import cost
from agents.evaluation.scoring.curves import curves
from agents.evaluation.scoring.figures import HEADLINES, Judged, figures
from agents.evaluation.scoring.statements import statements
from agents.evaluation.scoring.systems import ours
from agents.evaluation.studies.grids import Grid

COLUMNS = ("false_support", "false_alarm", "accuracy", "balanced_accuracy", "auroc")


def study(grid: Grid, runs: Sequence[RunResults], how: Resampling) -> dict[str, Any]:
    """`runs` are of the grid's cells, in their order."""
    return {
        "factors": list(grid.factors),
        "versions": runs[0].manifest.versions,
        "models": runs[0].manifest.models,
        "datasets": [each.model_dump(mode="json") for each in runs[0].manifest.datasets],
        "bootstrap": {"seed": how.seed, "resamples": how.resamples},
        "units": {
            unit: rows for role, unit in UNITS.items() if (rows := _rows(grid, runs, role, how))
        },
    }


def _rows(
    grid: Grid, runs: Sequence[RunResults], role: str, how: Resampling
) -> list[dict[str, Any]]:
    labelled = [statements([r for r in run.items if r.role == role]) for run in runs]
    if not labelled[0]:
        return []
    judged = [Judged.of(some, [ours(each) for each in some]) for some in labelled]
    rows = []
    for cell, run, some, each in zip(grid.cells, runs, labelled, judged, strict=True):
        spent = cost(run.items, run.charts)
        row_figures = figures(each, seed=how.seed, resamples=0)
        rows.append(
            {
                "levels": list(cell.levels),
                "n": row_figures["n"],
                "headline": {name: row_figures["headline"][name]["value"] for name in HEADLINES},
                "evidence_recall": evidence_recall(some)["shown"],
                "judge_calls": spent["judge_calls"],
                "propositions": spent["propositions"],
                "seconds": spent["stages"].get("verifying", {}).get("seconds", 0.0),
                "f1": curves(each)["f1"],
                "p_value": {name: _p_value(judged[0], each, name, how) for name in COLUMNS},
            }
        )
    return rows


def _p_value(first: Judged, other: Judged, name: str, how: Resampling) -> float | None:
    """Of no difference from the first row."""
    value = HEADLINES[name]
    if first is other or not how.resamples or len(first.gold) != len(other.gold):
        return None
    comparison = paired(
        first.groups,
        lambda rows: value(first.at(rows)),
        lambda rows: value(other.at(rows)),
        resamples=how.resamples,
        seed=how.seed,
    )
    return comparison.p_value if comparison else None


def blocks(title: str, made: Mapping[str, Any]) -> list[Block]:
    parts: list[Block] = [
        Heading(1, title),
        Text("p: of no difference from the first row, by bootstrap over patients."),
    ]
    for unit, rows in made["units"].items():
        parts += [Heading(2, unit), _table(made["factors"], rows), Plots(_plots(rows))]
    versions = {**made["versions"], **made["models"]}
    parts.append(Table(["", "version"], [[name, str(value)] for name, value in versions.items()]))
    return parts


def _table(factors: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> Table:
    titles = [name.replace("_", " ") for name in COLUMNS]
    head = [*factors, *(t for title in titles for t in (title, "p"))]
    head += ["evidence shown", "propositions", "judge calls", "seconds"]
    return Table(
        head,
        [
            [
                *row["levels"],
                *(
                    cell
                    for name in COLUMNS
                    for cell in (figure(row["headline"][name]), _p(row["p_value"][name]))
                ),
                figure(row["evidence_recall"]),
                str(row["propositions"]),
                str(row["judge_calls"]),
                f"{row['seconds']:.1f}",
            ]
            for row in rows
        ],
    )


def _p(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def _plots(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Coverage and F1 of the false class, a plot a configuration; the first beside each."""
    drawings = []
    first = _line(rows[0])
    for row in rows:
        drawn = [first] if row is rows[0] else [_line(row), first]
        title = ", ".join(row["levels"])
        drawings.append(lines(title, "coverage", "F1 of the false class", drawn))
    return drawings


def _line(row: Mapping[str, Any]) -> Line:
    points = [(p["coverage"], p["f1"]) for p in row["f1"] if p["f1"] is not None]
    return Line(", ".join(row["levels"]), points)


def write(title: str, made: Mapping[str, Any], folder: Path) -> list[Path]:
    folder.mkdir(parents=True, exist_ok=True)
    parts = blocks(title, made)
    contents = {
        "study.json": orjson.dumps(made, option=orjson.OPT_INDENT_2).decode() + "\n",
        "study.md": as_markdown(parts),
        "study.html": as_html(title, parts),
    }
    for name, content in contents.items():
        (folder / name).write_text(content, encoding="utf-8")
    return [folder / name for name in contents]

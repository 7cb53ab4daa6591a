"""The report as files: JSON, Markdown, and one HTML page."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import orjson

from agents.evaluation.report.blocks import Block, Heading, Text, as_html, as_markdown
from agents.evaluation.report.run_blocks import (
    comparison_blocks,
    cost_blocks,
    made_by_blocks,
    set_blocks,
)
from agents.evaluation.report.statement_blocks import statement_blocks, system_blocks

TITLE = "chartproof: evaluation"
EXPLAINED = (
    "False support: of the wrong statements, those called supported. False alarm: of the right "
    "ones, those called anything else. Alerts are those of the policy. In brackets: 95% intervals "
    "by bootstrap over patients. n/a: undefined."
)


def blocks(report: Mapping[str, Any]) -> list[Block]:
    parts: list[Block] = [Heading(1, TITLE), Text(EXPLAINED)]
    for run in report["runs"]:
        parts.append(Heading(2, f"Run: {run['name']}"))
        for name, figures in run["sets"].items():
            parts.append(Heading(3, name))
            for unit, each in figures["units"].items():
                parts += statement_blocks(unit, each)
            parts += set_blocks(figures)
        parts += cost_blocks(run)
    for comparison in report["comparisons"]:
        parts += comparison_blocks(comparison)
    return parts + made_by_blocks(report)


def summary(report: Mapping[str, Any]) -> str:
    """Markdown of the tables needed first: the systems, and what two runs differ in."""
    parts: list[Block] = []
    for run in report["runs"]:
        for name, figures in run["sets"].items():
            for unit, each in figures["units"].items():
                parts += [Heading(2, f"{run['name']}: {name}"), *system_blocks(unit, each)]
    for comparison in report["comparisons"]:
        parts += comparison_blocks(comparison)
    return as_markdown([*parts, Text(EXPLAINED)])


def markdown(report: Mapping[str, Any]) -> str:
    return as_markdown(blocks(report))


def html(report: Mapping[str, Any]) -> str:
    return as_html(TITLE, blocks(report))


def write(report: Mapping[str, Any], folder: Path) -> list[Path]:
    """`report.json`, `report.md` and `report.html`."""
    folder.mkdir(parents=True, exist_ok=True)
    contents = {
        "report.json": orjson.dumps(report, option=orjson.OPT_INDENT_2).decode() + "\n",
        "report.md": markdown(report),
        "report.html": html(report),
    }
    for name, content in contents.items():
        (folder / name).write_text(content, encoding="utf-8")
    return [folder / name for name in contents]

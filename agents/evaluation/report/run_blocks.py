"""What a report says of a set besides its statements, of a run's cost, and of two runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agents.evaluation.report.blocks import Block, Heading, Table, Text, figure, flat
from agents.evaluation.report.statement_blocks import HEADLINE


def set_blocks(figures: Mapping[str, Any]) -> list[Block]:
    blocks: list[Block] = []
    apart = figures["not_verifiable"]
    if sum(apart.values()):
        text = ", ".join(f"{n} {what}" for what, n in apart.items())
        blocks.append(Text(f"Spans that say nothing of the chart: {text}."))
    if figures["without_label"]:
        blocks.append(Text(f"Left out, as people are even: {figures['without_label']} statements."))
    if figures["failed"]:
        blocks.append(Text(f"Failed: {figures['failed']} of {figures['items']} items."))
    for title, key in (("people among themselves", "raters"), ("citations", "citations")):
        if figures[key]:
            blocks.append(Table([title, ""], flat(figures[key])))
    if figures["references"]:
        blocks.append(_references(figures["references"]))
    if figures["people"]:
        blocks.append(_people(figures["people"]))
    return blocks


def _references(figures: Mapping[str, Any]) -> Table:
    rows = [["all", *(figure(figures[key]) for key in ("recall", "precision", "f1"))]]
    for section, each in figures["by_section"].items():
        rows.append([section or "(no section)", *(figure(value) for value in each.values())])
    return Table([f"claims of {figures['examples']} references", "recall", "precision", "F1"], rows)


def _people(figures: Mapping[str, Any]) -> Table:
    rows = [
        [name, mine, figure(each["spearman"]), figure(each["kendall"]), str(each["n"])]
        for name, ours in figures.items()
        for mine, each in ours.items()
    ]
    return Table(["people's score", "ours", "Spearman", "Kendall", "texts"], rows)


def cost_blocks(run: Mapping[str, Any]) -> list[Block]:
    cost, promises = run["cost"], run["promises"]
    counts = ("calls", "rows", "tokens_in", "tokens_out")
    rows = [
        [name, *(str(each[key]) for key in counts), f"{each['seconds']:.2f}"]
        for name, each in cost["stages"].items()
    ]
    intake = ", ".join(f"{n} {outcome}" for outcome, n in cost["intake"].items())
    text = (
        f"{cost['notes']} notes ({intake}), {cost['items']} items, "
        f"{cost['propositions']} propositions, {cost['judge_calls']} judge calls, "
        f"{cost['rounds']} rounds of search. Citations of other charts: "
        f"{promises['citations_of_other_charts']}; later than as_of: "
        f"{promises['citations_after_as_of']}."
    )
    return [
        Heading(3, "Cost"),
        Text(text),
        Table(["stage", "calls", "rows", "tokens in", "tokens out", "seconds"], rows),
    ]


def comparison_blocks(figures: Mapping[str, Any]) -> list[Block]:
    blocks: list[Block] = [Heading(2, f"{figures['second']} less {figures['first']}")]
    for name, units in figures["sets"].items():
        for unit, differences in units.items():
            if differences["n"]:
                rows = [[title, *_difference(differences[k])] for k, title in HEADLINE.items()]
                head = [f"{name}, {unit} ({differences['n']})", "difference", "95%", "p"]
                blocks.append(Table(head, rows))
    return blocks


def _difference(difference: Mapping[str, Any] | None) -> list[str]:
    if not difference:
        return ["n/a", "n/a", "n/a"]
    low, high = difference["interval"]
    return [
        f"{difference['difference']:+.3f}",
        f"{low:+.3f} to {high:+.3f}",
        f"{difference['p_value']:.3f}",
    ]


def made_by_blocks(report: Mapping[str, Any]) -> list[Block]:
    sets = [
        [each["name"], each["format"], str(each["charts"]), str(each["items"]), each["sha256"][:12]]
        for each in report["datasets"]
    ]
    versions = [[name, version] for name, version in report["versions"].items()]
    versions += [["seed", str(report["seed"])], *flat({"bootstrap": report["bootstrap"]})]
    for run in report["runs"]:
        versions += flat({run["name"]: {**run["models"], **run["configuration"]}})
    notices = [notice for each in report["datasets"] for notice in each["notices"]]
    return [
        Heading(2, "Made by"),
        Table(["set", "format", "charts", "items", "sha256"], sets),
        *map(Text, notices),
        Table(["", "version or setting"], versions),
    ]

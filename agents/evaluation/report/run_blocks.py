"""What a report says of a set besides its statements, of a run's cost, and of two runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agents.evaluation.report.blocks import Block, Heading, Table, Text, figure, flat
from agents.evaluation.report.statement_blocks import HEADLINE


def set_blocks(found: Mapping[str, Any]) -> list[Block]:
    blocks: list[Block] = []
    apart = found["not_verifiable"]
    if sum(apart.values()):
        said = ", ".join(f"{n} {what}" for what, n in apart.items())
        blocks.append(Text(f"Spans that say nothing of the chart: {said}."))
    if found["without_label"]:
        blocks.append(Text(f"Left out, as people are even: {found['without_label']} statements."))
    if found["failed"]:
        blocks.append(Text(f"Failed: {found['failed']} of {found['items']} items."))
    for title, key in (("people among themselves", "raters"), ("citations", "citations")):
        if found[key]:
            blocks.append(Table([title, ""], flat(found[key])))
    if found["references"]:
        blocks.append(_references(found["references"]))
    if found["people"]:
        blocks.append(_people(found["people"]))
    return blocks


def _references(found: Mapping[str, Any]) -> Table:
    rows = [["all", *(figure(found[key]) for key in ("recall", "precision", "f1"))]]
    for section, each in found["by_section"].items():
        rows.append([section or "(no section)", *(figure(value) for value in each.values())])
    return Table([f"claims of {found['examples']} references", "recall", "precision", "F1"], rows)


def _people(found: Mapping[str, Any]) -> Table:
    rows = [
        [name, mine, figure(each["spearman"]), figure(each["kendall"]), str(each["n"])]
        for name, ours in found.items()
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
    said = (
        f"{cost['notes']} notes ({intake}), {cost['items']} items, "
        f"{cost['propositions']} propositions, {cost['judge_calls']} judge calls, "
        f"{cost['rounds']} rounds of search. Citations of other charts: "
        f"{promises['citations_of_other_charts']}; later than as_of: "
        f"{promises['citations_after_as_of']}."
    )
    return [
        Heading(3, "Cost"),
        Text(said),
        Table(["stage", "calls", "rows", "tokens in", "tokens out", "seconds"], rows),
    ]


def comparison_blocks(found: Mapping[str, Any]) -> list[Block]:
    blocks: list[Block] = [Heading(2, f"{found['second']} less {found['first']}")]
    for name, units in found["sets"].items():
        for unit, differences in units.items():
            if differences["n"]:
                rows = [[title, *_difference(differences[k])] for k, title in HEADLINE.items()]
                head = [f"{name}, {unit} ({differences['n']})", "difference", "95%", "p"]
                blocks.append(Table(head, rows))
    return blocks


def _difference(found: Mapping[str, Any] | None) -> list[str]:
    if not found:
        return ["n/a", "n/a", "n/a"]
    low, high = found["interval"]
    return [f"{found['difference']:+.3f}", f"{low:+.3f} to {high:+.3f}", f"{found['p_value']:.3f}"]


def made_by_blocks(report: Mapping[str, Any]) -> list[Block]:
    sets = [
        [each["name"], each["format"], str(each["charts"]), str(each["items"]), each["sha256"][:12]]
        for each in report["datasets"]
    ]
    said = [[name, version] for name, version in report["versions"].items()]
    said += [["seed", str(report["seed"])], *flat({"bootstrap": report["bootstrap"]})]
    for run in report["runs"]:
        said += flat({run["name"]: {**run["models"], **run["configuration"]}})
    notices = [notice for each in report["datasets"] for notice in each["notices"]]
    return [
        Heading(2, "Made by"),
        Table(["set", "format", "charts", "items", "sha256"], sets),
        *map(Text, notices),
        Table(["", "version or setting"], said),
    ]

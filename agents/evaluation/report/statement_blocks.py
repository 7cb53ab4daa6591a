"""What a report says of statements of one kind: the systems side by side, then ours in parts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agents.evaluation.report.blocks import Block, Heading, Plots, Table, Text, figure, share
from agents.evaluation.report.plots import Line, bars, heatmap, lines

HEADLINE = {
    "false_support": "false support",
    "false_alarm": "false alarm",
    "accuracy": "3-way accuracy",
    "balanced_accuracy": "balanced",
    "auroc": "AUROC",
    "average_precision": "avg. precision",
    "alert_precision": "alert precision",
    "alert_recall": "alert recall",
}
BREAKDOWNS = (
    ("kind", "by_kind"),
    ("words in the chart", "by_overlap"),
    ("notes needed", "by_evidence"),
)


def system_blocks(unit: str, figures: Mapping[str, Any]) -> list[Block]:
    """How many statements there are, and the systems beside each other."""
    first = next(iter(figures["systems"].values()))
    labels = ", ".join(f"{n} {label}" for label, n in first["labels"].items())
    counts = f"{first['n']}, of {first['groups']} patients or sources: {labels}"
    return [
        Text(f"{unit}: {counts}"),
        Table(
            ["", *HEADLINE.values(), "ECE", "Brier", "abstained", "failed", "unjudged"],
            [_system(name, each) for name, each in figures["systems"].items()],
        ),
    ]


def statement_blocks(unit: str, figures: Mapping[str, Any]) -> list[Block]:
    first = next(iter(figures["systems"].values()))
    blocks: list[Block] = [
        Heading(4, unit),
        *system_blocks(unit, figures),
        _confusion(first["confusion"]),
        _binary(first),
        Plots(_plots(figures)),
    ]
    blocks += [_broken_down(title, figures[key]) for title, key in BREAKDOWNS]
    blocks += _evidence(figures["evidence_recall"])
    if figures["text_f1"]:
        blocks.append(_text_f1(figures["text_f1"]))
    return blocks


def _system(name: str, figures: Mapping[str, Any]) -> list[str]:
    cells = []
    for key in HEADLINE:
        headline = figures["headline"][key]
        cell = figure(headline["value"])
        if headline["interval"]:
            low, high = headline["interval"]
            cell += f" ({low:.2f}-{high:.2f})"
        cells.append(cell)
    rates = figures["false_rates"]
    unjudged = rates["unjudged_wrong"] + rates["unjudged_right"]
    counts = [str(rates["abstained"]), str(rates["failed"]), str(unjudged)]
    return [name, *cells, figure(figures["ece"]), figure(figures["brier"]), *counts]


def _confusion(confusion: Mapping[str, Mapping[str, int]]) -> Table:
    outcomes = list(next(iter(confusion.values())))
    rows = [[label, *(str(row[o]) for o in outcomes)] for label, row in confusion.items()]
    return Table(["label, by verdict", *outcomes], rows)


def _binary(figures: Mapping[str, Any]) -> Table:
    rows = {"wrong": figures["of_wrong"], **figures["per_label"]}
    return Table(
        ["looked for", "sensitivity", "specificity", "PPV", "NPV"],
        [[name, *(figure(value) for value in row.values())] for name, row in rows.items()],
    )


def _broken_down(title: str, rows: Mapping[str, Mapping[str, Any]]) -> Table:
    return Table(
        [title, "n", "wrong", "right verdict", "false support", "false alarm", "unjudged"],
        [
            [
                name,
                str(row["n"]),
                str(row["wrong"]),
                share(row["right_verdict"]),
                share(row["false_support"]),
                share(row["false_alarm"]),
                str(row["unjudged"]),
            ]
            for name, row in rows.items()
        ],
    )


def _evidence(figures: Mapping[str, Any]) -> list[Block]:
    if not figures["n"]:
        return []
    at = [f"first {n}" for n in figures["shown_at"]]
    head = [f"deciding notes of {figures['n']}", *at, "shown", "cited", "all of them shown"]
    cells = [
        *figures["shown_at"].values(),
        figures["shown"],
        figures["cited"],
        figures["all_shown"],
    ]
    return [Table(head, [["recall", *map(share, cells)]])]


def _text_f1(figures: Mapping[str, Mapping[str, Any]]) -> Table:
    return Table(
        ["texts false when", "F1 of false", "false", "called false"],
        [
            [rule, figure(each["f1"]), str(each["false"]), str(each["called_false"])]
            for rule, each in figures.items()
        ],
    )


def _plots(figures: Mapping[str, Any]) -> list[str]:
    ours = next(iter(figures["systems"].values()))
    curves = figures["curves"]
    reliability = [(band["confidence"], band["right"]) for band in curves["reliability"]]
    risk = [(point["coverage"], point["risk"]) for point in curves["risk"]]
    alerts = sorted((point["recall"], point["precision"]) for point in curves["alerts"])
    drawings = [
        heatmap("Confusion", ours["confusion"]),
        lines("Reliability", "confidence", "right", [Line("", reliability)], diagonal=True),
        lines("Coverage and risk", "coverage", "risk", [Line("", risk)]),
        lines("Alerts, every threshold", "recall", "precision", [Line("", alerts)]),
    ]
    for title, key in BREAKDOWNS:
        rows = {
            f"{name} ({row['n']})": {
                "false support": row["false_support"],
                "false alarm": row["false_alarm"],
            }
            for name, row in figures[key].items()
        }
        drawings.append(bars(f"By {title}", rows))
    return drawings

"""`RELIABILITY.md`: the judge's `calibration.json` put into words.

It is made of the file and of nothing else, so that neither can be changed alone: a test compares
them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from agents.evaluation.calibration import Curve
from agents.evaluation.reliability import Reliability
from agents.evaluation.splits import SPLITS, Spread


def markdown(calibration: Mapping[str, Any]) -> str:
    """`RELIABILITY.md` of a calibration, as it was made or as it was read from its file."""
    population = ", ".join(
        f"{share:.0%} {truth}" for truth, share in calibration["population"].items()
    )
    before, after = (calibration["held_out"][each] for each in ("uncalibrated", "calibrated"))
    parts = [
        "# How far the judge's confidence can be trusted",
        f"Written by `{calibration['command']} --write` for `{calibration['judge']}`, from "
        "`calibration.json` and together with it. Do not edit either.",
        "All figures are of charts that nothing was fitted to. A verdict is right when it is the "
        "label; on a claim changed in one place that is `not_supported` alone, and on another "
        "patient's claim `not_supported` is right too, as the chart may contradict it. Means and "
        f"shares are of a population of statements that are {population}; how often verdicts are "
        "right depends on it. For a writer who is mostly right `supported` is surer than it says, "
        "and the others less. *Uncalibrated* is the evidence itself taken for a probability.",
        _table(("set", "charts fitted", "charts held out", "claims fitted", "claims held out"),
               [(each["name"], *each["charts"], *each["claims"]) for each in calibration["sets"]]),
        "## Before and after",
        _table(("verdict", "n", "right", "mean confidence before", "after", "ECE before", "after",
                "Brier before", "after"), _before_and_after(before, after)),
        f"One split has its luck. Fitted and measured anew on {SPLITS} other splits of the same "
        "charts, as mean (least to most):",
        _table(("verdict", "ECE before", "after", "Brier before", "after"),
               [_spread(row) for row in calibration["other_splits"]]),
        "## By confidence, calibrated",
        _bands(after),
        "## By confidence, uncalibrated",
        _bands(before),
        "## By labelled set, calibrated",
        "No set is the population: where none of its claims has a label, that verdict is always "
        "wrong on it.",
        _table(("set, verdict", "n", "mean confidence", "right"),
               [_cells(row) for row in after["sets"]]),
        "## Curves",
        "Straight between the points, constant beyond the ends.",
        _table(("kind of evidence", "verdicts fitted", "evidence → probability"),
               [(kind, calibration["fitted"][kind], _said(curve))
                for kind, curve in calibration["curves"].items()]),
    ]  # fmt: skip
    return "\n\n".join(parts) + "\n"


def _before_and_after(before: Reliability, after: Reliability) -> list[tuple[object, ...]]:
    return [
        (one["of"], one["n"], f"{one['right']:.1%}", one["confidence"], other["confidence"],
         one["ece"], other["ece"], one["brier"], other["brier"])
        for one, other in zip(before["summary"], after["summary"], strict=True)
    ]  # fmt: skip


def _spread(row: Spread) -> tuple[str, ...]:
    figures = (row["ece_before"], row["ece_after"], row["brier_before"], row["brier_after"])
    return row["of"], *(f"{mean} ({least} to {most})" for mean, least, most in figures)


def _bands(measured: Reliability) -> str:
    rows = [
        (row["of"], f"{row['low']} to {row['high']}", *_cells(row)[1:]) for row in measured["bands"]
    ]
    return _table(("verdict", "confidence", "n", "mean confidence", "right"), rows)


def _cells(row: Mapping[str, Any]) -> tuple[object, ...]:
    return row["of"], row["n"], row["confidence"], f"{row['right']:.1%}"


def _said(curve: Curve) -> str:
    return ", ".join(f"{evidence:g} → {probability:g}" for evidence, probability in curve)


def _table(header: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(str(cell) for cell in line)} |" for line in lines)

"""Fitting a judge's confidence to the share of its verdicts that was right, from a run's items.

Isotonic regression (Zadrozny and Elkan 2002, "Transforming classifier scores into accurate
multiclass probability estimates"), one curve a label: a surer judge is never less often right, and
nothing else is assumed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path

import numpy as np
from scipy.optimize import isotonic_regression

from agents.evaluation.running.results import ItemResult
from schemas.verdicts import Verdict

LABELS = (Verdict.SUPPORTED, Verdict.NOT_SUPPORTED, Verdict.NOT_ADDRESSED)
LEAST = 30
"""Verdicts of a label that a curve needs; with fewer its confidence stays as it is."""

Curve = list[tuple[float, float]]


def graded(items: Iterable[ItemResult]) -> list[tuple[Verdict, float, bool]]:
    """Label, confidence and whether it is the label of the span that the proposition overlaps.

    Propositions of several spans, or of none, are left out: nobody said which label is theirs.
    """
    rows: list[tuple[Verdict, float, bool]] = []
    for item in items:
        for each in item.propositions:
            spans = [s for s in item.spans if s.start < each.end and each.start < s.end]
            if each.verdict in LABELS and len(spans) == 1 and spans[0].label is not None:
                rows.append((each.verdict, each.confidence, each.verdict.value == spans[0].label))
    return rows


def fit_curves(rows: Iterable[tuple[Verdict, float, bool]]) -> dict[str, Curve]:
    """A curve (confidence, probability of being right) for each label with `LEAST` verdicts."""
    curves: dict[str, Curve] = {}
    ordered = sorted(rows, key=lambda row: (row[0].value, row[1]))
    for label, of_label in groupby(ordered, key=lambda row: row[0]):
        group = list(of_label)
        if len(group) < LEAST:
            continue
        known = {c: [right for _, of, right in group if of == c] for _, c, _ in group}
        right = np.array([np.mean(answers) for answers in known.values()])
        weight = np.array([float(len(answers)) for answers in known.values()])
        fitted = isotonic_regression(right, weights=weight).x
        curves[label.value] = [
            (round(c, 4), round(float(p), 4)) for c, p in zip(known, fitted, strict=True)
        ]
    return curves


def calibration_of(run: Path) -> dict[str, object]:
    """Curves of the judge of a run folder of `chartproof evaluate`, with what they come from.

    Raises `ValueError` when the folder has no items, or those of several judges.
    """
    lines = (run / "items.jsonl").read_text("utf-8").splitlines() if run.is_dir() else []
    rows = [json.loads(line) for line in lines]
    items = [ItemResult.model_validate(row) for row in rows if "propositions" in row]
    judges = {item.models["judge"] for item in items if "judge" in item.models}
    if len(judges) != 1:
        raise ValueError(f"{run} holds items of {len(judges)} judges; name a run of one judge")
    of_run = graded(items)
    return {"judge": judges.pop(), "verdicts": len(of_run), "curves": fit_curves(of_run)}

"""How much of a reliability table is the luck of one split: the same on many."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from statistics import fmean
from typing import TypedDict

from agents.evaluation.calibration import fit, split, weighed
from agents.evaluation.graded import Graded
from agents.evaluation.reliability import Summary, calibrated, reliability, uncalibrated

SPLITS = 20

Figures = tuple[float, float, float]
"""Mean, least, most."""


class Spread(TypedDict):
    of: str
    ece_before: Figures
    ece_after: Figures
    brier_before: Figures
    brier_after: Figures


def spread(graded: Sequence[Graded], kinds: Sequence[str], seed: int) -> list[Spread]:
    """Per verdict and of all, over `SPLITS` splits by the seeds after `seed`."""
    pairs: dict[str, list[tuple[Summary, Summary]]] = defaultdict(list)
    for other in range(seed + 1, seed + 1 + SPLITS):
        fitting, held = split(graded, other)
        cases = weighed(held)
        curves = fit(weighed(fitting), kinds)
        before = reliability(cases, uncalibrated)["summary"]
        after = reliability(cases, calibrated(curves))["summary"]
        for one, two in zip(before, after, strict=True):
            pairs[one["of"]].append((one, two))
    return [
        Spread(
            of=of,
            ece_before=_figures([before["ece"] for before, _ in some]),
            ece_after=_figures([after["ece"] for _, after in some]),
            brier_before=_figures([before["brier"] for before, _ in some]),
            brier_after=_figures([after["brier"] for _, after in some]),
        )
        for of, some in pairs.items()
    ]


def _figures(values: Sequence[float]) -> Figures:
    return round(fmean(values), 3), min(values), max(values)

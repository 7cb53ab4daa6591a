"""Whether confidence means what it says: reliability, ECE and Brier score.

ECE: Naeini et al. 2015, "Obtaining well calibrated probabilities using Bayesian binning", over
bands of equal width. Brier 1950: the mean square of confidence less 1 where right, less 0 where
wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import NamedTuple

from sklearn.metrics import brier_score_loss

BANDS = 10


class Band(NamedTuple):
    low: float
    high: float
    n: int
    confidence: float
    right: float


def reliability(
    confidence: Sequence[float], right: Sequence[bool], bands: int = BANDS
) -> list[Band]:
    """The bands that have any: from `low` to below `high`, the last with it."""
    held: dict[int, list[tuple[float, bool]]] = {}
    for value, good in zip(confidence, right, strict=True):
        held.setdefault(min(int(value * bands), bands - 1), []).append((value, good))
    return [
        Band(
            n / bands,
            (n + 1) / bands,
            len(some),
            fmean(c for c, _ in some),
            fmean(r for _, r in some),
        )
        for n, some in sorted(held.items())
    ]


def ece(confidence: Sequence[float], right: Sequence[bool], bands: int = BANDS) -> float | None:
    """Expected calibration error: the mean distance of confidence from the share right."""
    if not right:
        return None
    rows = reliability(confidence, right, bands)
    return sum(row.n * abs(row.confidence - row.right) for row in rows) / len(right)


def brier(confidence: Sequence[float], right: Sequence[bool]) -> float | None:
    if not right:
        return None
    return float(brier_score_loss([int(r) for r in right], list(confidence), pos_label=1))

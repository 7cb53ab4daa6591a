"""Coverage and risk: how many statements are answered, the surest first, and how many wrongly.

El-Yaniv and Wiener 2010, "On the foundations of noise-free selective classification"; the area is
that of Geifman et al. 2019 ("AURC").
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple


class RiskPoint(NamedTuple):
    threshold: float
    """Answered from this confidence on."""
    coverage: float
    risk: float


def risk_curve(
    confidence: Sequence[float], right: Sequence[bool], total: int | None = None
) -> list[RiskPoint]:
    """A point for each distinct confidence, the highest first.

    `total` counts also what is never answered (abstained, failed); as many as given when None.
    """
    whole = len(right) if total is None else total
    ranked = sorted(zip(confidence, right, strict=True), key=lambda pair: -pair[0])
    points: list[RiskPoint] = []
    answered = errors = 0
    for threshold, group in groupby(ranked, key=lambda pair: pair[0]):
        for _, good in group:
            answered += 1
            errors += not good
        points.append(RiskPoint(threshold, answered / whole, errors / answered))
    return points


class F1Point(NamedTuple):
    threshold: float
    coverage: float
    f1: float | None
    """Of the false class, among what is answered; None where nothing is false or called so."""


def f1_curve(
    confidence: Sequence[float], wrong: Sequence[bool], called: Sequence[bool], total: int
) -> list[F1Point]:
    """Coverage and F1 as MedSNIP draws them: answered from each confidence on, the highest first.

    `wrong`: whether each statement is false; `called`: whether it is called so.
    """
    ranked = sorted(zip(confidence, wrong, called, strict=True), key=lambda row: -row[0])
    points: list[F1Point] = []
    answered = hits = false = positives = 0
    for threshold, group in groupby(ranked, key=lambda row: row[0]):
        for _, is_false, is_called in group:
            answered += 1
            hits += is_false and is_called
            false += is_false
            positives += is_called
        f1 = 2 * hits / (false + positives) if false + positives else None
        points.append(F1Point(threshold, answered / total, f1))
    return points


def area_under_risk(curve: Sequence[RiskPoint]) -> float | None:
    """Mean risk over the coverage reached (each step of coverage has the risk at its end)."""
    if not curve:
        return None
    area = before = 0.0
    for point in curve:
        area += (point.coverage - before) * point.risk
        before = point.coverage
    return area / before


def coverage_at_risk(curve: Sequence[RiskPoint], risk: float) -> float | None:
    """The most that can be answered with at most this share of errors; 0.0 when nothing can."""
    if not curve:
        return None
    return max((point.coverage for point in curve if point.risk <= risk), default=0.0)

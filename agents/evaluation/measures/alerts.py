"""Precision and recall of alerts: at the policy's own choice, and for every threshold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypedDict

from sklearn.metrics import precision_recall_curve

from agents.evaluation.measures.outcomes import share


class AlertRates(TypedDict):
    """An unjudged or failed statement raises no alert: where it is wrong, it is missed."""

    precision: float | None
    recall: float | None
    alerts: int
    wrong: int
    per_100: float | None
    """Alerts a hundred statements."""


class CurvePoint(NamedTuple):
    threshold: float
    precision: float
    recall: float


def alert_rates(wrong: Sequence[bool], alerted: Sequence[bool]) -> AlertRates:
    hits = sum(a and b for a, b in zip(wrong, alerted, strict=True))
    return AlertRates(
        precision=share(hits, sum(alerted)),
        recall=share(hits, sum(wrong)),
        alerts=sum(alerted),
        wrong=sum(wrong),
        per_100=share(100 * sum(alerted), len(alerted)),
    )


def alert_curve(wrong: Sequence[bool], score: Sequence[float]) -> list[CurvePoint]:
    """A point for each threshold at which something changes; alerts are scores from it on.

    Empty where nothing is wrong: recall has no meaning then.
    """
    if not any(wrong):
        return []
    precision, recall, thresholds = precision_recall_curve(list(wrong), list(score))
    return [
        CurvePoint(float(t), float(p), float(r))
        for t, p, r in zip(thresholds, precision[:-1], recall[:-1], strict=True)
    ]


def precision_at_recall(curve: Sequence[CurvePoint], recall: float) -> float | None:
    """The best precision among the thresholds that find at least this share."""
    return max((point.precision for point in curve if point.recall >= recall), default=None)

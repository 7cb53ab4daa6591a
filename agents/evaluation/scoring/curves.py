"""The curves that the report draws, of few enough points to stand in a file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from agents.evaluation.measures.alerts import alert_curve
from agents.evaluation.measures.calibration_error import reliability
from agents.evaluation.measures.coverage import f1_curve, risk_curve
from agents.evaluation.scoring.figures import Judged

T = TypeVar("T")
POINTS = 100


def curves(judged: Judged) -> dict[str, Any]:
    confidence, right = judged.decided
    wrong, score = judged.scored
    false = f1_curve(*judged.called, total=len(judged.gold))
    return {
        "reliability": [band._asdict() for band in reliability(confidence, right)],
        "risk": [p._asdict() for p in thinned(risk_curve(confidence, right, len(judged.gold)))],
        "f1": [point._asdict() for point in thinned(false)],
        "alerts": [point._asdict() for point in thinned(alert_curve(wrong, score))],
    }


def thinned(points: Sequence[T]) -> list[T]:
    """At most `POINTS`, the first and the last among them."""
    if len(points) <= POINTS:
        return list(points)
    step = (len(points) - 1) / (POINTS - 1)
    return [points[round(n * step)] for n in range(POINTS)]

"""Confidence: the probability that a verdict is right, from the evidence behind it."""

from __future__ import annotations

from itertools import pairwise

_CURVES: dict[str, tuple[tuple[float, float], ...]] = {
    "supported": ((0.72, 0.6), (0.83, 0.72), (0.95, 0.94), (1.0, 0.97)),
    "contradiction": ((0.2, 0.8), (0.45, 0.86), (0.75, 0.93), (0.85, 0.97), (1.0, 0.97)),
    "weaker": ((0.5, 0.5), (1.0, 0.6)),
    "part": ((0.3, 0.58), (0.9, 0.62)),
    "silent": ((0.35, 0.5), (0.6, 0.58), (0.7, 0.7), (0.8, 0.78), (1.0, 0.85)),
}
"""Evidence -> probability, piecewise linear and rising; measured, see the package docstring."""


def confidence(kind: str, evidence: float) -> float:
    """Interpolate the curve of `kind` at `evidence`; constant beyond its ends."""
    curve = _CURVES[kind]
    if evidence <= curve[0][0]:
        return curve[0][1]
    for (x0, y0), (x1, y1) in pairwise(curve):
        if evidence <= x1:
            return round(y0 + (y1 - y0) * (evidence - x0) / (x1 - x0), 4)
    return curve[-1][1]

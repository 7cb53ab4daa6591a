"""Confidence: the probability that a verdict is right, from the evidence behind it."""

from __future__ import annotations

from itertools import pairwise

_CURVES: dict[str, tuple[tuple[float, float], ...]] = {
    "supported": ((0.72, 0.6), (0.83, 0.72), (0.95, 0.93), (1.0, 0.97)),
    "contradiction": ((0.25, 0.7), (0.5, 0.85), (0.75, 0.92), (0.85, 0.96), (1.0, 0.97)),
    "weaker": ((0.5, 0.5), (1.0, 0.65)),
    "part": ((0.3, 0.42), (0.9, 0.52)),
    "silent": ((0.44, 0.5), (0.65, 0.52), (0.75, 0.7), (0.85, 0.8), (1.0, 0.85)),
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

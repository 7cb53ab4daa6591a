"""Confidence: the probability that a verdict is right, from the evidence behind it."""

from __future__ import annotations

_CURVES: dict[str, tuple[tuple[float, float], ...]] = {
    "supported": ((0.7, 0.6), (0.85, 0.8), (1.0, 0.97)),
    "contradiction": ((0.4, 0.5), (0.7, 0.7), (1.0, 0.95)),
    "weaker": ((0.5, 0.5), (1.0, 0.7)),
    "part": ((0.3, 0.4), (0.5, 0.5), (0.8, 0.6)),
    "silent": ((0.5, 0.5), (0.75, 0.7), (1.0, 0.9)),
}
"""Evidence -> probability, piecewise linear and rising; measured, see the package docstring."""


def confidence(kind: str, evidence: float) -> float:
    """Interpolate the curve of `kind` at `evidence`; constant beyond its ends."""
    curve = _CURVES[kind]
    if evidence <= curve[0][0]:
        return curve[0][1]
    for (x0, y0), (x1, y1) in zip(curve, curve[1:], strict=False):
        if evidence <= x1:
            return round(y0 + (y1 - y0) * (evidence - x0) / (x1 - x0), 4)
    return curve[-1][1]

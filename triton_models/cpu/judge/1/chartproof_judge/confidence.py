"""Confidence: the probability that a verdict is right, from the evidence behind it.

The curves are the shares of right verdicts measured on three quarters of three labelled clinical
sets (ACI-BENCH claims with wrong and foreign ones made from them, MEDEC, K-QA), smoothed so that
they rise; `weaker` is a guess, too few were seen. The evidence is, by kind:

- `supported`, `part`, `weaker`: the weighted share of the statement that the facts have;
- `contradiction`: that of its rest, times how directly the check contradicts;
- `silent`: what the facts lack of it.

On the quarter kept aside, of verdicts with a confidence of 0.9 and more, 95% of `supported` and 93%
of `not_supported` were right; of `not_addressed` at 0.8 and more 84%. Below 0.7 about half are.
Where the statement is in quite other words than the chart, silence is claimed too often.
"""

from __future__ import annotations

from itertools import pairwise

_CURVES: dict[str, tuple[tuple[float, float], ...]] = {
    "supported": ((0.72, 0.62), (0.83, 0.72), (0.95, 0.92), (1.0, 0.96)),
    "contradiction": ((0.2, 0.7), (0.45, 0.8), (0.75, 0.92), (0.85, 0.96), (1.0, 0.96)),
    "weaker": ((0.5, 0.5), (1.0, 0.6)),
    "part": ((0.3, 0.5), (0.9, 0.56)),
    "silent": ((0.35, 0.44), (0.6, 0.53), (0.7, 0.68), (0.8, 0.78), (1.0, 0.83)),
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

"""Confidence: the probability that a verdict is right, read off a curve of its kind of evidence.

The evidence is, by kind:

- `supported`, `part`, `weaker`: the weighted share of the statement that the facts have;
- `contradiction`: that of its rest, times how directly the check contradicts;
- `silent`: what the facts lack of it.

The curves are data, `calibration.json`: `chartproof calibrate` fits them to labelled claims and
measures them on charts it kept aside. How they were fitted, to what and for which mix of statements
stands in that file, and as tables in `RELIABILITY.md` of the model's folder.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

KINDS = ("supported", "contradiction", "weaker", "part", "silent")

Curve = tuple[tuple[float, float], ...]
"""Evidence -> probability, piecewise linear; evidence rises, probability never falls."""


class BadCalibration(ValueError):
    """The file of curves cannot be used; the message says where and why."""


class Confidence(NamedTuple):
    """`probability` that the verdict is right, in (0, 1), and what it was read off."""

    probability: float
    kind: str
    evidence: float


def read_curves(path: Path) -> Mapping[str, Curve]:
    """The curve of each of `KINDS`. Raises `BadCalibration`."""
    try:
        curves = json.loads(path.read_text(encoding="utf-8"))["curves"]
        return MappingProxyType({kind: _curve(kind, curves[kind]) for kind in KINDS})
    except KeyError as missing:
        raise BadCalibration(f"{path}: there is no {missing}") from None
    except (OSError, ValueError, TypeError) as error:
        raise BadCalibration(f"{path}: {error}") from None


def _curve(kind: str, points: Any) -> Curve:  # noqa: ANN401 - as the file has it
    try:
        curve = tuple((float(evidence), float(probability)) for evidence, probability in points)
    except (ValueError, TypeError):
        raise ValueError(f"{kind} is not a list of points [evidence, probability]") from None
    if not curve or not all(0.0 < probability < 1.0 for _, probability in curve):
        raise ValueError(f"{kind} needs points, each with a probability between 0 and 1")
    if not all(x0 < x1 and y0 <= y1 for (x0, y0), (x1, y1) in pairwise(curve)):
        raise ValueError(f"along {kind} the evidence must rise and the probability never fall")
    return curve


_CURVES = read_curves(Path(__file__).with_name("calibration.json"))


def confidence(kind: str, evidence: float) -> Confidence:
    """Interpolate the curve of `kind` at `evidence`; constant beyond its ends."""
    return Confidence(along(_CURVES[kind], evidence), kind, evidence)


def along(curve: Curve, evidence: float) -> float:
    """The probability at `evidence`."""
    if evidence <= curve[0][0]:
        return curve[0][1]
    for (x0, y0), (x1, y1) in pairwise(curve):
        if evidence <= x1:
            return round(y0 + (y1 - y0) * (evidence - x0) / (x1 - x0), 4)
    return curve[-1][1]

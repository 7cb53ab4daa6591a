"""How far confidence can be trusted: what it says beside the share of verdicts that was right.

Shares and means are of the population that the confidence is for (`calibration`): each claim counts
by its weight. `n` counts claims as they are.

ECE is the expected calibration error (Naeini et al. 2015, "Obtaining well calibrated probabilities
using Bayesian binning"), over `BANDS`: the mean distance of confidence from the share right. The
Brier score is the mean square of confidence less 1 where right, 0 where wrong; it also rewards
telling right from wrong. Both are better when lower.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import TypedDict

from agents.evaluation.calibration import Curve, Weighed, probability
from agents.evaluation.graded import Graded
from agents.evaluation.labelled import TRUTHS

BANDS = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)

Confidence = Callable[[Graded], float]


class Row(TypedDict):
    """`confidence` and `right`: the weighted mean and the weighted share, of `n` verdicts."""

    of: str
    n: int
    confidence: float
    right: float


class Band(Row):
    low: float
    high: float


class Summary(Row):
    ece: float
    brier: float


class Reliability(TypedDict):
    summary: list[Summary]
    bands: list[Band]
    sets: list[Row]


def uncalibrated(graded: Graded) -> float:
    """The evidence itself, taken for a probability."""
    return min(max(graded.evidence, 0.0), 1.0)


def calibrated(curves: Mapping[str, Curve]) -> Confidence:
    return lambda graded: probability(curves[graded.kind], graded.evidence)


def reliability(cases: Sequence[Weighed], confidence: Confidence) -> Reliability:
    """Per verdict and of all: in sum, by bands of confidence, and by labelled set."""
    by_verdict = {
        truth.value: [each for each in cases if each.graded.verdict == truth] for truth in TRUTHS
    }
    names = dict.fromkeys(each.graded.claim.dataset for each in cases)
    of_sets = {
        f"{name}, {verdict}": [each for each in some if each.graded.claim.dataset == name]
        for name in names
        for verdict, some in by_verdict.items()
    }
    summaries = {**by_verdict, "all": list(cases)}
    return Reliability(
        summary=[_summary(of, some, confidence) for of, some in summaries.items() if some],
        bands=[band for of, some in by_verdict.items() for band in _bands(of, some, confidence)],
        sets=[_row(of, some, confidence) for of, some in of_sets.items() if some],
    )


def _row(of: str, cases: Sequence[Weighed], confidence: Confidence) -> Row:
    return Row(
        of=of,
        n=len(cases),
        confidence=_rounded(_mean(cases, confidence)),
        right=_rounded(_mean(cases, _right)),
    )


def _summary(of: str, cases: Sequence[Weighed], confidence: Confidence) -> Summary:
    total = sum(each.weight for each in cases)
    off = sum(
        abs(_mean(some, confidence) - _mean(some, _right)) * sum(each.weight for each in some)
        for _, _, some in _banded(cases, confidence)
    )
    square = _mean(cases, lambda graded: (confidence(graded) - graded.right) ** 2)
    row = _row(of, cases, confidence)
    return Summary(**row, ece=_rounded(off / total), brier=_rounded(square))


def _bands(of: str, cases: Sequence[Weighed], confidence: Confidence) -> Iterable[Band]:
    for low, high, some in _banded(cases, confidence):
        yield Band(**_row(of, some, confidence), low=low, high=high)


def _banded(
    cases: Sequence[Weighed], confidence: Confidence
) -> Iterable[tuple[float, float, list[Weighed]]]:
    """The cases of each band that has any: from `low` up to below `high`, the last with it."""
    for low, high in pairwise(BANDS):
        some = [
            each
            for each in cases
            if low <= confidence(each.graded) < high
            or (high == BANDS[-1] == confidence(each.graded))
        ]
        if some:
            yield low, high, some


def _right(graded: Graded) -> float:
    return float(graded.right)


def _mean(cases: Sequence[Weighed], value: Confidence) -> float:
    return sum(each.weight * value(each.graded) for each in cases) / sum(
        each.weight for each in cases
    )


def _rounded(value: float) -> float:
    return round(value, 3)

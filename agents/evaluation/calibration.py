"""Fitting what a verdict's confidence is to what share of verdicts was right.

Isotonic regression (Zadrozny and Elkan 2002, "Transforming classifier scores into accurate
multiclass probability estimates"), one curve for each kind of evidence: more evidence never makes
less sure, and nothing else is assumed. Charts, not claims, are dealt to the part that is fitted and
the part that measures: claims of one chart are alike.

How often a verdict is right depends on how many statements are true, and labelled sets are made
with many wrong ones. The confidence is for `POPULATION`: even odds that a statement is borne out,
and of the others half are wrong in a place and half not in the chart at all. So it says what the
evidence says, and nothing of how good the writer is: for a writer who is mostly right `supported`
is surer than it says, and `not_supported` less. Each claim weighs what brings its truth's share to
that.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from types import MappingProxyType

import numpy as np
from scipy.optimize import isotonic_regression

from agents.evaluation.graded import Graded
from schemas.verdicts import Verdict

POPULATION: Mapping[Verdict, float] = MappingProxyType(
    {Verdict.SUPPORTED: 0.5, Verdict.NOT_SUPPORTED: 0.25, Verdict.NOT_ADDRESSED: 0.25}
)
HELD_OUT = 1 / 3
"""Of the charts of each set."""
LEAST = 40
"""Verdicts that a point of a curve stands on at least: a share of 0.8 is then known to 0.06."""
SUREST = 0.99
"""No curve says more, and none less than the rest of it."""

Curve = tuple[tuple[float, float], ...]
"""(evidence, probability); as `chartproof_judge.confidence` reads it."""


@dataclass(frozen=True)
class Weighed:
    """A graded claim and its share of the population, times the number of claims."""

    graded: Graded
    weight: float


def split(graded: Sequence[Graded], seed: int) -> tuple[list[Graded], list[Graded]]:
    """The part to fit and the part held out, by charts, a third of each set's. Same seed, same.

    Raises `ValueError` when a set has too few charts for both.
    """
    charts: dict[str, set[str]] = defaultdict(set)
    for each in graded:
        charts[each.claim.dataset].add(each.claim.chart_id)
    held: set[tuple[str, str]] = set()
    for dataset, ids in charts.items():
        n = round(len(ids) * HELD_OUT)
        if not n:
            raise ValueError(f"{dataset}: too few charts to hold some out")
        drawn = random.Random(f"{seed} {dataset}").sample(sorted(ids), n)  # noqa: S311
        held |= {(dataset, chart_id) for chart_id in drawn}
    parts: tuple[list[Graded], list[Graded]] = ([], [])
    for each in graded:
        parts[(each.claim.dataset, each.claim.chart_id) in held].append(each)
    return parts


def weighed(graded: Sequence[Graded]) -> list[Weighed]:
    """Weights that make the truths' shares those of `POPULATION`. Raises `ValueError`."""
    counts = Counter(each.claim.truth for each in graded)
    if lacking := [truth.value for truth in POPULATION if not counts[truth]]:
        raise ValueError(f"the labelled sets have too few claims that are {', '.join(lacking)}")
    return [
        Weighed(each, POPULATION[each.claim.truth] * len(graded) / counts[each.claim.truth])
        for each in graded
    ]


def fit(cases: Sequence[Weighed], kinds: Sequence[str]) -> dict[str, Curve]:
    """The curve of each kind."""
    return {kind: _curve([each for each in cases if each.graded.kind == kind]) for kind in kinds}


def probability(curve: Curve, evidence: float) -> float:
    """Read off `curve` as the judge does: straight between points, constant beyond the ends."""
    found, probabilities = zip(*curve, strict=True)
    return float(np.interp(evidence, found, probabilities))


def _curve(cases: Sequence[Weighed]) -> Curve:
    """Points of rising evidence and probability, never 0 or 1; of nothing known, even odds."""
    if not cases:
        return ((0.5, 0.5),)
    points = [_point(block) for block in _blocks(cases)]
    evidence, shares, known = (np.array(column) for column in zip(*points, strict=True))
    pooled = isotonic_regression(shares, weights=known)
    curve = []
    for start, end in zip(pooled.blocks, pooled.blocks[1:], strict=False):
        middle = float(np.average(evidence[start:end], weights=known[start:end]))
        share = min(max(float(pooled.x[start]), 1 - SUREST), SUREST)
        curve.append((round(middle, 3), round(share, 3)))
    return tuple(curve)


def _blocks(cases: Sequence[Weighed]) -> Iterator[list[Weighed]]:
    """Cases of rising evidence in blocks of at least `LEAST`; alike ones stay together."""
    ordered = sorted(cases, key=_evidence)
    block: list[Weighed] = []
    left = len(ordered)
    for _, alike in groupby(ordered, key=_evidence):
        block += alike
        if len(block) >= LEAST and left - len(block) >= LEAST:
            yield block
            left -= len(block)
            block = []
    yield block


def _evidence(each: Weighed) -> float:
    return round(each.graded.evidence, 3)


def _point(block: Sequence[Weighed]) -> tuple[float, float, float]:
    """Mean evidence, share right, and how many equal verdicts that stands on.

    One right and one wrong are added (Laplace's rule), so that a share is never 0 or 1.
    """
    weights = np.array([each.weight for each in block])
    right = np.array([each.graded.right for each in block])
    known = weights.sum() ** 2 / (weights**2).sum()
    evidence = np.average([_evidence(each) for each in block], weights=weights)
    share = (np.average(right, weights=weights) * known + 1) / (known + 2)
    return float(evidence), float(share), float(known)

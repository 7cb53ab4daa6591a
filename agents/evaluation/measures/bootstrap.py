"""Intervals and comparisons by resampling patients (or texts), never propositions.

Propositions of one patient stand and fall together: to resample them one by one would promise a
certainty that the data do not have. Efron and Tibshirani 1993, "An introduction to the bootstrap",
chapters 13 (percentile interval) and 16; Davison and Hinkley 1997, section 4.4 (the + 1).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.intp]
"""Indexes of rows, some of them several times."""
Statistic = Callable[[Rows], float | None]

RESAMPLES = 1000
SEED = 1
LEAST_DEFINED = 0.5
"""With fewer resamples in which the statistic is defined there is no interval."""


class Interval(NamedTuple):
    low: float
    high: float


class Difference(NamedTuple):
    """Of the second run less the first."""

    difference: float
    interval: Interval
    p_value: float


def interval(
    groups: Sequence[str], statistic: Statistic, *, resamples: int = RESAMPLES, seed: int = SEED
) -> Interval | None:
    """The 95% interval; `groups` names each row's patient or text.

    None with fewer than two groups, or where the statistic is mostly undefined.
    """
    drawn = resampled(groups, resamples, seed)
    values = [value for rows in drawn if (value := statistic(rows)) is not None]
    return percentile_interval(values, resamples)


def paired(
    groups: Sequence[str],
    first: Statistic,
    second: Statistic,
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Difference | None:
    """Two runs over the same rows, on the same resamples; None where there is no interval.

    `p_value` is two-sided, of no difference: twice the share of resamples on the other side of 0.
    """
    everything = np.arange(len(groups))
    one, two = first(everything), second(everything)
    if one is None or two is None:
        return None
    values = []
    for rows in resampled(groups, resamples, seed):
        a, b = first(rows), second(rows)
        if a is not None and b is not None:
            values.append(b - a)
    limits = percentile_interval(values, resamples)
    if limits is None:
        return None
    side = min(sum(v <= 0 for v in values), sum(v >= 0 for v in values))
    return Difference(two - one, limits, min(1.0, 2 * (side + 1) / (len(values) + 1)))


def resampled(groups: Sequence[str], resamples: int, seed: int) -> list[Rows]:
    """As many draws of groups with replacement, each as the rows of those groups; none of one."""
    names = sorted(set(groups))
    if len(names) < 2:
        return []
    held = np.asarray(groups)
    rows = [np.flatnonzero(held == name) for name in names]
    random = np.random.default_rng(seed)
    return [
        np.concatenate([rows[n] for n in random.integers(len(names), size=len(names))])
        for _ in range(resamples)
    ]


def percentile_interval(values: Sequence[float], resamples: int) -> Interval | None:
    """95%, of the resamples in which there is a value; None where they are too few."""
    if not values or len(values) < LEAST_DEFINED * resamples:
        return None
    low, high = np.percentile(values, [2.5, 97.5])
    return Interval(float(low), float(high))

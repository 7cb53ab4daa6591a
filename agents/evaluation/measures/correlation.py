"""Rank correlation of a score with people's scores of the same texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from scipy.stats import kendalltau, spearmanr


class RankCorrelation(TypedDict):
    spearman: float | None
    kendall: float | None
    """Tau-b, which allows for ties."""
    n: int


def rank_correlation(ours: Sequence[float], theirs: Sequence[float]) -> RankCorrelation:
    """None where either has fewer than two different values."""
    if len(set(ours)) < 2 or len(set(theirs)) < 2:
        return RankCorrelation(spearman=None, kendall=None, n=len(ours))
    return RankCorrelation(
        spearman=float(spearmanr(ours, theirs).statistic),
        kendall=float(kendalltau(ours, theirs).statistic),
        n=len(ours),
    )

"""Evidence recall: whether the notes that decide a statement were before the judge, and cited."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import NamedTuple


class Found(NamedTuple):
    """`needed`: notes that decide. `ranked`: the note of each fact shown, the best first."""

    needed: frozenset[str]
    ranked: Sequence[str]


def recall_at(item: Found, n: int | None = None) -> float | None:
    """The share of the deciding notes among those of the first `n` facts, or of all."""
    if not item.needed:
        return None
    return len(item.needed & set(item.ranked[:n])) / len(item.needed)


def mean_recall_at(items: Sequence[Found], n: int | None = None) -> float | None:
    """Over the items that need evidence at all."""
    shares = [recall for each in items if (recall := recall_at(each, n)) is not None]
    return fmean(shares) if shares else None


def complete_at(items: Sequence[Found], n: int | None = None) -> float | None:
    """The share of items that have all of their deciding notes there."""
    shares = [recall for each in items if (recall := recall_at(each, n)) is not None]
    return fmean(recall == 1.0 for recall in shares) if shares else None

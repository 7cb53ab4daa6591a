"""Agreement of raters on nominal labels; the engine may be one of them.

Ratings are one row an item, one label a rater, None where a rater did not see it. Gwet's AC1 and
Fleiss' kappa are written out here: irrCAC, which has both, pins a scipy of 2024.

- Gwet 2008, "Computing inter-rater reliability and its variance in the presence of high agreement"
- Fleiss 1971, "Measuring nominal scale agreement among many raters"
- Krippendorff 2011, "Computing Krippendorff's alpha-reliability"
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from statistics import fmean

import krippendorff
from sklearn.metrics import cohen_kappa_score

Ratings = Sequence[Sequence[str | None]]


def percent_agreement(ratings: Ratings) -> float | None:
    """The share of pairs of raters that agree, averaged over items with at least two."""
    counted = [row for row in _counts(ratings) if row.total() > 1]
    return fmean(map(_agreeing, counted)) if counted else None


def gwet_ac1(ratings: Ratings) -> float | None:
    """(observed - chance) / (1 - chance); chance is the sum of p(1-p) over q categories / (q-1).

    Prevalence p is over all items with a label, agreement over those with two or more.
    """
    observed = percent_agreement(ratings)
    counted = [row for row in _counts(ratings) if row]
    categories = set().union(*counted) if counted else set()
    if observed is None:
        return None
    if len(categories) < 2:
        return 1.0
    prevalence = [fmean(row[c] / row.total() for row in counted) for c in categories]
    chance = sum(p * (1 - p) for p in prevalence) / (len(categories) - 1)
    return (observed - chance) / (1 - chance)


def fleiss_kappa(ratings: Ratings) -> float | None:
    """Of items that all have the same number of raters; None otherwise, or where all are alike."""
    counted = _counts(ratings)
    sizes = {row.total() for row in counted}
    observed = percent_agreement(ratings)
    if len(sizes) != 1 or observed is None:
        return None
    everything = sum(counted, Counter())
    chance = sum((n / everything.total()) ** 2 for n in everything.values())
    return (observed - chance) / (1 - chance) if chance < 1 else None


def cohen_kappa(one: Sequence[str], two: Sequence[str]) -> float | None:
    """Of two raters of the same items; None where both use one label only."""
    if not one or len({*one, *two}) < 2:
        return None
    return float(cohen_kappa_score(list(one), list(two)))


def krippendorff_alpha(ratings: Ratings) -> float | None:
    """Nominal; items with one label or none say nothing."""
    counted = [row for row in _counts(ratings) if row.total() > 1]
    categories = sorted(set().union(*counted)) if counted else []
    if len(categories) < 2:
        return None
    table = [[row[c] for c in categories] for row in counted]
    return float(krippendorff.alpha(value_counts=table, level_of_measurement="nominal"))


def majority(labels: Sequence[str | None]) -> str | None:
    """The label that most gave; None where two are equally many."""
    ranked = Counter(label for label in labels if label is not None).most_common(2)
    if not ranked or (len(ranked) == 2 and ranked[0][1] == ranked[1][1]):
        return None
    return ranked[0][0]


def human_ceiling(ratings: Ratings) -> float | None:
    """How often one rater says what the majority of the others says: what a judge could reach.

    Left out are those whose others are even. The mean of raters' shares.
    """
    raters = max((len(row) for row in ratings), default=0)
    shares = []
    for rater in range(raters):
        pairs = [
            (row[rater], majority([*row[:rater], *row[rater + 1 :]]))
            for row in ratings
            if rater < len(row)
        ]
        agreeing = [
            one == others for one, others in pairs if one is not None and others is not None
        ]
        if agreeing:
            shares.append(fmean(agreeing))
    return fmean(shares) if shares else None


def pairwise_cohen(ratings: Ratings) -> float | None:
    """The mean of Cohen's kappa over all pairs of raters (Light 1971)."""
    raters = max((len(row) for row in ratings), default=0)
    kappas = []
    for a, b in combinations(range(raters), 2):
        both = [
            (x, y)
            for row in ratings
            if b < len(row) and (x := row[a]) is not None and (y := row[b]) is not None
        ]
        kappa = cohen_kappa([x for x, _ in both], [y for _, y in both])
        if kappa is not None:
            kappas.append(kappa)
    return fmean(kappas) if kappas else None


def _counts(ratings: Ratings) -> list[Counter[str]]:
    return [Counter(label for label in row if label is not None) for row in ratings]


def _agreeing(row: Counter[str]) -> float:
    pairs = row.total() * (row.total() - 1)
    return sum(n * (n - 1) for n in row.values()) / pairs

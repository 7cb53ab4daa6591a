"""Confusion tables and what is read off them.

Nothing leaves a denominator: an item that is abstained, failed or unjudged has not been given its
label. How many of them there are is always told beside.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import TypedDict

from sklearn.metrics import confusion_matrix

from agents.evaluation.measures.outcomes import LABELS, OUTCOMES, Label, Outcome, share


class Binary(TypedDict):
    """Of one question with two answers, the first of which is the one looked for."""

    sensitivity: float | None
    specificity: float | None
    ppv: float | None
    npv: float | None


Table = dict[Label, dict[Outcome, int]]


def table(gold: Sequence[Label], outcomes: Sequence[Outcome]) -> Table:
    """Label -> outcome -> count, zeros too."""
    empty: Table = {label: dict.fromkeys(OUTCOMES, 0) for label in LABELS}
    if not gold:
        return empty
    counts = confusion_matrix(list(gold), list(outcomes), labels=list(OUTCOMES))
    for row, label in zip(counts, OUTCOMES, strict=True):
        if label in empty:
            empty[label] = {o: int(n) for o, n in zip(OUTCOMES, row, strict=True)}
    return empty


def accuracy(gold: Sequence[Label], outcomes: Sequence[Outcome]) -> float | None:
    """3-way: the share of all items that were given their label."""
    return share(sum(g == s for g, s in zip(gold, outcomes, strict=True)), len(gold))


def balanced_accuracy(gold: Sequence[Label], outcomes: Sequence[Outcome]) -> float | None:
    """The mean, over the labels that occur, of the share that was given the label."""
    given: dict[Label, list[bool]] = {}
    for label, outcome in zip(gold, outcomes, strict=True):
        given.setdefault(label, []).append(label == outcome)
    return fmean(map(fmean, given.values())) if given else None


def per_label(gold: Sequence[Label], outcomes: Sequence[Outcome]) -> dict[Label, Binary]:
    """One label against all others."""
    return {
        label: _binary(
            [g == label for g in gold],
            [s == label for s in outcomes],
            [s != label for s in outcomes],
        )
        for label in LABELS
    }


def of_wrong(gold: Sequence[Label], outcomes: Sequence[Outcome]) -> Binary:
    """Looked for: statements that are not `supported`.

    To abstain is neither answer: it finds no wrong statement and clears no right one.
    """
    return _binary(
        [g != "supported" for g in gold],
        [s in ("not_supported", "not_addressed") for s in outcomes],
        [s == "supported" for s in outcomes],
    )


def _binary(is_so: Sequence[bool], yes: Sequence[bool], no: Sequence[bool]) -> Binary:
    hits = sum(a and b for a, b in zip(is_so, yes, strict=True))
    cleared = sum(not a and b for a, b in zip(is_so, no, strict=True))
    return Binary(
        sensitivity=share(hits, sum(is_so)),
        specificity=share(cleared, len(is_so) - sum(is_so)),
        ppv=share(hits, sum(yes)),
        npv=share(cleared, sum(no)),
    )

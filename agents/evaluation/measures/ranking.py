"""How well confidence puts wrong statements before right ones, whatever the threshold."""

from __future__ import annotations

from collections.abc import Sequence

from sklearn.metrics import average_precision_score, roc_auc_score

from agents.evaluation.measures.outcomes import Outcome

UNKNOWN = 0.5
"""An abstention says nothing of the direction."""


def unsupported_score(
    outcome: Outcome, confidence: float, supported: float | None = None
) -> float | None:
    """The probability that the statement is not `supported`; None where there was no answer.

    `confidence` is the probability that the verdict is right, `supported` that of support, where
    the judge says it: then it alone counts.
    """
    if supported is not None and outcome != "failed":
        return 1.0 - supported
    if outcome == "supported":
        return 1.0 - confidence
    if outcome in ("not_supported", "not_addressed"):
        return confidence
    return UNKNOWN if outcome == "abstained" else None


def auroc(wrong: Sequence[bool], score: Sequence[float]) -> float | None:
    """The probability that a wrong statement scores above a right one; ties count half."""
    if len(set(wrong)) < 2:
        return None
    return float(roc_auc_score(list(wrong), list(score)))


def average_precision(wrong: Sequence[bool], score: Sequence[float]) -> float | None:
    """Of wrong statements; what chance gives is their share."""
    if not any(wrong):
        return None
    return float(average_precision_score(list(wrong), list(score)))

"""Several people on the same statements: how they agree, and what a judge could reach at most."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agents.evaluation.measures.agreement import (
    cohen_kappa,
    fleiss_kappa,
    gwet_ac1,
    human_ceiling,
    krippendorff_alpha,
    majority,
    pairwise_cohen,
    percent_agreement,
)
from agents.evaluation.measures.outcomes import share
from agents.evaluation.running.results import ItemResult
from agents.evaluation.scoring.statements import statements
from agents.evaluation.scoring.systems import ours


def agreement(results: Sequence[ItemResult]) -> dict[str, Any] | None:
    """None where no statement has labels of two people."""
    spans = [span for item in results for span in item.spans]
    rated = [span.raters for span in spans if sum(r is not None for r in span.raters) > 1]
    if not rated:
        return None
    return {
        "statements": len(rated),
        "raters": max(map(len, rated)),
        "without_majority": sum(majority(row) is None for row in rated),
        "percent": percent_agreement(rated),
        "gwet_ac1": gwet_ac1(rated),
        "fleiss_kappa": fleiss_kappa(rated),
        "cohen_kappa": pairwise_cohen(rated),
        "krippendorff_alpha": krippendorff_alpha(rated),
        "human_ceiling": human_ceiling(rated),
        "chartproof": _beside(results),
    }


def _beside(results: Sequence[ItemResult]) -> dict[str, Any]:
    """Ours against the label that people came to, as one more rater."""
    pairs = [(each.label, ours(each).outcome) for each in statements(results)]
    both = [[gold, outcome] for gold, outcome in pairs]
    return {
        "accuracy": share(sum(g == s for g, s in pairs), len(pairs)),
        "gwet_ac1": gwet_ac1(both),
        "cohen_kappa": cohen_kappa([g for g, _ in pairs], [s for _, s in pairs]),
    }

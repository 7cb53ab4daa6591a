"""What a run has cost, by stage and model, charts and items together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agents.evaluation.running.cost import Cost
from agents.evaluation.running.results import ChartResult, ItemResult


def cost(items: Sequence[ItemResult], charts: Sequence[ChartResult]) -> dict[str, Any]:
    """`stages`: name -> cost; `stage: model` are within the stage. Baselines are no part of us."""
    stages: dict[str, Cost] = {}
    for costs in [each.costs for each in items] + [each.costs for each in charts]:
        for name, spent in costs.items():
            stages[name] = stages.get(name, Cost()).plus(spent)
    propositions = [each for item in items for each in item.propositions]
    return {
        "stages": {name: stages[name]._asdict() for name in sorted(stages)},
        "items": len(items),
        "propositions": len(propositions),
        "judge_calls": sum(each.judge_calls for each in propositions),
        "rounds": sum(each.rounds for each in propositions),
        "notes": sum(chart.notes for chart in charts),
        "intake": _outcomes(charts),
    }


def _outcomes(charts: Sequence[ChartResult]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for chart in charts:
        for outcome, n in chart.intake.items():
            counts[outcome] = counts.get(outcome, 0) + n
    return dict(sorted(counts.items()))

"""The figures of one system on one set of statements, with intervals over patients."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agents.evaluation.measures.alerts import alert_curve, alert_rates, precision_at_recall
from agents.evaluation.measures.bootstrap import Interval, Rows, percentile_interval, resampled
from agents.evaluation.measures.calibration_error import brier, ece
from agents.evaluation.measures.confusion import (
    accuracy,
    balanced_accuracy,
    of_wrong,
    per_label,
    table,
)
from agents.evaluation.measures.coverage import area_under_risk, coverage_at_risk, risk_curve
from agents.evaluation.measures.false_rates import false_rates
from agents.evaluation.measures.outcomes import DECIDED, LABELS, Label, Outcome
from agents.evaluation.measures.ranking import auroc, average_precision
from agents.evaluation.scoring.statements import Statement
from agents.evaluation.scoring.systems import Answer

RECALLS = (0.5, 0.8, 0.9)
RISKS = (0.05, 0.1)


@dataclass(frozen=True)
class Judged:
    """Statements with a system's answers, as columns."""

    groups: tuple[str, ...]
    gold: tuple[Label, ...]
    answers: tuple[Answer, ...]

    @classmethod
    def of(cls, statements: Sequence[Statement], answers: Sequence[Answer]) -> Judged:
        return cls(
            tuple(each.group for each in statements),
            tuple(each.label for each in statements),
            tuple(answers),
        )

    def at(self, rows: Rows) -> Judged:
        return Judged(
            tuple(self.groups[n] for n in rows),
            tuple(self.gold[n] for n in rows),
            tuple(self.answers[n] for n in rows),
        )

    @property
    def outcomes(self) -> list[Outcome]:
        return [answer.outcome for answer in self.answers]

    @property
    def wrong(self) -> list[bool]:
        return [label != "supported" for label in self.gold]

    @property
    def scored(self) -> tuple[list[bool], list[float]]:
        """Of those with a score: whether wrong, and the score."""
        pairs = [
            (wrong, answer.score)
            for wrong, answer in zip(self.wrong, self.answers, strict=True)
            if answer.score is not None
        ]
        return [wrong for wrong, _ in pairs], [score for _, score in pairs]

    @property
    def decided(self) -> tuple[list[float], list[bool]]:
        """Of those decided: the confidence, and whether the verdict is the label."""
        pairs = [
            (answer.confidence, answer.outcome == label)
            for label, answer in zip(self.gold, self.answers, strict=True)
            if answer.outcome in DECIDED
        ]
        return [confidence for confidence, _ in pairs], [right for _, right in pairs]

    @property
    def called(self) -> tuple[list[float], list[bool], list[bool]]:
        """Of those decided: the confidence, whether false, and whether called so."""
        rows = [
            (answer.confidence, wrong, answer.outcome != "supported")
            for wrong, answer in zip(self.wrong, self.answers, strict=True)
            if answer.outcome in DECIDED
        ]
        return [c for c, _, _ in rows], [w for _, w, _ in rows], [s for _, _, s in rows]


Headline = Callable[[Judged], float | None]
HEADLINES: Mapping[str, Headline] = {
    "accuracy": lambda j: accuracy(j.gold, j.outcomes),
    "balanced_accuracy": lambda j: balanced_accuracy(j.gold, j.outcomes),
    "false_support": lambda j: false_rates(j.gold, j.outcomes)["false_support"],
    "false_alarm": lambda j: false_rates(j.gold, j.outcomes)["false_alarm"],
    "auroc": lambda j: auroc(*j.scored),
    "average_precision": lambda j: average_precision(*j.scored),
    "alert_precision": lambda j: alerts(j)["precision"],
    "alert_recall": lambda j: alerts(j)["recall"],
}
"""Those that stand in the first table, with an interval each."""


def alerts(judged: Judged) -> Any:  # noqa: ANN401 - a TypedDict
    return alert_rates(judged.wrong, [answer.alerted for answer in judged.answers])


def figures(judged: Judged, *, seed: int, resamples: int) -> dict[str, Any]:
    """All figures; what is undefined is None. No intervals with `resamples` 0."""
    confidence, right = judged.decided
    wrong, score = judged.scored
    curve = alert_curve(wrong, score)
    risk = risk_curve(confidence, right, len(judged.gold))
    return {
        "n": len(judged.gold),
        "groups": len(set(judged.groups)),
        "labels": {label: judged.gold.count(label) for label in LABELS},
        "headline": headline(judged, seed=seed, resamples=resamples),
        "false_rates": false_rates(judged.gold, judged.outcomes),
        "of_wrong": of_wrong(judged.gold, judged.outcomes),
        "per_label": per_label(judged.gold, judged.outcomes),
        "confusion": table(judged.gold, judged.outcomes),
        "alerts": alerts(judged),
        "alert_precision_at_recall": {str(r): precision_at_recall(curve, r) for r in RECALLS},
        "ece": ece(confidence, right),
        "brier": brier(confidence, right),
        "area_under_risk": area_under_risk(risk),
        "coverage_at_risk": {str(r): coverage_at_risk(risk, r) for r in RISKS},
    }


def headline(judged: Judged, *, seed: int, resamples: int) -> dict[str, dict[str, Any]]:
    """Name -> value and interval; all are taken from the same resamples."""
    drawn = [judged.at(rows) for rows in resampled(judged.groups, resamples, seed)]
    named: dict[str, dict[str, Any]] = {}
    for name, of in HEADLINES.items():
        values = [value for each in drawn if (value := of(each)) is not None]
        named[name] = {
            "value": of(judged),
            "interval": as_list(percentile_interval(values, resamples)) if resamples else None,
        }
    return named


def as_list(limits: Interval | None) -> list[float] | None:
    """As JSON has it."""
    return list(limits) if limits else None

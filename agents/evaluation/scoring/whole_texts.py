"""What is said of whole texts: false or not, against a reference, and beside people's scores."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import Any

from agents.evaluation.measures.aggregation import Rule, f1_false, is_false
from agents.evaluation.measures.correlation import rank_correlation
from agents.evaluation.measures.outcomes import Outcome, share
from agents.evaluation.measures.reference import by_section, claim_scores
from agents.evaluation.running.results import ItemResult, outcome_of
from agents.evaluation.scoring.statements import Statement
from agents.evaluation.scoring.systems import Answer

RULES: tuple[tuple[str, Rule, int], ...] = (
    ("or false", "or_false", 1),
    ("and false", "and_false", 1),
    ("majority", "majority", 1),
    ("at least 2", "threshold", 2),
    ("at least 3", "threshold", 3),
    ("at least 5", "threshold", 5),
)


def text_f1(statements: Sequence[Statement], answers: Sequence[Answer]) -> dict[str, Any]:
    """F1 of the false texts, by each rule; people's labels are aggregated by the same rule."""
    held: dict[tuple[str, str], list[tuple[bool, bool]]] = {}
    for each, answer in zip(statements, answers, strict=True):
        pair = (each.label != "supported", answer.outcome != "supported")
        held.setdefault((each.dataset, each.item_id), []).append(pair)
    by_rule = {}
    for name, rule, k in RULES:
        gold = [is_false([g for g, _ in some], rule, k) for some in held.values()]
        called = [is_false([s for _, s in some], rule, k) for some in held.values()]
        by_rule[name] = {
            "f1": f1_false(gold, called),
            "false": sum(gold),
            "called_false": sum(called),
        }
    return by_rule


def references(results: Sequence[ItemResult]) -> dict[str, Any] | None:
    """Claim recall and precision against reference texts, the mean over examples; by section."""
    recall = {r.example: r for r in results if r.role == "of_reference"}
    precision = {r.example: r for r in results if r.role == "against_reference"}
    both = [name for name in recall if name in precision]
    if not both:
        return None
    each = [claim_scores(_outcomes(recall[name]), _outcomes(precision[name])) for name in both]
    return {
        "examples": len(both),
        **{
            name: _mean([scores[name] for scores in each]) for name in ("recall", "precision", "f1")
        },
        "by_section": by_section(
            [pair for name in both for pair in _sections(recall[name])],
            [pair for name in both for pair in _sections(precision[name])],
        ),
    }


def citations(results: Sequence[ItemResult]) -> dict[str, float | None] | None:
    """Mean over the texts whose citations were checked."""
    checked = [r.citations for r in results if r.citations is not None]
    if not checked:
        return None
    return {
        "texts": float(len(checked)),
        "recall": _mean([each.recall for each in checked]),
        "precision": _mean([each.precision for each in checked]),
    }


def beside_people(results: Sequence[ItemResult]) -> dict[str, Any]:
    """Human score -> rank correlation with each of ours over the texts that have it."""
    texts = [r for r in results if r.role == "text" and r.human and r.error is None]
    recall = {r.example: r for r in results if r.role == "of_reference"}
    precision = {r.example: r for r in results if r.role == "against_reference"}
    ours = {
        "supported share": {r.item_id: _support(r) for r in texts},
        "claim recall": {r.item_id: _support(recall.get(r.example)) for r in texts},
        "claim precision": {r.item_id: _support(precision.get(r.example)) for r in texts},
    }
    names = sorted({name for r in texts for name in r.human})
    return {
        name: {
            mine: rank_correlation(
                [s for r in texts if name in r.human and (s := values[r.item_id]) is not None],
                [r.human[name] for r in texts if name in r.human and values[r.item_id] is not None],
            )
            for mine, values in ours.items()
        }
        for name in names
    }


def _support(result: ItemResult | None) -> float | None:
    if result is None:
        return None
    outcomes = _outcomes(result)
    return share(sum(o == "supported" for o in outcomes), len(outcomes))


def _outcomes(result: ItemResult) -> list[Outcome]:
    return [outcome_of(each.verdict) for each in result.propositions]


def _sections(result: ItemResult) -> list[tuple[str, Outcome]]:
    return [(each.section or "", outcome_of(each.verdict)) for each in result.propositions]


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known else None

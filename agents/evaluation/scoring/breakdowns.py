"""The same errors by what statements are: their kind, their words, the evidence they need."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from agents.evaluation.measures.evidence import Found, complete_at, mean_recall_at
from agents.evaluation.measures.false_rates import false_rates
from agents.evaluation.measures.outcomes import share
from agents.evaluation.scoring.statements import Statement
from agents.evaluation.scoring.systems import Answer

OVERLAPS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
AT = (1, 3, 5, 10, 12, 25, 50, 100, 150)
"""Facts shown, for evidence recall."""


def by(
    statements: Sequence[Statement],
    answers: Sequence[Answer],
    name: Callable[[Statement], str],
) -> dict[str, dict[str, Any]]:
    """Name -> how many there are, how many were given their label, and the two false rates."""
    held: dict[str, list[tuple[Statement, Answer]]] = {}
    for pair in zip(statements, answers, strict=True):
        held.setdefault(name(pair[0]), []).append(pair)
    return {key: _row(held[key]) for key in sorted(held)}


def _row(some: Sequence[tuple[Statement, Answer]]) -> dict[str, Any]:
    gold = [each.label for each, _ in some]
    outcomes = [answer.outcome for _, answer in some]
    rates = false_rates(gold, outcomes)
    return {
        "n": len(some),
        "wrong": sum(label != "supported" for label in gold),
        "right_verdict": share(sum(g == s for g, s in zip(gold, outcomes, strict=True)), len(some)),
        "false_support": rates["false_support"],
        "false_alarm": rates["false_alarm"],
        "unjudged": rates["unjudged_right"] + rates["unjudged_wrong"],
    }


def kind_of(statement: Statement) -> str:
    return statement.kind


def overlap_of(statement: Statement) -> str:
    """The share of its words that stand in the chart, in fifths."""
    n = min(int(statement.overlap * (len(OVERLAPS) - 1)), len(OVERLAPS) - 2)
    return f"{OVERLAPS[n]:.1f}-{OVERLAPS[n + 1]:.1f}"


def evidence_of(statement: Statement) -> str:
    """How many notes it takes."""
    n = len(statement.needed)
    return str(n) if n < 3 else "3+"


def evidence_recall(statements: Sequence[Statement]) -> dict[str, Any]:
    """Deciding notes among the first N facts shown, among all shown, and among those cited."""
    shown = [_found(each, cited=False) for each in statements if each.propositions]
    cited = [_found(each, cited=True) for each in statements if each.propositions]
    most = max((len(each.ranked) for each in shown), default=0)
    return {
        "n": sum(bool(each.needed) for each in shown),
        "shown_at": {str(n): mean_recall_at(shown, n) for n in AT if n <= most},
        "shown": mean_recall_at(shown),
        "all_shown": complete_at(shown),
        "cited": mean_recall_at(cited),
        "all_cited": complete_at(cited),
    }


def _found(statement: Statement, *, cited: bool) -> Found:
    """The facts of its propositions by turns, the best of each first."""
    rows = [
        [fact.note_id for fact in each.shown if fact.cited or not cited]
        for each in statement.propositions
    ]
    longest = max(map(len, rows), default=0)
    ranked = [row[n] for n in range(longest) for row in rows if n < len(row)]
    return Found(statement.needed, ranked)

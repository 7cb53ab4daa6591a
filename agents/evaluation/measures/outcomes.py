"""The words of the measures: gold labels, and what may come out for an item."""

from __future__ import annotations

from typing import Literal, get_args

Label = Literal["supported", "not_supported", "not_addressed"]
"""What the chart says of a statement, by people."""
Outcome = Literal["supported", "not_supported", "not_addressed", "abstained", "failed", "unjudged"]
"""What the engine says: a verdict, or `unjudged` where it took the words for no statement."""

LABELS: tuple[Label, ...] = get_args(Label)
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
SUPPORTED: Label = "supported"
DECIDED: tuple[Outcome, ...] = ("supported", "not_supported", "not_addressed")
NOT_ANSWERED: tuple[Outcome, ...] = ("failed", "unjudged")
WORST_FIRST: tuple[Outcome, ...] = (
    "failed",
    "not_supported",
    "not_addressed",
    "abstained",
    "supported",
    "unjudged",
)
"""Of several propositions the worst counts; what is unjudged says nothing beside one that is."""


def worst(outcomes: list[Outcome]) -> Outcome:
    """Of the propositions of one statement; without any it is `unjudged`."""
    return min(outcomes, key=WORST_FIRST.index, default="unjudged")


def share(part: float, whole: float) -> float | None:
    """None of nothing."""
    return part / whole if whole else None

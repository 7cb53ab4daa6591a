"""False support and false alarm: the two errors that a reader pays for, always told together.

Each alone is easy to bring to zero: by calling everything wrong, or nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from agents.evaluation.measures.outcomes import NOT_ANSWERED, Label, Outcome, share


class FalseRates(TypedDict):
    """Failed and unjudged items are in neither rate: they are counted here.

    An abstention is no support, so it is never false support; on a right statement it is an alarm
    ("anything else" than supported).
    """

    false_support: float | None
    """Of the wrong statements that were answered: called `supported`."""
    false_alarm: float | None
    """Of the right statements that were answered: called anything else."""
    wrong: int
    right: int
    abstained: int
    failed: int
    unjudged_wrong: int
    unjudged_right: int


def false_rates(gold: Sequence[Label], outcomes: Sequence[Outcome]) -> FalseRates:
    pairs = list(zip(gold, outcomes, strict=True))
    answered = [(g, s) for g, s in pairs if s not in NOT_ANSWERED]
    wrong = [s for g, s in answered if g != "supported"]
    right = [s for g, s in answered if g == "supported"]
    return FalseRates(
        false_support=share(sum(s == "supported" for s in wrong), len(wrong)),
        false_alarm=share(sum(s != "supported" for s in right), len(right)),
        wrong=len(wrong),
        right=len(right),
        abstained=sum(s == "abstained" for _, s in answered),
        failed=sum(s == "failed" for _, s in pairs),
        unjudged_wrong=sum(s == "unjudged" and g != "supported" for g, s in pairs),
        unjudged_right=sum(s == "unjudged" and g == "supported" for g, s in pairs),
    )

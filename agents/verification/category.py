"""What a judged proposition is about, by what a wrong one may do: its words and its section say it,
and a side in conflict with the chart says more."""

from __future__ import annotations

from collections.abc import Collection

from agents.topic import about, is_allergy
from schemas.propositions import Proposition
from schemas.verdicts import Category

_CONFLICTS = {"side": Category.SIDE}
"""A check of the cpu judge that found a conflict -> what the proposition is about."""


def category_of(proposition: Proposition, checks: Collection[str] = ()) -> Category:
    """`checks`: those that decided against it. `other` when no rule fits.

    "side" is a contradicted side, not every mention of a leg.
    """
    text, section = proposition.text, proposition.section or ""
    if is_allergy(text, section):
        return Category.ALLERGY
    for check in checks:
        if check in _CONFLICTS:
            return _CONFLICTS[check]
    return about(text, section)

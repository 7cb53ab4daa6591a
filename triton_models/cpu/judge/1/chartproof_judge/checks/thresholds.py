"""Thresholds: a number that is a condition or a goal is no value: `transfuse for Hgb < 7`."""

from __future__ import annotations

from dataclasses import replace

from ..finding import Finding
from ..statement import Statement
from ..when import When
from . import numbers


def check(proposition: Statement, fact: Statement, when: When) -> list[Finding]:
    """One finding for each quantity of the proposition: `numbers`, by the values that were found.

    A condition or goal in the proposition may be one in the fact too.
    """
    found = numbers.check(proposition, fact, when)
    if not any(fact.thresholds):
        return found
    real = tuple(
        each for each, only in zip(fact.quantities, fact.thresholds, strict=True) if not only
    )
    stated = numbers.check(proposition, replace(fact, quantities=real), when)
    return [
        loose if condition else _settled(loose, strict)
        for loose, strict, condition in zip(found, stated, proposition.thresholds, strict=True)
    ]


def _settled(loose: Finding, strict: Finding) -> Finding:
    if loose.outcome == "agree" and strict.outcome == "missing":
        reason = f"the chart gives it only as a condition or a goal: {loose.reason}"
        return Finding("thresholds", "missing", reason.removesuffix(" is in the chart"))
    return strict

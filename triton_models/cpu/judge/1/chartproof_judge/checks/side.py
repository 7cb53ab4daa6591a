"""Side: left or right, upper or lower, of the same thing."""

from __future__ import annotations

from ..finding import Finding
from ..sides import Side
from ..statement import Statement

_ONE = frozenset(("left", "right"))


def check(proposition: Statement, fact: Statement) -> list[Finding]:
    """One finding for each side that the proposition says."""
    return [_judge(side, fact.sides) for side in proposition.sides]


def _judge(wanted: Side, given: tuple[Side, ...]) -> Finding:
    of_axis = [side for side in given if side.axis == wanted.axis]
    same_noun = [side for side in of_axis if side.nouns & wanted.nouns]
    elsewhere = [side for side in of_axis if side.nouns and side.value not in side.nouns]
    elsewhere = elsewhere if wanted.nouns else []
    values = {side.value for side in same_noun or of_axis}
    of_others = not same_noun and elsewhere == of_axis and wanted.value in values & _ONE
    if not values or of_others:
        return Finding("side", "missing", f"the chart does not say {wanted.value}")
    if wanted.value in values or (wanted.value == "both" and {"left", "right"} <= values):
        return Finding("side", "agree", f"{wanted.value} is in the chart")
    reason = f"the chart says {' and '.join(sorted(values))}, not {wanted.value}"
    if values == {"both"}:
        reason = f"the chart says both sides, not the {wanted.value} one alone"
    return Finding("side", "conflict", reason, strength=1.0 if same_noun else 0.6)

"""Numbers with units: the same measure with another value is a contradiction."""

from __future__ import annotations

from ..finding import Finding
from ..quantities import Quantity
from ..statement import Statement

_KIND_NAMES = {
    "age": "age", "date": "date", "duration": "duration", "ago": "time", "frequency": "frequency",
    "pair": "value", "fraction": "value", "value": "value",
}  # fmt: skip


def check(proposition: Statement, fact: Statement) -> list[Finding]:
    """One finding for each quantity of the proposition."""
    return [_judge(quantity, fact.quantities) for quantity in proposition.quantities]


def _judge(wanted: Quantity, given: tuple[Quantity, ...]) -> Finding:
    name = _name(wanted)
    rivals: list[Quantity] = []
    old: Quantity | None = None
    for other in given:
        if not comparable(wanted, other):
            continue
        if equal(wanted, other):
            if other.outdated and not wanted.outdated:
                old = other
                continue
            if wanted.negated != other.negated:
                said = "denies" if other.negated else "gives"
                reason = f"the chart {said} {name} {other.written}"
                return Finding(check_name(wanted), "conflict", reason)
            return Finding(check_name(wanted), "agree", f"{name} {wanted.written} is in the chart")
        rivals.append(other)
    if rivals:
        rival = next((r for r in rivals if not r.outdated), rivals[0])
        reason = f"the chart gives {name} as {rival.written}, not {wanted.written}"
        same_anchor = wanted.anchor is not None and rival.anchor == wanted.anchor
        return Finding(check_name(wanted), "conflict", reason, strength=1.0 if same_anchor else 0.7)
    if old is not None:
        return Finding(check_name(wanted), "agree", f"{name} was {old.written}", strength=0.5)
    return Finding(
        check_name(wanted), "missing", f"the chart does not give {name} {wanted.written}"
    )


def check_name(wanted: Quantity) -> str:
    if wanted.kind in ("date", "ago", "duration"):
        return "dates"
    return "demographics" if wanted.kind == "age" else "numbers"


def _name(wanted: Quantity) -> str:
    kind = _KIND_NAMES[wanted.kind]
    if wanted.anchor and wanted.anchor != "age":
        return wanted.anchor if kind == "value" else f"the {kind} of {wanted.anchor}"
    return f"the {kind}"


def comparable(wanted: Quantity, other: Quantity) -> bool:
    """Whether two quantities measure the same thing, so that a difference is a contradiction."""
    if wanted.kind == "date" and other.kind == "fraction":  # BMP 2/18
        return wanted.low == other.low * 100 + other.high
    kinds = {wanted.kind, other.kind}
    if len(kinds) > 1 and kinds != {"duration", "ago"}:
        return False
    if wanted.dimension != other.dimension and wanted.dimension and other.dimension:
        return False
    if wanted.anchor or other.anchor:
        return wanted.anchor == other.anchor or (
            equal(wanted, other) and not (wanted.anchor and other.anchor)
        )
    if wanted.kind == "value" and not (wanted.dimension and other.dimension):
        return bool(wanted.context & other.context) or equal(wanted, other)
    return True


def equal(wanted: Quantity, other: Quantity) -> bool:
    """Whether the chart's value makes the proposition's true."""
    if wanted.kind != other.kind and "fraction" in (wanted.kind, other.kind):
        return True  # a date, and comparable
    slack = 0.1 if wanted.rough or other.rough else 0.012
    low, high = wanted.low, wanted.high
    given = (other.low, other.high)
    if wanted.dimension != other.dimension:  # one of them names no unit
        (low, high), given = wanted.said, other.said
    if wanted.operator == "=" or other.operator != "=":
        if "=" not in (wanted.operator, other.operator) and wanted.operator != other.operator:
            return False
        if low == high and given[0] != given[1] and wanted.kind == "value":  # an end of a range
            return _near(low, given[0], slack) or _near(low, given[1], slack)
        return _near(low, given[0], slack) and _near(high, given[1], slack)
    return given[1] <= low if wanted.operator == "<" else given[0] >= low


def _near(one: float, two: float, slack: float) -> bool:
    if one >= 1000 and two >= 1000 and slack < 0.05:
        slack = 0.0005  # years, large counts
    return abs(one - two) <= slack * max(abs(one), abs(two)) + 1e-9

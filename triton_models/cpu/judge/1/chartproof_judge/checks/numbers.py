"""Numbers with units: the same measure with another value, or in another unit, contradicts."""

from __future__ import annotations

from ..compare import comparable, relate
from ..finding import Finding
from ..quantities import Quantity
from ..statement import Statement
from ..vocabulary.tables import word_set

_NAMES = {
    "age": ("demographics", "age"), "date": ("dates", "date"), "day": ("dates", "day"),
    "clock": ("dates", "time"), "ago": ("dates", "time"), "duration": ("durations", "duration"),
    "frequency": ("frequencies", "frequency"),
}  # fmt: skip
"""Kind -> the check that judges it, and what it is called in a reason."""
_EARLIER = word_set("initially initial previously earlier admission presentation baseline prior")
"""A proposition with one of these speaks of a value that may since have changed."""


def check(proposition: Statement, fact: Statement) -> list[Finding]:
    """One finding for each quantity of the proposition."""
    earlier = bool(_EARLIER & set(proposition.words))
    return [_judge(quantity, fact.quantities, earlier) for quantity in proposition.quantities]


def _judge(wanted: Quantity, given: tuple[Quantity, ...], earlier: bool) -> Finding:
    named = _name(wanted)
    check_name = name_of(wanted)
    rivals: list[Quantity] = []
    old: Quantity | None = None
    for other in given:
        if not comparable(wanted, other):
            continue
        relation = relate(wanted, other)
        if relation == "agree":
            if other.outdated and not (wanted.outdated or earlier):
                old = other
                continue
            if wanted.negated != other.negated:
                said = "denies" if other.negated else "gives"
                return Finding(check_name, "conflict", f"the chart {said} {named} {other.written}")
            return Finding(check_name, "agree", f"{named} {wanted.written} is in the chart")
        if relation == "conflict":
            rivals.append(other)
    if rivals:
        rival = next((r for r in rivals if not r.outdated), rivals[0])
        same_anchor = wanted.anchor is not None and rival.anchor == wanted.anchor
        if wanted.said == rival.said and wanted.kind == "value":
            check_name = "units"
        reason = f"the chart gives {named} as {rival.written}, not {wanted.written}"
        return Finding(check_name, "conflict", reason, strength=1.0 if same_anchor else 0.7)
    if old is not None:
        return Finding(check_name, "agree", f"{named} was {old.written}", strength=0.5)
    reason = f"the chart does not give {named} {wanted.written}"
    return Finding(check_name, "missing", reason)


def name_of(wanted: Quantity) -> str:
    """The check that judges a quantity of this kind."""
    return _NAMES.get(wanted.kind, ("numbers", ""))[0]


def _name(wanted: Quantity) -> str:
    kind = _NAMES.get(wanted.kind, ("", "value"))[1]
    if wanted.anchor and wanted.anchor != "age":
        return wanted.anchor if kind == "value" else f"the {kind} of {wanted.anchor}"
    return f"the {kind}"

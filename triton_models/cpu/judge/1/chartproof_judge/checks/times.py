"""Times said in words, and those that a note's own date turns into days: another one contradicts."""

from __future__ import annotations

from datetime import date, timedelta
from typing import NamedTuple

from .. import dates
from ..finding import Finding
from ..quantities import Quantity
from ..statement import Statement
from ..times import Time

NAMES = {"span": "durations", "point": "dates", "part": "times_of_day", "weekday": "dates",
         "order": "order"}  # fmt: skip
"""Kind of time -> the check that judges it."""
SLACK = 1.0
"""Days by which two days may differ of which one is told in words: notes are written after midnight."""


class When(NamedTuple):
    """The day of the text and that of the fact's note, where they are known."""

    text: date | None = None
    note: date | None = None


def check(proposition: Statement, fact: Statement, when: When = When()) -> list[Finding]:
    """A finding for each time of the proposition of which the fact tells one too."""
    found = []
    for wanted in proposition.times:
        rivals = [other for other in fact.times if _comparable(wanted, other, len(fact.times))]
        finding = _judge(wanted, rivals)
        if finding:
            found.append(finding)
    return found


def _comparable(wanted: Time, other: Time, told: int) -> bool:
    """Whether two times are of one kind and of one thing, and not both numbers."""
    if wanted.kind != other.kind or (wanted.counted and other.counted):
        return False
    if wanted.kind == "point" and (wanted.high < 0) != (other.high < 0):
        return False
    shared = wanted.around & other.around
    return bool(shared) if wanted.kind == "order" or told > 1 else True


def _judge(wanted: Time, rivals: list[Time]) -> Finding | None:
    name = NAMES[wanted.kind]
    for other in rivals:
        if wanted.value == other.value and wanted.low <= other.high and other.low <= wanted.high:
            return Finding(name, "agree", f"the chart says {other.written}")
    if not rivals:
        if wanted.kind in ("span", "point") and not wanted.counted and abs(wanted.low) >= 0.3:
            return Finding(name, "missing", f"the chart does not say {wanted.written}")
        return None
    reason = f"the chart says {rivals[0].written}, not {wanted.written}"
    return Finding(name, "conflict", reason, strength=0.8)

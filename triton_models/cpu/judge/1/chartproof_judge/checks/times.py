"""Times said in words, and what dates they are: where the chart tells another one, it contradicts.

A point in time is told from the day of who tells it: that of the note, or that of the text.
"""

from __future__ import annotations

from ..finding import Finding
from ..statement import Statement
from ..times import Time
from ..when import When, of_date, of_point, overlap

NAMES = {"span": "durations", "point": "dates", "part": "times_of_day", "weekday": "dates",
         "order": "order"}  # fmt: skip
"""Kind of time -> the check that judges it."""
SLACK = 1
"""Days by which two days may differ of which one is told in words: notes are written at night."""
EPISODE = 14
"""Days within which a note's `yesterday`, repeated as that of the text, is out of date."""
VAGUE = 0.3
"""Days from which on a time says so much that the chart must have it: more than `today`."""


def check(proposition: Statement, fact: Statement, when: When) -> list[Finding]:
    """A finding for each time of the proposition that the fact tells too, or ought to."""
    found = (_judge(wanted, fact, when) for wanted in proposition.times)
    return [finding for finding in found if finding]


def _judge(wanted: Time, fact: Statement, when: When) -> Finding | None:
    name = NAMES[wanted.kind]
    rivals = [other for other in fact.times if _comparable(wanted, other, len(fact.times))]
    for other in rivals:
        if _same(wanted, other, when):
            return Finding(name, "agree", f"the chart says {other.written}")
    if rivals:
        reason = f"the chart says {rivals[0].written}{_told(when)}, not {wanted.written}"
        return Finding(name, "conflict", reason, strength=0.8)
    if wanted.kind == "point":
        dated = _dated(wanted, fact, when)
        if dated:
            return dated
    if wanted.kind in ("span", "point") and not wanted.counted and abs(wanted.low) >= VAGUE:
        return Finding(name, "missing", f"the chart does not say {wanted.written}")
    return None


def _told(when: When) -> str:
    return f" on {when.note}" if when.note and when.shift else ""


def _comparable(wanted: Time, other: Time, told: int) -> bool:
    """Whether two times are of one kind and of one thing, and not both numbers."""
    if wanted.kind != other.kind or (wanted.counted and other.counted):
        return False
    if wanted.kind == "point" and (wanted.high < 0) != (other.high < 0):
        return False
    if wanted.around & other.around:
        return True
    return wanted.kind != "order" and (told == 1 or not wanted.around)


def _same(wanted: Time, other: Time, when: When) -> bool:
    """Whether the two are as long ago, told from one day or each from its own."""
    if wanted.value != other.value:
        return False
    as_told = wanted.low <= other.high and other.low <= wanted.high
    if wanted.kind not in ("point", "span") or not when.shift:
        return as_told
    mine, theirs = of_point(wanted, when.text), of_point(other, when.note)
    by_day = bool(mine and theirs and overlap(mine, theirs, SLACK))
    to_the_day = wanted.kind == "point" and wanted.low == wanted.high and not wanted.counted
    if to_the_day and abs(when.shift) <= EPISODE:
        return by_day
    return as_told or by_day


def _dated(wanted: Time, fact: Statement, when: When) -> Finding | None:
    """`Last week` against `on March 4`; of several dates none is known to be of this."""
    mine = of_point(wanted, when.text)
    given = [number for number in fact.quantities if number.kind == "date"]
    if not mine or len(given) != 1:
        return None
    theirs = of_date(given[0], when.note or when.text)
    if not theirs:
        return None
    if overlap(mine, theirs, SLACK):
        return Finding("dates", "agree", f"the chart says {given[0].written}")
    reason = f"the chart says {given[0].written}, not {wanted.written}"
    return Finding("dates", "conflict", reason, strength=0.8)

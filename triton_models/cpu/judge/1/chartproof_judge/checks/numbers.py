"""Numbers with units: the same measure with another value, or in another unit, contradicts."""

from __future__ import annotations

from ..compare import comparable, relate
from ..finding import Finding
from ..quantities import Quantity
from ..statement import Statement
from ..vocabulary.tables import word_set
from ..when import When, of_date, of_point, overlap

_NAMES = {
    "age": ("demographics", "age"), "date": ("dates", "date"), "day": ("dates", "day"),
    "clock": ("dates", "time"), "ago": ("dates", "time"), "duration": ("durations", "duration"),
    "frequency": ("frequencies", "frequency"), "size": ("numbers", "size"),
}  # fmt: skip
"""Kind -> the check that judges it, and what it is called in a reason."""
_EARLIER = word_set("initially initial previously earlier admission presentation baseline prior")
"""A proposition with one of these speaks of a value that may since have changed; so does one of a
measure that was so and so, but not one of what it came to, nor one of several values: which of
them went with which is not known."""


TELLING = 62.0
"""Days: a point that is wider (`recently`) bears no date out."""
SLACK = 0.1
"""Share by which `three months ago` may miss a date."""
_SINCE = frozenset(("ago", "duration", "day"))
"""Kinds that grow with every day that passes after the note."""
_NOW = When()


def check(proposition: Statement, fact: Statement, when: When = _NOW) -> list[Finding]:
    """One finding for each quantity of the proposition."""
    told = bool(_EARLIER & set(proposition.words))
    measures = {term.key for term in proposition.terms if term.kind == "measure"}
    values = sum(each.kind == "value" for each in proposition.quantities)
    past = proposition.tense == "past" and values == 1
    given = _as_of_text(fact.quantities, when) if proposition.quantities else []
    found = []
    for wanted in proposition.quantities:
        led = proposition.words[max(0, wanted.start - 1) : wanted.start]
        was = past and wanted.anchor in measures and led != ("to",)
        earlier = told or was
        finding = _judge(wanted, given, earlier)
        if finding.outcome == "missing" and wanted.kind in ("date", "ago"):
            finding = _by_calendar(wanted, fact, when) or finding
        found.append(finding)
    return found


def _as_of_text(given: tuple[Quantity, ...], when: When) -> list[Quantity]:
    """What the note says, and what that has become by the day of the text."""
    found = list(given)
    if when.shift > 0:
        for each in given:
            if each.kind in _SINCE:
                later = when.shift
                found.append(each._replace(low=each.low + later, high=each.high + later))
    return found


def _by_calendar(wanted: Quantity, fact: Statement, when: When) -> Finding | None:
    """A date against what the note tells from its own day, or against that day itself."""
    told = [time for time in fact.times if time.kind == "point" and time.high - time.low <= TELLING]
    given = [number for number in fact.quantities if number.kind == "date"]
    if wanted.kind == "date":
        mine = of_date(wanted, when.text or when.note)
        theirs = [(time.written, of_point(time, when.note)) for time in told]
        if not theirs and not given and when.note:
            days = (when.note, when.note)
            if mine and overlap(mine, days):
                return Finding("dates", "agree", f"the note is of {when.note}")
            return None
    else:
        mine = of_point(wanted, when.text)
        theirs = [(number.written, of_date(number, when.note or when.text)) for number in given]
        theirs += [(time.written, of_point(time, when.note)) for time in told if not time.counted]
    known = [(written, days) for written, days in theirs if days]
    if not mine or not known:
        return None
    slack = 1 + int(wanted.high * SLACK) if wanted.kind == "ago" else 0
    for written, days in known:
        if overlap(mine, days, slack):
            return Finding("dates", "agree", f"the chart says {written}")
    reason = f"the chart says {known[0][0]}, not {wanted.written}"
    return Finding("dates", "conflict", reason, strength=0.7) if len(known) == 1 else None


def _judge(wanted: Quantity, given: list[Quantity], earlier: bool) -> Finding:
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
        if wanted.said == rival.said and _unit(wanted) != _unit(rival):
            check_name = "units"
        reason = f"the chart gives {named} as {_shown(rival)}, not {_shown(wanted)}"
        return Finding(check_name, "conflict", reason, strength=1.0 if same_anchor else 0.7)
    if old is not None:
        return Finding(check_name, "agree", f"{named} was {old.written}", strength=0.5)
    reason = f"the chart does not give {named} {wanted.written}"
    return Finding(check_name, "missing", reason)


def _unit(number: Quantity) -> tuple[str, float] | None:
    return (number.dimension, number.scale) if number.kind in ("value", "size") else None


def _shown(number: Quantity) -> str:
    return number.written if number.operator == "=" else f"{number.operator} {number.written}"


def name_of(wanted: Quantity) -> str:
    """The check that judges a quantity of this kind."""
    return _NAMES.get(wanted.kind, ("numbers", ""))[0]


def _name(wanted: Quantity) -> str:
    kind = _NAMES.get(wanted.kind, ("", "value"))[1]
    if wanted.anchor and wanted.anchor != "age":
        return wanted.anchor if kind == "value" else f"the {kind} of {wanted.anchor}"
    return f"the {kind}"

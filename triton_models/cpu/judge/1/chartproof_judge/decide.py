"""From readings to a verdict: contradiction first, then support, then parts, then silence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .confidence import confidence
from .evidence import Fact, Reading, read
from .finding import Finding
from .reason import explain
from .statement import Statement
from .support import SUPPORT, Support, complete, gather, suffices
from .verdict import Verdict

ALIGNED = {
    "numbers": 0.5, "dates": 0.6, "demographics": 0.3, "negation": 0.5, "assertion": 0.55,
    "procedures": 0.4, "attempts": 0.4, "family_history": 0.5, "side": 0.5, "opposites": 0.6,
    "relatives": 0.45, "allergies": 0.3, "disposition": 0.3, "drugs": 0.45, "substitution": 0.3,
    "units": 0.5, "durations": 0.6, "frequencies": 0.5, "times_of_day": 0.6, "order": 0.6,
}  # fmt: skip
"""Share of the other content that must agree before a difference is a contradiction, by check."""
ALONE = {"negation": 0.3, "procedures": 0.2}
"""The same where no other fact affirms what is denied, or was not done."""
ONE_SLOT = 0.6
"""Similarity of wording above which only a fact of its own outweighs a substitution."""
PART = 0.66
"""Share above which a statement is half said rather than not said."""
PART_MISSING = 0.5
"""The same where a number, a side, a problem or a drug is what is missing."""


class Contradiction(NamedTuple):
    weight: float
    reading: Reading
    finding: Finding


def decide(proposition: Statement, facts: Sequence[Fact]) -> Verdict:
    """Judge one parsed proposition by the facts; their order does not matter."""
    if not proposition.terms and not proposition.quantities:
        return _silent("There is no statement to verify.", 0.0)
    if not facts:
        return _silent("No facts of the chart were found for this.", 0.0)
    readings = [read(proposition, fact) for fact in facts]
    readings.sort(key=_best_first)
    support = gather(proposition, readings)
    against = _contradiction(proposition, readings)
    if against is not None and not _outweighed(proposition, readings, support, against):
        return _contradicted(proposition, readings, against)
    return _supported(proposition, support)


def _best_first(reading: Reading) -> tuple[float, bool, float, int, str]:
    fact = reading.fact
    return -reading.cover, not complete(reading), -fact.score, -fact.order, fact.id


def _contradiction(proposition: Statement, readings: Sequence[Reading]) -> Contradiction | None:
    """The weightiest contradiction among those on the same topic."""
    found: list[Contradiction] = []
    for reading in readings:
        for finding in reading.outcomes("conflict"):
            needed = ALIGNED[finding.check]
            if finding.check in ALONE and not _affirmed(finding, proposition, readings):
                needed = ALONE[finding.check]
            if finding.check == "substitution" and _affirmed(
                finding, proposition, readings, reading.cover - 0.05
            ):
                continue
            if reading.aligned >= needed or finding.alone:
                aligned = max(reading.aligned, 0.8 if finding.alone else 0.0)
                weight = aligned * (0.5 + 0.5 * finding.strength)
                found.append(Contradiction(weight, reading, finding))
    if not found:
        return None
    best = max(found, key=lambda c: c.weight)
    alike = [
        c for c in found if c.finding.check == best.finding.check and c.weight > best.weight - 0.1
    ]
    return max(alike, key=lambda c: (c.reading.fact.order, c.weight))  # the latest of the like


def _affirmed(
    finding: Finding, proposition: Statement, readings: Sequence[Reading], least: float = 0.3
) -> bool:
    """Whether another fact has what this finding is about, without contradicting it."""
    for reading in readings:
        if any(f.about & finding.about for f in reading.findings if f.outcome != "agree"):
            continue
        named = [
            strength >= 0.9
            for term, strength in zip(proposition.terms, reading.matched, strict=True)
            if term.key in finding.about
        ]
        if reading.cover >= least and (all(named) if finding.apart else any(named)):
            return True
    return False


def _outweighed(
    proposition: Statement, readings: Sequence[Reading], support: Support, against: Contradiction
) -> bool:
    """Whether other facts say it outright and are not out of date."""
    current = proposition.tense == "current"
    for reading in readings:
        if (
            complete(reading)
            and _has(proposition, reading, against.finding)
            and reading.cover >= max(SUPPORT - 0.1, against.reading.cover - 0.1)
            and (not current or reading.fact.order >= against.reading.fact.order)
        ):
            return True
    return (
        support.share >= max(SUPPORT, against.reading.aligned)
        and not support.missing
        and against.finding.check in ("substitution", "opposites")
        and not (against.finding.check == "substitution" and against.finding.strength >= ONE_SLOT)
        and not any(r.fact.order < against.reading.fact.order for r in support.readings)
    )


def _has(proposition: Statement, reading: Reading, finding: Finding) -> bool:
    """Whether a fact has the words of which another says the opposite, when it is of words."""
    return not finding.apart or all(
        strength >= PART_MISSING
        for term, strength in zip(proposition.terms, reading.matched, strict=True)
        if term.key in finding.about
    )


def _contradicted(
    proposition: Statement, readings: Sequence[Reading], against: Contradiction
) -> Verdict:
    worst, reading = against.finding, against.reading
    reason = explain(worst.reason, reading.fact.text, worst.about or proposition.keys)
    cited = [*reading.fact.ids]
    older = next(
        (r for r in readings
         if r.fact.order < reading.fact.order and complete(r) and r.cover >= 0.6
         and _has(proposition, r, worst)), None
    )  # fmt: skip
    if older is not None:
        cited.extend(older.fact.ids)
        reason += f" ({reading.fact.time}); this held earlier ({older.fact.time})"
    names = tuple(dict.fromkeys([worst.check, *(f.check for f in reading.outcomes("conflict"))]))
    sure = confidence("contradiction", against.weight)
    return Verdict("not_supported", sure, reason + ".", tuple(dict.fromkeys(cited)), names)


def _supported(proposition: Statement, support: Support) -> Verdict:
    weaker = next((f for r in support.readings[:1] for f in r.outcomes("weaker")), None)
    cited = tuple(dict.fromkeys(id_ for r in support.readings for id_ in r.fact.ids))
    score = support.share - 0.12 * len(support.missing)
    if weaker is not None and support.share >= 0.6:
        reason = explain(weaker.reason, support.readings[0].fact.text, weaker.about) + "."
        return Verdict("not_supported", confidence("weaker", score), reason, cited, (weaker.check,))
    if suffices(support):
        agreed = (f.check for r in support.readings for f in r.outcomes("agree"))
        checks = ("coverage", *dict.fromkeys(agreed))
        reason = f"{len(cited)} facts of the chart together say this."
        if len(cited) == 1:
            keys = proposition.keys
            reason = explain("the chart says", support.readings[0].fact.text, keys) + "."
        return Verdict("supported", confidence("supported", score), reason, cited, checks)
    if cited and support.share >= (PART_MISSING if support.missing else PART):
        reason, checks = _part(proposition, support)
        return Verdict("not_supported", confidence("part", score), reason, cited, checks)
    return _silent("Nothing found in the chart speaks of this.", support.share)


def _silent(reason: str, share: float) -> Verdict:
    return Verdict("not_addressed", confidence("silent", 1 - share), reason, (), ("coverage",))


def _part(proposition: Statement, support: Support) -> tuple[str, tuple[str, ...]]:
    if support.missing:
        lacking = support.missing[0].reason.replace("the chart", "it", 1)
        reason = f"The chart supports only part of this: {lacking}."
        return reason, ("coverage", support.missing[0].check)
    absent = [
        term.surface
        for term, strength in zip(proposition.terms, support.matched, strict=True)
        if strength < 0.5 and term.weight >= 0.5
    ]
    named = ", ".join(dict.fromkeys(absent[:4])) or "the rest"
    return f"The chart supports only part of this; it does not mention {named}.", ("coverage",)

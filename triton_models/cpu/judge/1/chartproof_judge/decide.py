"""From readings to a verdict: contradiction first, then support, then parts, then silence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .checks.coverage import share
from .confidence import confidence
from .evidence import Fact, Reading, read
from .finding import Finding
from .statement import Statement

SUPPORT = 0.72
"""Share of the content that makes a statement supported when every check passes."""
ALIGNED = 0.6
"""Share of the rest of the content that must agree before a difference is a contradiction."""
PART = 0.5
"""Share above which a statement is half said rather than not said."""
MAX_SET = 3
"""Facts that together may support one statement."""


class Verdict(NamedTuple):
    verdict: str
    confidence: float
    reason: str
    cited: tuple[str, ...]
    checks: tuple[str, ...]


def decide(proposition: Statement, facts: Sequence[Fact]) -> Verdict:
    """Judge one parsed proposition by the facts; their order does not matter."""
    if not proposition.terms and not proposition.quantities:
        return Verdict("not_addressed", 0.9, "There is no statement to verify.", (), ("coverage",))
    if not facts:
        reason = "No facts of the chart were found for this."
        return Verdict("not_addressed", 0.9, reason, (), ("coverage",))
    readings = [read(proposition, fact) for fact in facts]
    readings.sort(key=lambda r: (-r.cover, -r.fact.score, -r.fact.order, r.fact.id))
    contradiction = _contradiction(proposition, readings)
    if contradiction is not None:
        return contradiction
    return _support(proposition, readings)


def _worst(reading: Reading) -> Finding | None:
    conflicts = reading.outcomes("conflict")
    return max(conflicts, key=lambda f: f.strength) if conflicts else None


def _contradiction(proposition: Statement, readings: Sequence[Reading]) -> Verdict | None:
    best: tuple[float, Reading, Finding] | None = None
    for reading in readings:
        worst = _worst(reading)
        if worst is None or reading.aligned < ALIGNED:
            continue
        weight = reading.aligned * (0.5 + 0.5 * worst.strength)
        if best is None or weight > best[0]:
            best = (weight, reading, worst)
    if best is None:
        return None
    weight, against, worst = best
    agreeing = [r for r in readings if _agrees(proposition, r, against)]
    if agreeing:
        return None
    reason = worst.reason[0].upper() + worst.reason[1:] + "."
    older = _superseded(proposition, readings, against)
    cited = [against.fact.id]
    if older is not None:
        cited.append(older.fact.id)
        reason = (
            f"{reason[:-1]} (latest, {_day(against.fact)}); the value stated is that of "
            f"{_day(older.fact)}."
        )
    names = tuple(dict.fromkeys(f.check for f in against.outcomes("conflict")))
    return Verdict(
        "not_supported", confidence("contradiction", weight), reason, tuple(cited), names
    )


def _day(fact: Fact) -> str:
    return fact.time[:16].replace("T", " ") or "an undated note"


def _complete(proposition: Statement, reading: Reading) -> bool:
    """All that was asked for is in this fact, and nothing speaks against it."""
    return all(finding.outcome == "agree" for finding in reading.findings)


def _agrees(proposition: Statement, reading: Reading, against: Reading) -> bool:
    """Whether `reading` outweighs the contradiction: says it outright and is not out of date."""
    if not _complete(proposition, reading):
        return False
    if reading.cover < max(SUPPORT, against.aligned - 0.05):
        return False
    return proposition.tense != "current" or reading.fact.order >= against.fact.order


def _superseded(
    proposition: Statement, readings: Sequence[Reading], against: Reading
) -> Reading | None:
    for reading in readings:
        if (
            reading.fact.order < against.fact.order
            and _complete(proposition, reading)
            and reading.cover >= ALIGNED
        ):
            return reading
    return None


def _support(proposition: Statement, readings: Sequence[Reading]) -> Verdict:
    clean = [r for r in readings if not (r.outcomes("conflict") and r.aligned >= 0.4)]
    chosen, matched = _gather(proposition, clean)
    union = share(proposition, matched, frozenset())
    missing = _missing(proposition, chosen)
    weaker = next((f for r in chosen[:1] for f in r.outcomes("weaker")), None)
    cited = tuple(r.fact.id for r in chosen)
    score = union - 0.12 * len(missing)
    if weaker is not None and union >= ALIGNED:
        reason = weaker.reason[0].upper() + weaker.reason[1:] + "."
        return Verdict("not_supported", confidence("weaker", score), reason, cited, (weaker.check,))
    if union >= SUPPORT and not missing:
        checks = ("coverage", *dict.fromkeys(f.check for r in chosen for f in r.outcomes("agree")))
        return Verdict("supported", confidence("supported", score), _says(chosen), cited, checks)
    if union >= PART and chosen:
        reason, checks = _part(proposition, matched, missing)
        return Verdict("not_supported", confidence("part", score), reason, cited, checks)
    reason = "The facts of the chart do not speak of this."
    return Verdict("not_addressed", confidence("silent", 1 - union), reason, (), ("coverage",))


def _gather(
    proposition: Statement, readings: Sequence[Reading]
) -> tuple[list[Reading], tuple[float, ...]]:
    """The best fact and up to two more that add content to it."""
    if not readings:
        return [], (0.0,) * len(proposition.terms)
    chosen = [readings[0]]
    matched = readings[0].matched
    needs = bool(_missing(proposition, chosen))
    while len(chosen) < MAX_SET:
        have = share(proposition, matched, frozenset())
        best: tuple[float, Reading, tuple[float, ...]] | None = None
        for reading in readings:
            if reading in chosen or reading.cover < 0.25:
                continue
            joined = tuple(map(max, matched, reading.matched))
            gain = share(proposition, joined, frozenset()) - have
            if needs and len(_missing(proposition, [*chosen, reading])) < len(
                _missing(proposition, chosen)
            ):
                gain += 0.2
            if gain > 0.05 and (best is None or gain > best[0]):
                best = (gain, reading, joined)
        if best is None:
            break
        chosen.append(best[1])
        matched = best[2]
    return chosen, matched


def _missing(proposition: Statement, chosen: Sequence[Reading]) -> list[Finding]:
    """Numbers and sides that none of the chosen facts has."""
    wanted = len(proposition.quantities) + len(proposition.sides)
    if not wanted:
        return []
    found: dict[str, Finding] = {}
    agreed: set[str] = set()
    for reading in chosen:
        for finding in reading.findings:
            if finding.outcome == "missing":
                found.setdefault(finding.reason, finding)
    for reading in chosen:
        here = {f.reason for f in reading.outcomes("missing")}
        agreed |= set(found) - here
    return [finding for reason, finding in found.items() if reason not in agreed]


def _says(chosen: Sequence[Reading]) -> str:
    many = "A fact of the chart says" if len(chosen) == 1 else f"{len(chosen)} facts together say"
    return f"{many} this."


def _part(
    proposition: Statement, matched: tuple[float, ...], missing: Sequence[Finding]
) -> tuple[str, tuple[str, ...]]:
    if missing:
        reason = "The chart supports only part of this: " + missing[0].reason + "."
        return reason, ("coverage", missing[0].check)
    absent = [
        term.surface
        for term, strength in zip(proposition.terms, matched, strict=True)
        if strength < 0.5 and term.weight >= 0.5
    ]
    named = ", ".join(dict.fromkeys(absent[:4])) or "the rest"
    return f"The chart supports only part of this; it does not speak of: {named}.", ("coverage",)

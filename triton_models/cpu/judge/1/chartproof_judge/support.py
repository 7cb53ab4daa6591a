"""Support: the smallest set of facts that together say the most of a proposition."""

from __future__ import annotations

from collections.abc import Sequence
from operator import gt
from typing import NamedTuple

from .checks.coverage import share
from .evidence import Reading
from .finding import Finding
from .lexicon import ENTITY_KINDS, name
from .statement import Statement

SUPPORT = 0.72
"""Share of the content that makes a statement supported when every check passes."""
MAX_SET = 6
"""Facts that together may support one statement."""
TOPIC = 0.25
"""Share of the content that a further fact must have, to be of the same topic."""
GAIN = 0.05
"""Share that a further fact must add."""


ESSENTIAL = 0.3
"""How far a problem, drug or procedure must be matched, at least."""


NAMED = 0.6
"""Share of the words alone, at least: numbers do not make up for names."""


class Support(NamedTuple):
    readings: tuple[Reading, ...]
    matched: tuple[float, ...]
    share: float
    missing: tuple[Finding, ...]
    """Numbers, sides, problems and drugs that none of the facts has."""
    named: bool
    """Whether enough is matched of the words alone: 28 days in both make no drug the same."""


def complete(reading: Reading) -> bool:
    """All that was asked for is in this one fact, and nothing speaks against it."""
    return all(finding.outcome == "agree" for finding in reading.findings)


def usable(reading: Reading) -> bool:
    """A fact about something else may still say a part of the proposition."""
    return all(f.check == "substitution" for f in reading.outcomes("conflict"))


def gather(proposition: Statement, readings: Sequence[Reading]) -> Support:
    """The best usable fact and a few more that add content; `readings` best first.

    Facts that only suppose or ask it come in where the others do not say enough.
    """
    pool = [reading for reading in readings if usable(reading)]
    plainly = _gather(proposition, [each for each in pool if not each.outcomes("weaker")])
    return plainly if suffices(plainly) else _gather(proposition, pool)


def suffices(support: Support) -> bool:
    """Whether it bears the statement out."""
    return (
        support.share >= SUPPORT
        and support.named
        and not support.missing
        and bool(support.readings)
    )


def _gather(proposition: Statement, pool: Sequence[Reading]) -> Support:
    chosen = list(pool[:1])
    while chosen and len(chosen) < MAX_SET:
        best = _next(proposition, pool, chosen)
        if best is None:
            break
        chosen.append(best)
    matched, have = _together(proposition, chosen)
    missing = (*_missing(chosen), *_absent(proposition, matched))
    named = not proposition.terms or share(proposition, matched, 0, 0) >= NAMED
    return Support(tuple(chosen), matched, have, missing, named)


def _together(
    proposition: Statement, readings: Sequence[Reading]
) -> tuple[tuple[float, ...], float]:
    """What the readings match between them, and its share of the content."""
    if not readings:
        return (0.0,) * len(proposition.terms), 0.0
    matched = tuple(map(max, zip(*(r.matched for r in readings), strict=True)))
    agreed = sum(any(pair) for pair in zip(*(r.numbers for r in readings), strict=True))
    return matched, share(proposition, matched, agreed, len(proposition.quantities))


def _next(
    proposition: Statement, pool: Sequence[Reading], chosen: Sequence[Reading]
) -> Reading | None:
    matched, have = _together(proposition, chosen)
    lacking = len(_missing(chosen))
    best: tuple[float, Reading] | None = None
    for reading in pool:
        if reading in chosen or not (reading.cover >= TOPIC or _names(proposition, reading)):
            continue
        if not any(map(gt, reading.matched, matched)) and not lacking:
            continue
        gain = _together(proposition, [*chosen, reading])[1] - have
        if lacking and len(_missing([*chosen, reading])) < lacking:
            gain += 0.2
        if gain > GAIN and (best is None or gain > best[0]):
            best = (gain, reading)
    return best[1] if best else None


def _names(proposition: Statement, reading: Reading) -> bool:
    """Whether the fact names a problem, drug or procedure of the proposition: an item of a list."""
    return any(
        strength >= 0.9 and term.kind in ENTITY_KINDS
        for term, strength in zip(proposition.terms, reading.matched, strict=True)
    )


def _absent(proposition: Statement, matched: tuple[float, ...]) -> list[Finding]:
    """Problems, drugs and procedures that no chosen fact names: no statement is true without."""
    return [
        Finding("coverage", "missing", f"the chart does not mention {name(term)}")
        for term, strength in zip(proposition.terms, matched, strict=True)
        if term.kind in ENTITY_KINDS and strength < ESSENTIAL
    ]


def _missing(chosen: Sequence[Reading]) -> list[Finding]:
    """What every chosen fact lacks. A finding of one fact that another agrees on is not missing."""
    common: dict[str, Finding] | None = None
    for reading in chosen:
        here = {f.reason: f for f in reading.outcomes("missing")}
        common = here if common is None else {k: v for k, v in common.items() if k in here}
    return list((common or {}).values())

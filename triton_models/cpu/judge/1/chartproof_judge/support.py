"""Support: the smallest set of facts that together say the most of a proposition."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .checks.coverage import share
from .evidence import Reading
from .finding import Finding
from .statement import Statement

SUPPORT = 0.72
"""Share of the content that makes a statement supported when every check passes."""
MAX_SET = 3
"""Facts that together may support one statement."""
TOPIC = 0.25
"""Share of the content that a further fact must have, to be of the same topic."""
GAIN = 0.05
"""Share that a further fact must add."""
NOTHING: frozenset[str] = frozenset()


class Support(NamedTuple):
    readings: tuple[Reading, ...]
    matched: tuple[float, ...]
    share: float
    missing: tuple[Finding, ...]
    """Numbers and sides that none of the facts has."""


def complete(reading: Reading) -> bool:
    """All that was asked for is in this one fact, and nothing speaks against it."""
    return all(finding.outcome == "agree" for finding in reading.findings)


def usable(reading: Reading) -> bool:
    """A fact about something else may still say a part of the proposition."""
    return all(f.check == "substitution" for f in reading.outcomes("conflict"))


def gather(proposition: Statement, readings: Sequence[Reading]) -> Support:
    """The best usable fact and up to two more that add content; `readings` best first."""
    pool = [reading for reading in readings if usable(reading)]
    if not pool:
        return Support((), (0.0,) * len(proposition.terms), 0.0, ())
    chosen = [pool[0]]
    matched = pool[0].matched
    while len(chosen) < MAX_SET:
        best = _next(proposition, pool, chosen, matched)
        if best is None:
            break
        chosen.append(best)
        matched = tuple(map(max, matched, best.matched))
    total = share(proposition, matched, NOTHING) if proposition.terms else 1.0
    return Support(tuple(chosen), matched, total, tuple(_missing(chosen)))


def _next(
    proposition: Statement,
    pool: Sequence[Reading],
    chosen: Sequence[Reading],
    matched: tuple[float, ...],
) -> Reading | None:
    have = share(proposition, matched, NOTHING)
    lacking = len(_missing(chosen))
    best: tuple[float, Reading] | None = None
    for reading in pool:
        if reading in chosen or reading.cover < TOPIC:
            continue
        gain = share(proposition, tuple(map(max, matched, reading.matched)), NOTHING) - have
        if lacking and len(_missing([*chosen, reading])) < lacking:
            gain += 0.2
        if gain > GAIN and (best is None or gain > best[0]):
            best = (gain, reading)
    return best[1] if best else None


def _missing(chosen: Sequence[Reading]) -> list[Finding]:
    """What every chosen fact lacks. A finding of one fact that another agrees on is not missing."""
    common: dict[str, Finding] | None = None
    for reading in chosen:
        here = {f.reason: f for f in reading.outcomes("missing")}
        common = here if common is None else {k: v for k, v in common.items() if k in here}
    return list((common or {}).values())

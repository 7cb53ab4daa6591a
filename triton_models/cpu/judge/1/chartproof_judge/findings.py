"""All checks of a statement against all its facts, and what they come to a span."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from .checks import CHECKS, Signal
from .reading import Dated


@dataclass(frozen=True)
class Finding:
    """What one check says of one span of the statement, over all facts."""

    check: str
    signal: Signal
    fact: int | None
    """Which fact decides; None: none speaks of it."""


def findings(
    statement: Dated, facts: Sequence[Dated], checks: Collection[str] = tuple(CHECKS)
) -> list[Finding]:
    """For each of `checks` and span: agreement where any fact agrees, else the latest conflict."""
    result: list[Finding] = []
    for name, check in CHECKS.items():
        if name not in checks:
            continue
        spans: dict[tuple[int, int], list[tuple[Signal, int]]] = {}
        for number, fact in enumerate(facts):
            for signal in check(statement, fact):
                spans.setdefault(signal.span, []).append((signal, number))
        result += [_settled(name, signals, facts) for signals in spans.values()]
    return result


def _settled(name: str, signals: Sequence[tuple[Signal, int]], facts: Sequence[Dated]) -> Finding:
    for outcome in ("agree", "conflict"):
        of_kind = [each for each in signals if each[0].outcome == outcome]
        if of_kind:
            signal, number = max(of_kind, key=lambda each: (each[0].strength, _age(facts[each[1]])))
            return Finding(name, signal, number)
    return Finding(name, signals[0][0], None)


def _age(fact: Dated) -> float:
    return fact.time.timestamp() if fact.time else 0.0

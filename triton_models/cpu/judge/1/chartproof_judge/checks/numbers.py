"""Numbers with units, doses, frequencies and durations: the same value, or another one of the same
thing."""

from __future__ import annotations

from ..reading import Dated
from .quantities import Quantity, quantities, same
from .signal import Signal, unknown

CLOSE = 0.34
"""Share of the words around a number that its rival needs to be a number of the same thing."""


def check(statement: Dated, fact: Dated) -> list[Signal]:
    """One signal for each number of the statement."""
    theirs = quantities(fact.read.text)
    return [_judge(mine, theirs, fact.read.text) for mine in quantities(statement.read.text)]


def _judge(mine: Quantity, theirs: tuple[Quantity, ...], text: str) -> Signal:
    if any(same(mine, other) for other in theirs):
        shared = max(_shared(mine, other) for other in theirs if same(mine, other))
        return Signal("agree", mine.span, 1.0 if shared or mine.dimension else 0.5)
    rivals = [
        (_shared(mine, other), other)
        for other in theirs
        if other.dimension == mine.dimension or not (other.dimension and mine.dimension)
    ]
    if not rivals:
        return unknown(mine.span)
    shared, rival = max(rivals, key=lambda pair: pair[0])
    if shared < CLOSE:
        return unknown(mine.span)
    return Signal("conflict", mine.span, shared, text[slice(*rival.span)])


def _shared(mine: Quantity, other: Quantity) -> float:
    if not mine.about or not other.about:
        return 0.0
    return len(mine.about & other.about) / min(len(mine.about), len(other.about))

"""Drugs by name, brand and class: the same one, or another of its class in its place."""

from __future__ import annotations

from functools import lru_cache

from ..drug_names import drug_of
from ..reading import Dated, read
from .signal import Signal, unknown


@lru_cache(8192)
def _drugs(text: str) -> tuple[tuple[tuple[int, int], str, str], ...]:
    """Span, generic name (empty: only a class is named) and class of every drug in a text."""
    result = []
    for token in read(text).tokens:
        known = drug_of(token.text) if token.is_word else None
        if known is not None:
            result.append(((token.start, token.end), *known))
    return tuple(result)


def check(statement: Dated, fact: Dated) -> list[Signal]:
    """One signal for each drug of the statement."""
    theirs = _drugs(fact.read.text)
    return [_judge(each, theirs) for each in _drugs(statement.read.text)]


def _judge(
    mine: tuple[tuple[int, int], str, str], theirs: tuple[tuple[tuple[int, int], str, str], ...]
) -> Signal:
    span, name, kind = mine
    if any((name and name == other) or (not name and kind == klass) for _, other, klass in theirs):
        return Signal("agree", span)
    rival = next((other for _, other, klass in theirs if kind and klass == kind and other), None)
    if name and rival:
        return Signal("conflict", span, 0.8, rival)
    return unknown(span)

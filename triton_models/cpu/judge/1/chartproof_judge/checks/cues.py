"""Words of a clause that turn what it says: denials, relatives, plans. One way to look for them."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from ..reading import Dated, Text, is_content, stem
from .signal import Signal


def cued(text: Text, cues: AbstractSet[str]) -> dict[str, bool]:
    """Stem of each content word -> whether every clause that has it has a cue before or in it."""
    clauses: dict[int, bool] = {}
    for token in text.tokens:
        clauses[token.clause] = clauses.get(token.clause, False) or token.text in cues
    result: dict[str, bool] = {}
    for token in text.tokens:
        if is_content(token) and token.text not in cues:
            key = stem(token.text)
            result[key] = result.get(key, True) and clauses[token.clause]
    return result


def compared(statement: Dated, fact: Dated, cues: AbstractSet[str]) -> list[Signal]:
    """One signal where both speak of the same: do both have a cue, or neither, in those clauses?"""
    mine, theirs = cued(statement.read, cues), cued(fact.read, cues)
    shared = [word for word in mine if word in theirs]
    if not shared or not (any(mine.values()) or any(theirs.values())):
        return []
    differ = [word for word in shared if mine[word] != theirs[word]]
    whole = (0, len(statement.read.text))
    if not differ:
        return [Signal("agree", whole, min(1.0, len(shared) / 3))]
    share = len(differ) / len(shared)
    if share < 0.5 or len(differ) < 2:
        return []
    spans = [(t.start, t.end) for t in statement.read.tokens if stem(t.text) in differ]
    return [Signal("conflict", (min(s for s, _ in spans), max(e for _, e in spans)), share)]

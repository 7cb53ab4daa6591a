"""Left, right and both: of the same part of the body."""

from __future__ import annotations

from types import MappingProxyType

from ..reading import Dated, Text, is_content, stem
from .signal import Signal, unknown

SIDES = MappingProxyType(
    {"left": "left", "left-sided": "left", "right": "right", "bilateral": "both",
     "bilaterally": "both", "both": "both"}
)  # fmt: skip
REACH = 4


def _sides(text: Text) -> list[tuple[int, str, frozenset[str]]]:
    """Place, side and stems of the words beside it."""
    result = []
    for at, token in enumerate(text.tokens):
        if token.text in SIDES:
            near = (text.tokens[i] for i in text.near(at, REACH))
            words = (stem(t.text) for t in near if is_content(t) and t.text not in SIDES)
            result.append((at, SIDES[token.text], frozenset(words)))
    return result


def check(statement: Dated, fact: Dated) -> list[Signal]:
    """One signal for each side that the statement names."""
    theirs = _sides(fact.read)
    return [
        _judge(_span(statement, at), side, beside, theirs)
        for at, side, beside in _sides(statement.read)
    ]


def _span(statement: Dated, at: int) -> tuple[int, int]:
    token = statement.read.tokens[at]
    return token.start, token.end


def _judge(
    span: tuple[int, int],
    side: str,
    beside: frozenset[str],
    theirs: list[tuple[int, str, frozenset[str]]],
) -> Signal:
    same_part = [(other, words) for _, other, words in theirs if words & beside]
    if not same_part:
        return unknown(span)
    named = {other for other, _ in same_part}
    if side in named or (side == "both" and {"left", "right"} <= named):
        return Signal("agree", span)
    strength = max(len(words & beside) for _, words in same_part) / max(1, len(beside))
    return Signal("conflict", span, max(0.3, strength), " and ".join(sorted(named)))

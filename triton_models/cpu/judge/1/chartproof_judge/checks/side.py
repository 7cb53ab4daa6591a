"""Left, right and both: of the same part of the body."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import NamedTuple

from ..reading import Dated, Text, is_content, stem
from .signal import Signal, unknown

SIDES = MappingProxyType(
    {"left": "left", "right": "right", "bilateral": "both", "bilaterally": "both", "both": "both"}
)
WORDS = 3
"""Words of the part: those that follow the side, else those before it ("pain on the left")."""
ENOUGH = 0.5
"""Share of the part's words that two mentions must have in common."""


class Mention(NamedTuple):
    side: str
    part: frozenset[str]
    span: tuple[int, int]


def mentions(text: Text) -> list[Mention]:
    return [
        Mention(SIDES[token.text], part, (token.start, token.end))
        for at, token in enumerate(text.tokens)
        if token.text in SIDES and (part := _part(text, at))
    ]


def _part(text: Text, at: int) -> frozenset[str]:
    clause = text.tokens[at].clause
    after: list[str] = []
    for token in text.tokens[at + 1 :]:
        if token.clause != clause or not is_content(token) or token.text in SIDES:
            break
        after.append(stem(token.text))
        if len(after) == WORDS:
            break
    if after and after != ["sid"]:
        return frozenset(after)
    before: list[str] = []
    for token in reversed(text.tokens[:at]):
        if token.clause != clause or len(before) == WORDS:
            break
        if is_content(token) and token.text not in SIDES:
            before.append(stem(token.text))
    return frozenset(before)


def check(statement: Dated, fact: Dated) -> list[Signal]:
    """One signal for each side that the statement names."""
    theirs = mentions(fact.read)
    return [_judge(mine, theirs) for mine in mentions(statement.read)]


def _judge(mine: Mention, theirs: Sequence[Mention]) -> Signal:
    shares = [(len(mine.part & o.part) / min(len(mine.part), len(o.part)), o.side) for o in theirs]
    same_part = [(share, side) for share, side in shares if share >= ENOUGH]
    if not same_part:
        return unknown(mine.span)
    named = {side for _, side in same_part}
    if mine.side in named or (mine.side == "both" and {"left", "right"} <= named):
        return Signal("agree", mine.span)
    if named == {"both"} or mine.side == "both":
        return Signal("agree", mine.span, 0.3)
    return Signal("conflict", mine.span, max(same_part)[0], " and ".join(sorted(named)))

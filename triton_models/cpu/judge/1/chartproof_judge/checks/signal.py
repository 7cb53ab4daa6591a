"""What a check says of one span of a statement, held against one fact."""

from __future__ import annotations

from typing import Literal, NamedTuple

Outcome = Literal["agree", "conflict", "unknown"]


class Signal(NamedTuple):
    """`span` is in the statement as the check read it; `strength` in (0, 1]."""

    outcome: Outcome
    span: tuple[int, int]
    strength: float = 1.0
    theirs: str = ""
    """The fact's own words in conflict."""


def unknown(span: tuple[int, int]) -> Signal:
    return Signal("unknown", span)

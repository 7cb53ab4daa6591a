"""Denied against said: in the clauses that speak of the same."""

from __future__ import annotations

from ..reading import Dated, word_set
from .cues import compared
from .signal import Signal

CUES = word_set(
    "no not denies denied denying without never none negative absent nor neither cannot "
    "can't doesn't didn't isn't wasn't hasn't haven't nil unremarkable ruled free"
)


def check(statement: Dated, fact: Dated) -> list[Signal]:
    return compared(statement, fact, CUES)

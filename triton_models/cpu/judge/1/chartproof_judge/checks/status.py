"""Planned, refused, held, stopped or cancelled, against done or given."""

from __future__ import annotations

from ..reading import Dated, word_set
from .cues import compared
from .signal import Signal

OPEN = word_set(
    "plan planned plans planning will scheduled consider considering pending awaiting "
    "recommend recommended referral booked await to-do if should"
)
ENDED = word_set(
    "cancelled canceled declined declines refused refuses held hold holding stopped stop "
    "discontinued discontinue withheld deferred defer ceased cease off aborted"
)


def check(statement: Dated, fact: Dated) -> list[Signal]:
    return [*compared(statement, fact, OPEN), *compared(statement, fact, ENDED)]

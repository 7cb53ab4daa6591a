"""What a check found out about a proposition and one fact."""

from __future__ import annotations

from typing import Literal, NamedTuple

Outcome = Literal["agree", "conflict", "missing", "weaker"]
"""`weaker`: the fact speaks of it, but not as of a thing that is so (possible, a condition)."""


class Finding(NamedTuple):
    check: str
    outcome: Outcome
    reason: str
    strength: float = 1.0
    about: frozenset[str] = frozenset()
    """Keys of the proposition's terms that the finding is about."""
    alone: bool = False
    """Whether it decides however little else is aligned."""
    apart: bool = False
    """Whether those terms are left out when measuring how well the rest is aligned."""

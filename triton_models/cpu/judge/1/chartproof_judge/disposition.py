"""Disposition: where a patient went from here, or how the stay ended otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .vocabulary.destinations import BETWEEN, DESTINATIONS, LEAVES, NOT_OUT, OUTCOMES
from .vocabulary.triggers import Status

REACH = 8
"""Tokens from `discharged` to its destination at most."""
_LONGEST = 5
_OPEN = Status.PLANNED | Status.HYPOTHETICAL | Status.POSSIBLE | Status.NEGATED | Status.INSTRUCTED
_ELSE = Status.FAMILY
_TO_COME = frozenset(("pending", "when", "once", "if", "tomorrow", "anticipate", "plan", "will"))


class Disposition(NamedTuple):
    to: frozenset[str]
    """Destinations and outcomes: home with hospice is two."""
    planned: bool
    """Only planned, denied, possible or refused."""


def disposition(
    words: Sequence[str], flags: Sequence[Status], section: str = ""
) -> Disposition | None:
    """What a statement says of it; None when it says nothing."""
    found: set[str] = set()
    places: list[int] = []
    reach = -1 if "disposition" not in section.lower() else len(words)
    for at, word in enumerate(words):
        size, to, outcome = _named(words, at)
        if to and not flags[at] & _ELSE and (outcome or at <= reach):
            found.add(to)
            places.append(at)
            reach = max(reach, at + REACH)
        elif word in LEAVES:
            reach = max(reach, at + REACH)
        elif word in (".", ";") and "disposition" not in section.lower():
            reach = -1
        elif size == 0 and word[0].isalpha() and word not in BETWEEN and at < reach:
            reach -= 1
    if not found:
        return None
    planned = any(flags[at] & _OPEN for at in places) or bool(_TO_COME & set(words))
    return Disposition(frozenset(found), planned)


def _named(words: Sequence[str], at: int) -> tuple[int, str, bool]:
    """How many tokens name a destination or outcome here, which, and whether an outcome."""
    for size in range(_LONGEST, 0, -1):
        phrase = tuple(words[at : at + size])
        if " ".join(phrase) in OUTCOMES:
            return size, OUTCOMES[" ".join(phrase)], True
        if phrase in DESTINATIONS:
            follows = words[at + size] if at + size < len(words) else "."
            if follows in NOT_OUT:
                return 0, "", False
            return size, DESTINATIONS[phrase], False
    return 0, "", False

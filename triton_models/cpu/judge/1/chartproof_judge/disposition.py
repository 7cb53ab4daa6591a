"""Disposition: where a patient went from here, or how the stay ended otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .vocabulary.destinations import (
    ALSO_LAPSES,
    BETWEEN,
    DESTINATIONS,
    LEAVES,
    NOT_OUT,
    OTHERS,
    OUTCOMES,
    PATIENT,
    SAID_OF_DEATH,
    TITLES,
)
from .vocabulary.kin import persons
from .vocabulary.triggers import Status

REACH = 8
"""Tokens from `discharged` to its destination at most."""
_LONGEST = 5
_OPEN = Status.PLANNED | Status.HYPOTHETICAL | Status.POSSIBLE | Status.NEGATED | Status.INSTRUCTED
_ELSE = Status.FAMILY
_CLAUSE = frozenset((".", ";", ",", ":", "and", "but"))
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
        whose = not outcome or _of_patient(words, at)
        if to and whose and not flags[at] & _ELSE and (outcome or at <= reach):
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


def _of_patient(words: Sequence[str], at: int) -> bool:
    """Not so `her husband died`; and of what can run out only the patient has `expired`."""
    subject = ""
    for back in range(at - 1, max(-1, at - REACH), -1):
        word = words[back]
        if word in _CLAUSE:
            break
        if persons(word) or word in OTHERS:
            return False
        if not (subject or word in SAID_OF_DEATH or word.endswith("ly")):
            subject = "mr" if TITLES & set(words[max(0, back - 2) : back]) else word
    return words[at] not in ALSO_LAPSES or not subject or subject in PATIENT


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

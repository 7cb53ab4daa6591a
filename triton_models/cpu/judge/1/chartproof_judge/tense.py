"""Tense: whether a statement speaks of the present, of what has been, or leaves it open.

Only of what is so now does the latest word of the chart count for more than an earlier one.
"""

from __future__ import annotations

from collections.abc import Sequence

from .vocabulary.tables import word_set

_CURRENT = word_set(
    """is are takes taking currently now today latest continues continue remains presently
    current ongoing"""
)
_PAST = word_set(
    """was were had admission initially previously initial ago prior formerly underwent received
    before earlier baseline history presented took"""
)
_AT_DISCHARGE = word_set("at medication medications meds drugs")


def tense(words: Sequence[str], section: str) -> str:
    """`current`, `past` or `open`; a heading may say it where the words do not."""
    said = set(words)
    if ("discharge" in said and said & _AT_DISCHARGE) or _discharged_on(words):
        return "current"
    if said & _PAST:
        return "past"
    if said & _CURRENT:
        return "current"
    heading = section.lower()
    return "current" if "discharge" in heading or "current" in heading else "open"


def _discharged_on(words: Sequence[str]) -> bool:
    """Whether it says what the patient left with: discharged (home) on warfarin."""
    if "discharged" not in words:
        return False
    at = words.index("discharged")
    return bool({"on", "with"} & set(words[at + 1 : at + 4]))

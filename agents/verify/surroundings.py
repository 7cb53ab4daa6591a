"""The text around a proposition, for judging in full context.

It says who "she" is and what "the procedure" was. It is context and never evidence: it goes to the
judge apart from the facts, and only facts can be cited.
"""

from __future__ import annotations

from schemas.propositions import Proposition
from schemas.texts import TextGenerated

CHARACTERS = 1_000
"""On either side: about a section of a discharge summary."""


def surroundings(text: TextGenerated, proposition: Proposition) -> str | None:
    """The text before, at and after the proposition, cut at line ends; None when not asked for."""
    if text.settings.judging != "full_context":
        return None
    start = max(0, proposition.start - CHARACTERS)
    end = min(len(text.text), proposition.end + CHARACTERS)
    if start:
        start = _or(text.text.find("\n", start, proposition.start), start) + 1
    if end < len(text.text):
        end = _or(text.text.rfind("\n", proposition.end, end), end)
    return text.text[start:end]


def _or(found: int, other: int) -> int:
    return other if found < 0 else found

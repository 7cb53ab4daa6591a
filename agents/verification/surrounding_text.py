"""The text around a proposition, for judging in full context.

It says who "she" is and what "the procedure" was. It is context and never evidence: it goes to the
judge apart from the facts, and only facts can be cited.
"""

from __future__ import annotations

import re

from schemas.propositions import Proposition
from schemas.texts import TextGenerated

CHARACTERS = 1_000
"""On either side: about a section of a discharge summary."""

SENTENCE = 300
"""Characters before a proposition in which the sentence before it is sought."""
_ENDS = re.compile(r"(?<=[.!?])\s+|\n+")
_REFERS = re.compile(
    r"\b(?:it|this|that|they|them|these|those|the (?:dose|dosage|drug|medication|medicine"
    r"|procedure|surgery|operation|test|study|scan|level|value|result))\b",
    re.IGNORECASE,
)


def surroundings(text: TextGenerated, proposition: Proposition) -> str | None:
    """The text before, at and after the proposition, cut at line ends; None when not asked for."""
    if text.settings.judging != "full_context":
        return None
    start = max(0, proposition.start - CHARACTERS)
    end = min(len(text.text), proposition.end + CHARACTERS)
    if start:
        start = _position_or(text.text.find("\n", start, proposition.start), start) + 1
    if end < len(text.text):
        end = _position_or(text.text.rfind("\n", proposition.end, end), end)
    return text.text[start:end]


def search_query(text: TextGenerated, proposition: Proposition, statement: str) -> str:
    """What to search for: a statement that refers to an earlier one, with the sentence there.

    "It was stopped" finds nothing by itself. Only the search changes; the statement is judged.
    """
    if text.settings.judging != "full_context" or not _REFERS.search(statement):
        return statement
    before = text.text[max(0, proposition.start - SENTENCE) : proposition.start]
    sentences = [each for each in _ENDS.split(before) if each.strip()]
    return f"{sentences[-1].strip()} {statement}" if sentences else statement


def _position_or(position: int, other: int) -> int:
    return other if position < 0 else position

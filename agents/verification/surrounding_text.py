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
        start = _or(text.text.find("\n", start, proposition.start), start) + 1
    if end < len(text.text):
        end = _or(text.text.rfind("\n", proposition.end, end), end)
    return text.text[start:end]


def looked_for(text: TextGenerated, proposition: Proposition, statement: str) -> str:
    """What to search for: a statement that refers to what was said before, with the sentence there.

    "It was stopped" finds nothing by itself. Only the search changes; the statement is judged.
    """
    if text.settings.judging != "full_context" or not _REFERS.search(statement):
        return statement
    before = text.text[max(0, proposition.start - SENTENCE) : proposition.start]
    said = [each for each in _ENDS.split(before) if each.strip()]
    return f"{said[-1].strip()} {statement}" if said else statement


def _or(found: int, other: int) -> int:
    return other if found < 0 else found

"""Texts of several sentences: of a proposition each is judged, and the weakest speaks for all."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .confidence import confidence
from .verdict import Verdict

MAX_SENTENCES = 40
"""More are judged as one text: the work stays bounded."""

_END = re.compile(r"(?<=[.!?])[\"')\]]?\s+(?=[^a-z\s])")
_SPOKEN = re.compile(r"(?<= [.?!])\s+(?=\S)")
_NOT_AN_END = ("dr.", "mr.", "mrs.", "ms.", "vs.", "st.", "no.", "approx.", "e.g.", "i.e.", "pt.")


def sentences(text: str) -> list[str]:
    """The sentences of a proposition; the text itself when it is one or when there are too many."""
    found: list[str] = []
    start = 0
    for end in _END.finditer(text):
        piece = text[start : end.start()].strip()
        if piece.lower().endswith(_NOT_AN_END):
            continue
        found.append(piece)
        start = end.end()
    found.append(text[start:].strip())
    found = [piece for piece in found if any(character.isalnum() for character in piece)]
    return found if 1 < len(found) <= MAX_SENTENCES else [text]


def statements(text: str) -> list[str]:
    """The sentences of a fact, so that what one denies is not denied by the next.

    A transcript has no capitals: there a full stop stands apart from the word before it.
    """
    found = [piece for sentence in sentences(text) for piece in _SPOKEN.split(sentence)]
    found = [piece for piece in found if any(character.isalnum() for character in piece)]
    return found if 1 < len(found) <= MAX_SENTENCES else [text]


def combine(parts: Sequence[Verdict]) -> Verdict:
    """One verdict of those of the sentences, in order."""
    if len(parts) == 1:
        return parts[0]
    contradicted = [part for part in parts if part.verdict == "not_supported"]
    if contradicted:
        return max(contradicted, key=lambda part: part.confidence)
    supported = [part for part in parts if part.verdict == "supported"]
    cited = tuple(dict.fromkeys(fact for part in supported for fact in part.cited))
    checks = tuple(dict.fromkeys(check for part in parts for check in part.checks))
    least = min(part.confidence for part in parts)
    if len(supported) == len(parts):
        return Verdict("supported", least, "The chart says every part of this.", cited, checks)
    if not supported:
        return Verdict("not_addressed", least, parts[0].reason, (), checks)
    silent = next(at for at, part in enumerate(parts, 1) if part.verdict != "supported")
    reason = f"The chart supports only part of this; nothing found speaks of sentence {silent}."
    sure = confidence("part", len(supported) / len(parts))
    return Verdict("not_supported", sure, reason, cited, checks)

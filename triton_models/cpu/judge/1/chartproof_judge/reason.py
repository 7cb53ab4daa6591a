"""Reasons: what a check found, in the chart's own words, for the clinician who reads it."""

from __future__ import annotations

from collections.abc import Collection

from .words import stem

QUOTED_WORDS = 12
"""Words of a fact that a reason quotes at most."""
QUOTED_CHARS = 160
LOOKED_AT = 400
"""Words of a fact among which the quoted ones are sought."""


def explain(said: str, text: str, about: Collection[str]) -> str:
    """`The chart denies this: "No penicillin allergy"`; the quotation holds what it is about."""
    return f'{said[0].upper()}{said[1:]}: "{quote(text, about)}"'


def quote(text: str, about: Collection[str]) -> str:
    """The `QUOTED_WORDS` words of a text that have the most of the keys in `about`."""
    words = text.replace('"', "'").split()
    stems = {stem(part) for key in about for part in key.lower().split()}
    hits = [_root(word) in stems for word in words[:LOOKED_AT]]
    starts = range(max(1, len(hits) - QUOTED_WORDS + 1))
    start = max(starts, key=lambda at: (sum(hits[at : at + QUOTED_WORDS]), -at))
    end = start + QUOTED_WORDS
    shown = " ".join(words[start:end])[:QUOTED_CHARS].rstrip(".,;: ")
    return f"{'... ' * (start > 0)}{shown}{' ...' * (end < len(words))}"


def _root(word: str) -> str:
    return stem(word.strip(".,;:()[]?!'").lower())

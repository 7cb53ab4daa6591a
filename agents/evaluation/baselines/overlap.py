"""Word overlap: the share of a statement's words that stand in what it is held against."""

from __future__ import annotations

import re
from collections.abc import Iterable

_WORD = re.compile(r"[^\W_]+(?:[.]\d+)?")
_STOP = "a an and are as at be by for from had has he her his in is it no not of on or patient she"
STOP = frozenset(f"{_STOP} that the this to was were with".split())


def content_words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.casefold())) - STOP


def overlap(statement: str, against: Iterable[str]) -> float:
    """0.0 where the statement has no words of its own."""
    words = content_words(statement)
    there = frozenset().union(*map(content_words, against))
    return len(words & there) / len(words) if words else 0.0

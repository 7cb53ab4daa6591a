"""Words and marks of a sentence with their offsets in it."""

from __future__ import annotations

import re
from typing import NamedTuple

_TOKEN = re.compile(r"[^\W_]+(?:[-'/.\u2019][^\W_]+)*|\S")


class Token(NamedTuple):
    word: str
    """In lower case."""
    start: int
    end: int


def tokenise(sentence: str) -> list[Token]:
    return [Token(hit[0].lower(), *hit.span()) for hit in _TOKEN.finditer(sentence)]


Range = tuple[int, int]


class Part(NamedTuple):
    """A claim of a sentence, by offsets in it: its words, and in `before` those that it repeats."""

    before: tuple[Range, ...]
    start: int
    end: int

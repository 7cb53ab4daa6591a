"""Claims: the atomic statements of a sentence, each with what it needs to stand alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from chartproof_decomposer.layout import Block
from chartproof_decomposer.sentences import Piece


class Claim(NamedTuple):
    text: str
    start: int
    end: int


def claims(text: str, block: Block, pieces: Sequence[Piece]) -> list[Claim]:
    return [Claim(" ".join(text[start:end].split()), start, end) for start, end in pieces]

"""Claims: the atomic statements of a sentence, each with what it needs to stand alone.

A wrong split turns a true sentence into a false claim, which is the worst that can happen here, so
a sentence is taken apart only where the rules of `clauses` and `lists` are sure.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from chartproof_decomposer.blocks import Block
from chartproof_decomposer.clauses import split_clauses
from chartproof_decomposer.lists import split_list
from chartproof_decomposer.sentences import Piece
from chartproof_decomposer.tokens import Part, tokenise
from chartproof_decomposer.vocabulary import GUARDS

_LONGEST = 1000
"""A longer sentence is no sentence; it stays whole."""


class Claim(NamedTuple):
    """`text` is what is said; `start` and `end` are the words of the source it comes from."""

    text: str
    start: int
    end: int


def claims(text: str, block: Block, pieces: Sequence[Piece]) -> list[Claim]:
    """The claims of a block, whose sentences are `pieces`, in order of `start`."""
    if block.parts:
        (start, end), *items = block.parts
        lead = plain(text[start:end])
        return [led(lead, Claim(plain(text[s:e]), s, e)) for s, e in items]
    if block.leads and text[block.end - 1] == ":":
        return []
    found = []
    lead = plain(text[slice(*block.lead)]) if block.lead else ""
    for at, (start, end) in enumerate(pieces):
        split = _split(text[start:end], start, block.section)
        found += [led(lead, claim) for claim in split] if at == 0 else split
    return found


def led(lead: str, claim: Claim) -> Claim:
    """`claim` with the lead-in of its list before it."""
    if not lead:
        return claim
    joint = " " if lead.endswith(":") else ": "
    return claim._replace(text=f"{lead.rstrip('.')}{joint}{claim.text}")


def _split(sentence: str, offset: int, section: str | None) -> list[Claim]:
    whole = Part("", 0, len(sentence))
    if (
        len(sentence) > _LONGEST
        or any(token.word in GUARDS for token in tokenise(sentence))
        or set('"?') & set(sentence)
    ):
        parts = [whole]
    else:
        parts = [
            Part(_join(clause.before, part.before), part.start, part.end)
            for clause in split_clauses(sentence)
            for part in split_list(sentence, clause.start, clause.end, section)
        ]
    return [
        Claim(
            plain(_join(part.before, sentence[part.start : part.end])),
            offset + part.start,
            offset + part.end,
        )
        for part in parts
    ]


def _join(before: str, words: str) -> str:
    return f"{before} {words}" if before and words else before or words


def plain(words: str) -> str:
    """On one line, single spaces."""
    return " ".join(words.split())

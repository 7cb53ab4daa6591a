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
from chartproof_decomposer.tokens import Part, Range, tokenise
from chartproof_decomposer.vocabulary import GUARDS

_LONGEST = 1000
"""A longer sentence is no sentence; it stays whole."""


class Claim(NamedTuple):
    """`text` is what is said; `start` and `end` are the words of the source it comes from.

    `repeats`: the words that it says again, such as its list's lead-in, in order.
    """

    text: str
    start: int
    end: int
    repeats: tuple[Range, ...] = ()


def claims(text: str, block: Block, pieces: Sequence[Piece]) -> list[Claim]:
    """The claims of a block, whose sentences are `pieces`, in order of `start`."""
    if block.words is not None:
        return [Claim(block.words, block.start, block.end)]
    if block.parts:
        lead, *items = block.parts
        return [led(text, lead, Claim(plain(text[s:e]), s, e)) for s, e in items]
    if block.leads and text[block.end - 1] == ":":
        return []
    result = []
    for at, (start, end) in enumerate(pieces):
        split = _split(text[start:end], start, block.section)
        if block.lead and at == 0:
            split = [led(text, block.lead, claim) for claim in split]
        result += split
    return result


def led(text: str, span: Range, claim: Claim) -> Claim:
    """`claim` with the lead-in of its list before it."""
    lead = plain(text[slice(*span)])
    joint = " " if lead.endswith(":") else ": "
    given = f"{lead.rstrip('.')}{joint}{claim.text}"
    return claim._replace(text=given, repeats=(span, *claim.repeats))


def _split(sentence: str, offset: int, section: str | None) -> list[Claim]:
    whole = Part((), 0, len(sentence))
    if (
        len(sentence) > _LONGEST
        or any(token.word in GUARDS for token in tokenise(sentence))
        or set('"?') & set(sentence)
    ):
        parts = [whole]
    else:
        parts = [
            part._replace(before=(*clause.before, *part.before))
            for clause in split_clauses(sentence)
            for part in split_list(sentence, clause.start, clause.end, section)
        ]
    return [_claim(sentence, offset, part) for part in parts]


def _claim(sentence: str, offset: int, part: Part) -> Claim:
    given = " ".join(sentence[slice(*span)] for span in (*part.before, (part.start, part.end)))
    repeats = tuple((offset + start, offset + end) for start, end in part.before)
    return Claim(plain(given), offset + part.start, offset + part.end, repeats)


def plain(words: str) -> str:
    """On one line, single spaces."""
    return " ".join(words.split())

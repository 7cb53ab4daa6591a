"""Snippets: the statements of a block, with those that must be judged together in one.

Two ways, which differ inside a sentence. `direct`: a sentence whose parts depend on each other is
one snippet, any other falls into its claims. `group`: every sentence falls into its claims, and
only those neighbours that depend on each other come together again, so that "He has gout but was
febrile due to sepsis, so he was given fluids" keeps the gout apart. Across sentences both are the
same: what says "therefore" or "this was due to" joins the sentences that it speaks of.

No snippet leaves its block, so none crosses a section or an item of a list.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from chartproof_decomposer.claims import Claim, plain
from chartproof_decomposer.patterns import (
    TOGETHER,
    hangs_on,
    link,
    names_person,
    pattern_of,
    same_subject,
)
from chartproof_decomposer.sentences import Piece

_MOST_SENTENCES = 5
_LONGEST = 1000
"""Characters of a snippet of several sentences: more is a paragraph, and no judge's question."""


class Found(NamedTuple):
    """A unit: `sources` are the sentences that it comes from, with the lead-in of its list."""

    text: str
    start: int
    end: int
    sources: tuple[Piece, ...]
    pattern: str


class Sentence(NamedTuple):
    """A sentence of a block with its claims. `lead`: the sentences of its list's lead-in."""

    piece: Piece
    claims: Sequence[Claim]
    lead: tuple[Piece, ...] = ()

    @property
    def sources(self) -> tuple[Piece, ...]:
        return (*self.lead, self.piece)


def atoms(text: str, sentence: Sentence) -> list[Found]:
    """The claims of a sentence, each with its pattern; F when there are several."""
    given = pattern_of(text[slice(*sentence.piece)])
    pattern = "F" if len(sentence.claims) > 1 else given
    return [
        Found(claim.text, claim.start, claim.end, sentence.sources, pattern)
        for claim in sentence.claims
    ]


def direct(text: str, sentence: Sentence) -> list[Found]:
    """The snippets of a sentence: itself when its parts hang together, else its claims."""
    start, end = sentence.piece
    given = pattern_of(text[start:end])
    claims = sentence.claims
    if len(claims) > 1 and all(
        same_subject(one.text, other.text) for one, other in pairwise(claims)
    ):
        given = "A"
    elif len(claims) > 1 and given == "A":
        given = "F"
    if given in TOGETHER:
        return [_joined(text, claims, sentence.piece, sentence, given)]
    return atoms(text, sentence)


def grouped(text: str, sentence: Sentence) -> list[Found]:
    """The claims of a sentence, with those together again that depend on their neighbour."""
    groups: list[list[Claim]] = []
    ties: list[str] = []
    for claim in sentence.claims:
        tie = _tie(text, groups[-1][-1], claim) if groups else ""
        if tie:
            groups[-1].append(claim)
            ties[-1] = max(tie, ties[-1])
        else:
            groups.append([claim])
            ties.append("")
    if len(groups) == 1 and len(sentence.claims) == 1:
        return direct(text, sentence)
    result = []
    for claims, tie in zip(groups, ties, strict=True):
        span = Piece(claims[0].start, claims[-1].end)
        own = pattern_of(text[slice(*span)])
        code = tie or (own if own in {"B", "C"} else "F")
        result.append(_joined(text, claims, span, sentence, code))
    return result


def _tie(text: str, before: Claim, claim: Claim) -> str:
    """The pattern by which a claim hangs on the one before it, "" when it does not."""
    given = hangs_on(text[before.end : claim.end])
    if given:
        return given
    return "A" if same_subject(before.text, claim.text) else ""


def merged(text: str, rows: Sequence[tuple[Piece, list[Found]] | None]) -> list[Found]:
    """The snippets of a block. None is a sentence that was flagged: nothing reaches over it."""
    groups: list[list[tuple[Piece, list[Found]]]] = []
    patterns: list[str | None] = []
    for row in rows:
        if row is None:
            continue
        tie = link(text[slice(*row[0])])
        first = len(groups)
        if tie:
            first = _reach(text, groups, row[0], max(0, len(groups) - tie.reach), tie.pattern)
        if tie and first < len(groups):
            taken = [each for group in groups[first:] for each in group]
            codes = [tie.pattern, *(code for code in patterns[first:] if code)]
            groups[first:], patterns[first:] = [[*taken, row]], [max(codes)]
        else:
            groups.append([row])
            patterns.append(None)
    result = []
    for group, code in zip(groups, patterns, strict=True):
        result += [_several(text, group, code)] if code else group[0][1]
    return result


def _reach(
    text: str,
    groups: Sequence[list[tuple[Piece, list[Found]]]],
    piece: Piece,
    lowest: int,
    pattern: str,
) -> int:
    """Index of the first group that the sentence `piece` takes to itself."""
    first, count, after = len(groups), 1, piece.start
    for at in range(len(groups) - 1, lowest - 1, -1):
        group = groups[at]
        start, end = group[0][0].start, group[-1][0].end
        count += len(group)
        too_much = count > _MOST_SENTENCES or piece.end - start > _LONGEST
        # A flagged sentence, or the marker of an item that runs on in one line.
        apart = text[end:after].strip() != ""
        person = pattern == "A" and names_person(text[slice(*group[-1][0])])
        if too_much or apart or person:
            break
        first, after = at, start
        if group[0][1] and group[0][1][0].pattern == "E":
            break
    return first


def _several(text: str, group: Sequence[tuple[Piece, list[Found]]], pattern: str) -> Found:
    """Several sentences as one snippet: the source text itself."""
    sources = dict.fromkeys(source for _, row in group for each in row for source in each.sources)
    start, end = group[0][0].start, group[-1][0].end
    return Found(text[start:end], start, end, tuple(sources), pattern)


def _joined(
    text: str, claims: Sequence[Claim], span: Piece, sentence: Sentence, pattern: str
) -> Found:
    """Claims of one sentence as one unit, with what the first of them repeats."""
    first = claims[0]
    own = plain(text[first.start : first.end])
    repeated = first.text[: len(first.text) - len(own)] if first.text.endswith(own) else ""
    words = text[slice(*span)]
    given = f"{repeated}{plain(words)}" if repeated else words
    return Found(given, *span, sentence.sources, pattern)

"""Units of a text to verify: every sentence is in one, or is flagged as nothing to judge.

Notes are not read so: of a note every sentence is a fact (`decomposer`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from chartproof_decomposer.blocks import Block
from chartproof_decomposer.claims import claims, plain
from chartproof_decomposer.layout import layout
from chartproof_decomposer.patterns import pattern_of
from chartproof_decomposer.sentences import Piece, sentences
from chartproof_decomposer.shared import shared_context
from chartproof_decomposer.snippets import Found, Sentence, atoms, direct, grouped, merged
from chartproof_decomposer.validity import flag_of

Unit = dict[str, Any]
MODES = frozenset({"direct", "group"})
Depth = tuple[int, bool]
"""Indent of an item, and whether it has a bullet: those under a number are inside of it."""
_TOPIC = 120
"""Characters of a topic."""


def units(text: str, unit: str, mode: str) -> list[Unit]:
    """Units and flagged sentences by `start`.

    A unit is {"text", "start", "end", "section", "sources", "pattern", "context"}, a flagged
    sentence {"text", "start", "end", "section", "flag"}.
    """
    blocks = layout(text)
    shared = shared_context(plain(text[block.start : block.end]) for block in blocks)
    split = _Reader(text, unit, mode)
    result: list[Unit] = []
    for block in blocks:
        about = shared | split.topic(block)
        context = {name: given for name, given in about.items() if given}
        result += [_unit(each, block.section, context) for each in split.read(block)]
    result += [_flagged(text, *each) for each in split.left_over()]
    return sorted(result, key=lambda each: (each["start"], each["end"]))


class _Reader:
    """One pass over the blocks of a text."""

    def __init__(self, text: str, unit: str, mode: str) -> None:
        self.text, self.unit = text, unit
        self.form: Callable[[str, Sentence], list[Found]] = atoms
        if unit == "snippet":
            self.form = direct if mode == "direct" else grouped
        self.leads: dict[tuple[int, int], tuple[Piece, ...]] = {}
        """Lead-in -> its sentences."""
        self.seen: dict[Piece, tuple[str | None, str | None]] = {}
        """Sentence -> section and flag, of all sentences."""
        self.covered: set[Piece] = set()
        self.problem: tuple[str | None, str] | None = None
        """Section and words of the last problem that opens a part of a plan."""
        self.outer: list[tuple[Depth, str]] = []
        """The items that the last one is inside of, itself included, outermost first."""

    def topic(self, block: Block) -> dict[str, str]:
        """What a block is about, where a lead-in or the problem above it says so."""
        if block.opens:
            given = self._words(block.start, block.end)
            self.problem = None if block.whole else (block.section, given)
        inside = self._enter(block)
        if block.lead:
            return {"problem": self._words(*block.lead)}
        if inside:
            return {"problem": inside}
        if self.problem and self.problem[0] == block.section:
            return {"problem": self.problem[1]}
        return {}

    def _enter(self, block: Block) -> str | None:
        """The words of the outermost item that this block, an item itself, is inside of."""
        depth = (block.indent, block.number == 0)
        while self.outer and (not block.item or self.outer[-1][0] >= depth):
            self.outer.pop()
        given = self.outer[0][1] if self.outer else None
        if block.item:
            self.outer.append((depth, self._words(block.start, block.end)))
        return given

    def read(self, block: Block) -> list[Found]:
        result = list(self._found(block))
        self.covered.update(source for each in result for source in each.sources)
        return result

    def left_over(self) -> Iterator[tuple[Piece, str | None, str]]:
        """Flagged sentences with section and flag, and those that came into no unit."""
        for piece, (section, flag) in self.seen.items():
            if piece not in self.covered:
                yield piece, section, flag or "incomplete"

    def _found(self, block: Block) -> list[Found]:
        whole = Piece(block.start, block.end)
        if block.silent:
            self.seen[whole] = (block.section, block.silent)
            return []
        if block.words is not None:
            self.seen[whole] = (block.section, None)
            return [Found(block.words, *whole, (whole,), "D")]
        if block.whole:
            return self._whole(block)
        pieces = sentences(self.text, block.start, block.end, block.number)
        lead_in = block.leads and self.text[block.end - 1] == ":"
        if block.leads:
            self.leads[block.start, block.end] = tuple(pieces)
        rows: list[tuple[Piece, list[Found]] | None] = []
        for at, piece in enumerate(pieces):
            alone = block if at == 0 else replace(block, lead=None)
            led_by = self.text[slice(*alone.lead)] if alone.lead else ""
            flag = None if block.leads else flag_of(self.text[slice(*piece)], alone, led_by)
            self.seen[piece] = (block.section, flag)
            if flag or (lead_in and at == len(pieces) - 1):
                rows.append(None)
            else:
                rows.append((piece, self._of(piece, replace(alone, leads=False))))
        if self.unit == "snippet":
            return merged(self.text, rows)
        return [each for row in rows if row for each in row[1]]

    def _whole(self, block: Block) -> list[Found]:
        """A lead-in that turns the meaning of its list, which is one sentence or several claims."""
        lead, *items = (Piece(*part) for part in block.parts)
        if self.unit == "sentence":
            piece = Piece(block.start, block.end)
            self.seen[piece] = (block.section, None)
            given = self.text[slice(*piece)]
            return [Found(given, *piece, (piece,), pattern_of(given))]
        self.seen |= dict.fromkeys((lead, *items), (block.section, None))
        pattern = "F" if len(items) > 1 else "D"
        said_each = claims(self.text, block, ())
        return [
            Found(claim.text, claim.start, claim.end, (lead, item), pattern)
            for claim, item in zip(said_each, items, strict=True)
        ]

    def _of(self, piece: Piece, block: Block) -> list[Found]:
        start, end = piece
        split = claims(self.text, block, [piece])
        if self.unit == "sentence":
            code = atoms(self.text, Sentence(piece, split))[0].pattern
            return [Found(self.text[start:end], start, end, (piece,), code)]
        lead = self.leads.get(block.lead, ()) if block.lead else ()
        return self.form(self.text, Sentence(piece, split, lead))

    def _words(self, start: int, end: int) -> str:
        return plain(self.text[start:end]).rstrip(":. ")[:_TOPIC]


def _unit(result: Found, section: str | None, context: dict[str, str]) -> Unit:
    return {
        "text": result.text,
        "start": result.start,
        "end": result.end,
        "section": section,
        "sources": [list(source) for source in result.sources],
        "pattern": result.pattern,
        "context": context,
    }


def _flagged(text: str, piece: Piece, section: str | None, flag: str) -> Unit:
    start, end = piece
    return {
        "text": text[start:end],
        "start": start,
        "end": end,
        "section": section,
        "flag": flag,
    }

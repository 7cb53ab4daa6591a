"""Long texts for the decomposer: bounded pieces, cut where no sentence runs on.

A note of megabytes in one request would miss its deadline at every attempt and hold its partition
for ever. Notes and generated texts go through here, for it is the decomposer's port that calls it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace

from agents.ports import Span

PIECE_CHARACTERS = 100_000
"""A second or two of a CPU, well within any deadline."""
_BREAKS = ("\n\n", "\n", " ")


async def in_pieces(
    text: str,
    decompose: Callable[[str], Awaitable[list[Span]]],
    limit: int = PIECE_CHARACTERS,
) -> list[Span]:
    """The spans of `text`, from `decompose` of pieces of at most `limit` characters.

    What a piece says before its first header is still under the last header of the piece before.
    """
    found: list[Span] = []
    section: str | None = None
    for start, piece in _pieces(text, limit):
        spans = await decompose(piece)
        carried = section
        for span in spans:
            if span.section is not None:
                section, carried = span.section, None
            moved = replace(span, start=span.start + start, end=span.end + start)
            found.append(replace(moved, section=span.section or carried))
    return found


def _pieces(text: str, limit: int) -> Iterator[tuple[int, str]]:
    """Each piece and where it starts; a text that is short enough, also an empty one, is one."""
    start = 0
    while len(text) - start > limit:
        end = _cut(text, start, start + limit)
        yield start, text[start:end]
        start = end
    yield start, text[start:]


def _cut(text: str, start: int, end: int) -> int:
    """After the last blank line in the second half of the piece, else line, else word."""
    for mark in _BREAKS:
        at = text.rfind(mark, (start + end) // 2, end)
        if at > start:
            return at + len(mark)
    return end

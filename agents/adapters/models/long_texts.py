"""Long texts for the decomposer: bounded pieces, joined where one unit ends and a line begins.

A note of megabytes in one request would miss its deadline at every attempt and hold its partition
for ever. Notes and generated texts go through here, for it is the decomposer's port that calls it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

from agents.ports import Span
from schemas.propositions import SharedContext, SourceSpan

PIECE_CHARACTERS = 100_000
"""0.2 s of a CPU as claims; well within any deadline."""
_BREAKS = ("\n\n", "\n", " ")


async def in_pieces(
    text: str,
    decompose: Callable[[str], Awaitable[list[Span]]],
    limit: int = PIECE_CHARACTERS,
) -> list[Span]:
    """The spans of `text`, from `decompose` of pieces of at most `limit` characters.

    The end of a piece is read again with the next one, so that no header is parted from its text.
    What a piece says before its first header is under the last header of the piece before, and
    what the first one says of the patient and the encounter is so of all.
    """
    result: list[Span] = []
    section: str | None = None
    known: SharedContext | None = None
    start = 0
    while True:
        end = _cut(text, start, limit)
        piece = text[start:end]
        spans = await decompose(piece)
        kept, done = (len(spans), len(piece)) if end == len(text) else _settled(piece, spans)
        carried = section
        if start == 0 and spans:
            known = next((span.context for span in spans if span.context), None)
        for span in spans[:kept]:
            if span.section is not None:
                section, carried = span.section, None
            result.append(
                replace(
                    span,
                    start=span.start + start,
                    end=span.end + start,
                    section=span.section or carried,
                    sources=tuple(_moved(source, start) for source in span.sources),
                    words=tuple(_moved(each, start) for each in span.words),
                    context=_shared(span.context, known),
                )
            )
        start += done
        if start >= len(text):
            return result


def _shared(own: SharedContext | None, known: SharedContext | None) -> SharedContext | None:
    if own is None or known is None:
        return own
    given = known.model_dump(include={"age", "sex", "encounter"}, exclude_none=True)
    return own.model_copy(update=given)


def _moved(source: SourceSpan, by: int) -> SourceSpan:
    return SourceSpan(start=source.start + by, end=source.end + by)


def _cut(text: str, start: int, limit: int) -> int:
    """After the last blank line in the second half of the piece, else line, else word."""
    end = start + limit
    if end >= len(text):
        return len(text)
    cuts = ((text.rfind(mark, start + limit // 2, end), len(mark)) for mark in _BREAKS)
    return next((at + length for at, length in cuts if at >= 0), end)


def _settled(piece: str, spans: Sequence[Span]) -> tuple[int, int]:
    """How many spans stand whatever follows, and where the next piece begins: a line's start after
    them, before what may be a header of the rest."""
    ends = [0]
    for span in spans:
        ends.append(max(ends[-1], span.end))
    for kept in range(len(spans) - 1, 0, -1):
        line = piece.find("\n", ends[kept], max(ends[kept], spans[kept].start)) + 1
        if line > 0:
            return kept, line
    return len(spans), len(piece)

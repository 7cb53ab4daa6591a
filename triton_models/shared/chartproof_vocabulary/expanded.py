"""A text with its shorthand spelled out, and the way back to the characters it came from."""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple


class Replacement(NamedTuple):
    """`text[start:end]` of the expanded text stands for `[original_start, original_end)`."""

    start: int
    end: int
    original_start: int
    original_end: int


class Expanded(NamedTuple):
    """`offsets`: what was replaced, in order; all between the replacements is as it was."""

    text: str
    offsets: tuple[Replacement, ...]

    def original(self, start: int, end: int) -> tuple[int, int]:
        """The span of the original text that `text[start:end]` came from.

        A span that begins or ends within an expansion covers the whole abbreviation.
        """
        return self._position(start, 0), max(self._position(end, 1), self._position(start, 0))

    def expanded(self, start: int, end: int) -> tuple[int, int]:
        """The span of `text` that the original's `[start, end)` became."""
        turned = Expanded("", tuple(Replacement(r[2], r[3], r[0], r[1]) for r in self.offsets))
        return turned.original(start, end)

    def _position(self, offset: int, side: int) -> int:
        index = bisect_right(self.offsets, offset - side, key=lambda each: each.start) - 1
        if index < 0:
            return offset
        last = self.offsets[index]
        if offset - side < last.end:
            return last.original_end if side else last.original_start
        return offset - last.end + last.original_end

"""Lines of a text with their exact offsets, and the marks at their start: bullets, numbers, rulers.

Every pattern here is tried at one place of a line and has no nested repetition, so the work is
linear in the length of the text whatever is in it.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_EOL = re.compile(r"\r\n|[\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029]")
_BULLET = re.compile(
    r"(?:#{1,6}|[*\u2022\u25cf\u25cb\u25aa\u25ab\u25a0\u25e6\u25b6\u25ba\u25c6\u25c7\u27a2\u27a4\u2023\u00b7\u2013"
    r"\u2014\u2043\uf0a7\uf0b7]|-{1,2}|o(?=\t|  ))(?=\s)\s+"
)
_INNER = re.compile(r"o +")
"""What word processors paste for the bullet of an inner list; elsewhere "o" is a word."""
_NUMBER = re.compile(r"\(?(?:(\d{1,2})[.)]|(i{1,3}|iv|v|[a-h])\))(?=\s)\s+")
_TIGHT = re.compile(r"\(?(\d{1,2})[.)](?=[A-Z][a-z]{2,}|[A-Z]{4,})")
_LETTERED = re.compile(r"\(?([a-h]|[A-H]|i{1,3}|iv|vi{0,3}|ix|x)[.)][ \t]+(?=\S)")
_ROMAN = {
    "i": 1,
    "ii": 2,
    "iii": 3,
    "iv": 4,
    "v": 5,
    "vi": 6,
    "vii": 7,
    "viii": 8,
    "ix": 9,
    "x": 10,
}
_COUNTED = {
    **{c: n for n, c in enumerate("abcdefgh", 1)},
    "i": 1,
    "ii": 2,
    "iii": 3,
    "iv": 4,
    "v": 5,
}
_RULER = re.compile(r"[-=_*~#+|:\u2013\u2014\u2500\u2550][-=_*~#+|:\s\u2013\u2014\u2500\u2550]+\Z")
_GAP = re.compile(r"(?<![\s.?!:;,])(?: {2,}|[ ]*\t[ \t]*)(?=\S)")
_WIDE_GAP = re.compile(r"(?<![\s.?!;,])(?: {3,}|[ ]*\t[ \t]*| ?\| ?)(?=\S)")
PAIR = re.compile(
    r"[A-Za-z][A-Za-z0-9/%().+-]{0,20}(?: [A-Za-z][A-Za-z0-9/%().+-]{0,20}){0,2} ?[:=]?\s?"
    r"[<>~]?\d[\d./,]{0,12}\s?[A-Za-z%/\d^]{0,12}(?: ?\(?[HL*]{1,2}\)?)?\Z"
)
"""A name and its value: "BP 120/80"."""
_TELLING = re.compile(
    r"[A-Za-z][A-Za-z0-9/%.+-]{0,20}(?: [A-Za-z][A-Za-z/%.-]{0,20}){0,2} ?[:=]?\s?[<>~]?\d"
)
"""How a cell begins that speaks for itself."""
_WHEN = re.compile(r"(?:day|pod|hd|week|visit|time|date|bed|room|at|on)\b", re.IGNORECASE)
"""A first cell of this kind belongs to all of its row."""
_TABLE_WIDTH = 160
"""A longer line is prose with odd spacing, not a row."""


class Line(NamedTuple):
    """`text[start:end]` is the line without outer whitespace; `indent` counts a tab as 4."""

    start: int
    end: int
    indent: int
    body: str

    @property
    def blank(self) -> bool:
        return self.start == self.end

    @property
    def ruler(self) -> bool:
        return len(self.body) >= 3 and _RULER.match(self.body) is not None


class Marker(NamedTuple):
    """A list marker at the start of a line: `width` characters, its number or 0."""

    width: int
    number: int
    closed: bool = False
    """In parentheses, or with no space behind it: no wrapped sentence begins so."""


def split_lines(text: str) -> list[Line]:
    result = []
    at = 0
    for eol in _EOL.finditer(text):
        result.append(_line(text, at, eol.start()))
        at = eol.end()
    result.append(_line(text, at, len(text)))
    return result


def _line(text: str, start: int, end: int) -> Line:
    raw = text[start:end]
    left = raw.lstrip()
    margin = raw[: len(raw) - len(left)]
    body = left.rstrip()
    begin = start + len(margin)
    return Line(begin, begin + len(body), len(margin.replace("\t", "    ")), body)


def marker(body: str, *, inner: bool = False) -> Marker | None:
    """The list marker that `body` starts with. "a." is none: "E. coli" starts like that too.

    `inner`: the line may be an item of a list inside another.
    """
    if bullet := _BULLET.match(body) or (_INNER.match(body) if inner else None):
        return Marker(bullet.end(), 0)
    if number := _NUMBER.match(body):
        counted = int(number[1]) if number[1] else _COUNTED[number[2]]
        return Marker(number.end(), counted, body[0] == "(")
    if tight := _TIGHT.match(body):
        return Marker(tight.end(), int(tight[1]), True)
    return None


def lettered(body: str) -> Marker | None:
    """The marker "b." or "ii." of a line, which alone says little: "E. coli" begins so too."""
    result = _LETTERED.match(body)
    if result is None:
        return None
    letters = result[1].lower()
    return Marker(result.end(), _ROMAN.get(letters) or ord(letters[0]) - ord("a") + 1)


def cells(body: str) -> list[tuple[int, int]]:
    """The parts of a table-like line that are facts of their own; empty when it is not one.

    "Na 138  K 4.2" gives two; a row whose cells only speak together ("Sodium   138   mmol/L")
    gives one part, the whole row.
    """
    if len(body) > _TABLE_WIDTH:
        return []
    narrow, wide = _parts(body, _GAP), _parts(body, _WIDE_GAP)
    for parts, speaks in ((narrow, PAIR), (wide, _TELLING), (narrow, _TELLING)):
        each = all(speaks.match(body[start:end]) for start, end in parts)
        if len(parts) > 1 and each and not _WHEN.match(body):
            return parts
    return [(0, len(body))] if len(wide) > 1 else []


def _parts(body: str, gap: re.Pattern[str]) -> list[tuple[int, int]]:
    result = []
    at = 0
    for hit in gap.finditer(body):
        result.append((at, hit.start()))
        at = hit.end()
    result.append((at, len(body)))
    return [(start, end) for start, end in result if end > start]

"""Tables of a text: markdown's, and tabs under a row of names. Names go with the values.

"| K | 5.9 | 4.1 |" under "| Lab | Admission | Discharge |" says two things, each of its own column:
"Admission: K 5.9" and "Discharge: K 4.1". Where the columns are properties of the row ("Drug | Dose
| Route") it says one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from chartproof_decomposer.lines import Line

_RULE = re.compile(r"\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?\Z")
_VALUE = re.compile(r"[<>~=\u2264\u2265]?\s*[-+]?\d|(?:neg|pos)\w*\Z|[+-]+\Z", re.IGNORECASE)
_EMPTY = frozenset(["", "-", "--", "\u2014", "\u2013", "n/a", "na", "***", "___", "."])
_MAX_COLUMNS = 60


class Cell(NamedTuple):
    """A statement of a table: its place in the text and its words."""

    start: int
    end: int
    words: str


class Grid(NamedTuple):
    """Lines `first` to `last`, the last one too; the header states nothing."""

    first: int
    last: int
    header: tuple[int, int]
    cells: list[Cell]


def grid_at(lines: Sequence[Line], at: int) -> Grid | None:
    """The table whose row of names is line `at`."""
    body = lines[at].body
    if "|" in body:
        ruled = (
            at + 1 < len(lines) and "-" in lines[at + 1].body and _RULE.match(lines[at + 1].body)
        )
        return _grid(lines, at, at + 2, "|") if ruled else None
    if "\t" in body and not any(_VALUE.match(name) for _, _, name in _split(lines[at], "\t")[1:]):
        return _grid(lines, at, at + 1, "\t")
    return None


def _grid(lines: Sequence[Line], at: int, below: int, mark: str) -> Grid | None:
    names = [name for _, _, name in _split(lines[at], mark)]
    if not 2 <= len(names) <= _MAX_COLUMNS:
        return None
    rows = []
    for line in lines[below:]:
        cells = _split(line, mark) if mark in line.body and not _RULE.match(line.body) else []
        if not cells or len(cells) > len(names) or (mark == "\t" and len(cells) != len(names)):
            break
        rows.append(cells)
    if not rows or (mark == "\t" and not _are_values(rows)):
        return None
    apart = _are_values(rows) and len(names) > 2
    result = [cell for row in rows for cell in _row(row, names, apart)]
    return Grid(at, below + len(rows) - 1, (lines[at].start, lines[at].end), result)


def _are_values(rows: Sequence[list[tuple[int, int, str]]]) -> bool:
    """Whether the columns behind the first hold measurements, one each."""
    values = [text for row in rows for _, _, text in row[1:] if text.lower() not in _EMPTY]
    single = [text for text in values if _VALUE.match(text) and len(text.split()) <= 3]
    return (
        bool(values) and len(single) * 5 >= len(values) * 4 and not any("mg" in v for v in values)
    )


def _row(row: list[tuple[int, int, str]], names: list[str], apart: bool) -> list[Cell]:
    start, end, first = row[0]
    filled = [
        (at, to, text, name)
        for (at, to, text), name in zip(row[1:], names[1:], strict=False)
        if text.lower() not in _EMPTY
    ]
    if apart:
        return [
            Cell(at, to, f"{name}: {first} {text}" if name else f"{first} {text}")
            for at, to, text, name in filled
        ]
    if not filled:
        return [Cell(start, end, first)] if first and len(names) > 2 else []
    given = [f"{name}: {text}" if name else text for _, _, text, name in filled]
    lead = first if first else ""
    if len(names) == 2:
        return [Cell(start, filled[-1][1], f"{lead}: {filled[0][2]}" if lead else given[0])]
    return [Cell(start, filled[-1][1], ", ".join(filter(None, (lead, *given))))]


def _split(line: Line, mark: str) -> list[tuple[int, int, str]]:
    """Start, end and words of each cell."""
    body = line.body
    at = line.start
    if mark == "|" and body.startswith("|"):
        body, at = body[1:], at + 1
    if mark == "|" and body.endswith("|"):
        body = body[:-1]
    result = []
    for part in body.split(mark):
        words = part.strip().strip("*_` ")
        left = at + len(part) - len(part.lstrip())
        result.append((left, max(left, left + len(part.strip())), words))
        at += len(part) + len(mark)
    return result

"""Rows and columns of a table of HTML or CDA, so that each value keeps its column and its row's
name.

A cell that spans rows is written again in each of them: "Lisinopril | 10 mg AM" over "5 mg PM" says
whose 5 mg they are. An empty cell is marked where its column has had words before, or the value
that follows would stand under the wrong name.
"""

from __future__ import annotations

MAX_COLUMNS = 200
MAX_SPAN = 1000
_LONGEST_AGAIN = 200
"""Characters of a cell that is written again; more is no name of a row."""


class Table:
    """A table while it is read. `cell` is the open one: columns and rows that it spans, and where
    its words begin."""

    def __init__(self) -> None:
        self.cell: tuple[int, int, int] | None = None
        self._column = 0
        self._here: dict[int, str] = {}
        """By column, the words of cells that reach into this row from above."""
        self._below: dict[int, tuple[int, str]] = {}
        """By column: how many rows further down a cell reaches, and its words."""
        self._named: set[int] = set()
        """Columns that have had words."""

    def next_row(self) -> None:
        self._column = 0
        self._here = {column: words for column, (rows, words) in self._below.items() if rows > 0}
        self._below = {
            column: (rows - 1, words) for column, (rows, words) in self._below.items() if rows > 1
        }

    def reaching_here(self, *, to_end: bool = False) -> list[str]:
        """The words of cells that reach from above into the place where the next cell begins."""
        words: list[str] = []
        last = max(self._here, default=-1) if to_end else self._column
        while self._column in self._here or (to_end and self._column <= last):
            words.append(self._here.pop(self._column, ""))
            self._column += 1
        return [each for each in words if each]

    def close(self, words: str) -> bool:
        """The open cell ends. Whether it is empty and its place must be marked."""
        if self.cell is None:
            return False
        wide, deep, _ = self.cell
        self.cell = None
        column, self._column = self._column, min(self._column + wide, MAX_COLUMNS)
        again = words if "\n" not in words and len(words) <= _LONGEST_AGAIN else ""
        for at in range(column, self._column):
            if deep > 1:
                self._below[at] = (deep - 1, again if at == column else "")
        empty = not words and column > 0 and column in self._named
        if words:
            self._named.add(column)
        return empty

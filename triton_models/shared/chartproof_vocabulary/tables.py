"""Readers of the tables in `data/`: tab-separated rows; `#` opens a comment."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

DATA = Path(__file__).parent / "data"


def rows(path: Path, columns: int) -> Iterator[list[str]]:
    """The rows of a table, each filled up to `columns` with empty strings.

    Raises `ValueError`, which names the file and the line, where a row has too many.
    """
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        cells = [cell.strip() for cell in line.split("\t")]
        if len(cells) > columns or not cells[0]:
            raise ValueError(f"{path.name}, line {number}: expected at most {columns} columns")
        yield cells + [""] * (columns - len(cells))


def word_list(name: str) -> frozenset[str]:
    """The words of `words/<name>.tsv`."""
    return frozenset(word for [word] in rows(DATA / "words" / f"{name}.tsv", 1))


def drug_names() -> frozenset[str]:
    """The names of drugs that are one word, in lower case; no abbreviations that are words too."""
    return frozenset(
        name
        for generic, others, _ in rows(DATA / "drugs.tsv", 3)
        for name in (generic, *others.split(" ; "))
        if name and name == name.lower() and " " not in name
    )

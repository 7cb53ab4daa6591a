"""Readers of the tables: a table is plain text, parted by white space or lines."""

from __future__ import annotations


def word_set(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


def word_list(text: str) -> list[str]:
    """The words of a text, in order."""
    return text.split()


def rows(table: str) -> list[str]:
    """The lines of a table; a line that starts with `|` continues the one above."""
    return table.strip().replace("\n|", " |").splitlines()


def word_map(text: str) -> dict[str, str]:
    """`left=right` pairs as a mapping."""
    return dict(pair.split("=", 1) for pair in text.split())

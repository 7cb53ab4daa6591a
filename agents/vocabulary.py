"""The clinical vocabulary, as agents read it: the tables that the models of Triton read too.

The tables are in `triton_models/shared/chartproof_vocabulary/data`, because a Triton image holds
`triton_models/` alone; their README says what a row is. A name that is written with a capital
letter (MI, K, Cr) counts only as written, because in lower case it is another word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import MappingProxyType

DATA = Path(__file__).resolve().parents[1].joinpath(
    "triton_models", "shared", "chartproof_vocabulary", "data"
)  # fmt: skip
BETWEEN_NAMES = " ; "
WORD = re.compile(r"[A-Za-z0-9\u00b5]+")
"""The tokens by which a text is matched with names."""

Words = tuple[str, ...]


def rows(table: str, columns: int = 3) -> Iterator[list[str]]:
    """The rows of `DATA / table`, filled up to `columns` with empty strings."""
    for line in (DATA / table).read_text("utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            cells = line.split("\t")
            yield cells + [""] * (columns - len(cells))


@cache
def names(kind: str) -> Sequence[Words]:
    """The things of a kind (`problem`, `procedure`, `drug`, `result`, `care`): all names of each,
    the one that it is called by first."""
    table = "drugs.tsv" if kind == "drug" else f"concepts/{kind}.tsv"
    return tuple((name, *filter(None, more.split(BETWEEN_NAMES))) for name, more, _ in rows(table))


@cache
def shorthand() -> Mapping[str, Words]:
    """An expansion of several words -> the abbreviations that mean it where nothing else decides.

    Those of one word ("patient", "with") would add nothing to a search.
    """
    meant: dict[str, list[str]] = {}
    for table in sorted((DATA / "abbreviations").glob("*.tsv")):
        for shorts, expansion, cues in rows(f"abbreviations/{table.name}"):
            decided = not cues or "*" in cues.split()
            if decided and " " in expansion:
                meant.setdefault(expansion, []).extend(shorts.split(BETWEEN_NAMES))
    return MappingProxyType({expansion: tuple(shorts) for expansion, shorts in meant.items()})


@cache
def opposites() -> Mapping[str, str]:
    """A word -> its opposite."""
    pairs = [(left, right) for left, right, _ in rows("words/opposites.tsv")]
    return MappingProxyType(dict(pairs) | {right: left for left, right in pairs})


def matching_words(name: str) -> Words:
    """The tokens of a name, in lower case unless the name counts only as written."""
    return tuple(WORD.findall(name))

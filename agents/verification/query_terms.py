"""Words for refined searches: what else a chart calls a thing, and what speaks against it.

It only widens a search: nothing here decides a verdict, so a wrong word costs a search and no more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from types import MappingProxyType

from agents.vocabulary import Words, matching_words, names, shorthand

MOST_NAMES = 4
"""Other names added of one thing, the shortest first: those are what notes abbreviate."""
_KINDS = ("problem", "drug", "procedure", "result", "care")


@cache
def other_names() -> Mapping[Words, Words]:
    """The words of a name -> other names: of the first name those in use, of others the first."""
    others: dict[Words, Words] = {}
    for group in _groups():
        first, *more = group
        short = sorted(dict.fromkeys(more), key=len)
        others.setdefault(matching_words(first), tuple(short[:MOST_NAMES]))
        for name in more:
            others.setdefault(matching_words(name), (first,))
    return MappingProxyType(others)


def _groups() -> Sequence[Words]:
    """The names of each thing, with its abbreviations; then abbreviations of other phrases."""
    short = dict(shorthand())
    things = [
        (*group, *(s for name in group for s in short.pop(name, ())))
        for kind in _KINDS
        for group in names(kind)
    ]
    return [*things, *((phrase, *shorts) for phrase, shorts in short.items())]

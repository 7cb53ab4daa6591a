"""The abbreviations of `data/abbreviations/`, and which expansion the words around one decide for.

Better unexpanded than wrongly expanded: an abbreviation of several meanings is expanded only where
the words around it speak for one of them more than for the others.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType
from typing import NamedTuple

from chartproof_vocabulary.tables import DATA, rows

TOKEN = re.compile(r"[^\W\d_]+|\d+(?:[.,]\d+)*|[^\w\s]")
REACH = 8
"""Tokens on each side that count as near."""
_SKIPPED = frozenset(
    [":", "=", "-", "(", "/", "of", "was", "is", "at", "to", "a", "an", "the", "."]
)
"""Between an abbreviation and what stands next to it in meaning: `K of 3.2`."""


@dataclass(frozen=True)
class Cues:
    """Words that speak for an expansion: near, right before, right after; and those against it."""

    near: frozenset[str] = frozenset()
    near_prefixes: tuple[str, ...] = ()
    before: frozenset[str] = frozenset()
    after: frozenset[str] = frozenset()
    against: frozenset[str] = frozenset()
    not_before: frozenset[str] = frozenset()
    not_after: frozenset[str] = frozenset()
    default: bool = True


@dataclass(frozen=True)
class Entry:
    """A way to write something short. `exact`: only in the case written."""

    short: str
    exact: bool
    expansions: tuple[tuple[str, Cues], ...]
    lab: bool = False


class Surroundings(NamedTuple):
    near: frozenset[str]
    before: frozenset[str]
    after: frozenset[str]


@dataclass(frozen=True)
class Abbreviations:
    """`entries`: the first token of a short form, in lower case -> entries, the longest first."""

    entries: Mapping[str, tuple[Entry, ...]]
    labs: frozenset[str] = field(default_factory=frozenset)
    words: frozenset[str] = field(default_factory=frozenset)
    """English words: in a line of capitals they are no abbreviations."""


@cache
def load() -> Abbreviations:
    by_form: dict[str, list[tuple[str, Cues]]] = {}
    labs: set[str] = set()
    for path in sorted((DATA / "abbreviations").glob("*.tsv")):
        for shorts, expansion, cues in rows(path, 3):
            for short in shorts.split(" ; "):
                by_form.setdefault(short, []).append((expansion, read_cues(cues)))
                if path.stem == "labs":
                    labs.add(short.lower())
    entries: dict[str, list[Entry]] = {}
    for short, expansions in by_form.items():
        first = TOKEN.match(short)
        if first is None:
            raise ValueError(f"{short!r} is no abbreviation: it starts with a space")
        entry = Entry(
            short.lower() if short == short.lower() else short,
            short != short.lower(),
            tuple(expansions),
            short.lower() in labs,
        )
        entries.setdefault(first[0].lower(), []).append(entry)
    words = frozenset(word for [word] in rows(DATA / "english_words.tsv", 1))
    ordered = {key: tuple(sorted(each, key=_longest_first)) for key, each in entries.items()}
    return Abbreviations(MappingProxyType(ordered), frozenset(labs), words)


def read_cues(cell: str) -> Cues:
    """`word` near, `word*` a prefix near, `<word` before, `>word` after, `!` against, `*` default.

    `0` is any number. A cell that is empty says that the expansion always holds.
    """
    cues = cell.split()
    plain = [cue for cue in cues if cue[0] not in "<>!" and cue != "*"]
    return Cues(
        near=frozenset(cue for cue in plain if not cue.endswith("*")),
        near_prefixes=tuple(cue[:-1] for cue in plain if cue.endswith("*")),
        before=frozenset(cue[1:] for cue in cues if cue.startswith("<")),
        after=frozenset(cue[1:] for cue in cues if cue.startswith(">")),
        against=frozenset(c[1:] for c in cues if c.startswith("!") and c[1] not in "<>"),
        not_before=frozenset(cue[2:] for cue in cues if cue.startswith("!<")),
        not_after=frozenset(cue[2:] for cue in cues if cue.startswith("!>")),
        default=not [cue for cue in cues if not cue.startswith("!")] or "*" in cues,
    )


def surroundings(tokens: Sequence[str], first: int, after: int) -> Surroundings:
    """What stands around `tokens[first:after]`, in lower case; a number is `0`."""
    left = [_kind(token) for token in tokens[max(first - REACH, 0) : first]]
    right = [_kind(token) for token in tokens[after : after + REACH]]
    return Surroundings(frozenset(left + right), _adjacent(left[::-1]), _adjacent(right))


def choose(entry: Entry, around: Surroundings) -> str | None:
    """The expansion that the surroundings decide for; None where they decide for none."""
    scored = sorted(
        (
            (score, cues.default, expansion)
            for expansion, cues in entry.expansions
            if (score := _score(cues, around)) is not None
        ),
        key=lambda each: (each[0], each[1]),
        reverse=True,
    )
    if not scored:
        return None
    score, default, expansion = scored[0]
    if score == 0:
        return expansion if default else None
    tied = len(scored) > 1 and scored[1][0] == score and scored[1][1] == default
    return None if tied else expansion


def _score(cues: Cues, around: Surroundings) -> int | None:
    """Two for a cue right beside it, one for a cue near; None where a word speaks against it."""
    if (
        cues.against & around.near
        or cues.not_before & around.before
        or cues.not_after & around.after
    ):
        return None
    near = len(cues.near & around.near) + sum(
        any(word.startswith(prefix) for word in around.near) for prefix in cues.near_prefixes
    )
    return near + 2 * len(cues.before & around.before) + 2 * len(cues.after & around.after)


def _adjacent(tokens: Sequence[str]) -> frozenset[str]:
    """The next token, and the next two that say something; a number only where it is the first."""
    saying = [token for token in tokens if token not in _SKIPPED][:2]
    return frozenset([*tokens[:1], *saying[:1], *filter(str.isalpha, saying[1:])])


def _kind(token: str) -> str:
    return "0" if token[0].isdigit() else token.lower()


def _longest_first(entry: Entry) -> tuple[int, bool]:
    return (-len(entry.short), not entry.exact)

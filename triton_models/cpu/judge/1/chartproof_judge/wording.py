"""How alike two wordings are, word by word and in order."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from .words import stem

MAX_WORDS = 80
LEAST = 0.4
"""Below this share of common words the order is not looked at."""


class Alignment(NamedTuple):
    """Two wordings side by side, as stems.

    `common` is their longest common subsequence; `share` its share of both (Dice, 0..1); `slots`
    the stretches between, where each has something else.
    """

    common: tuple[str, ...]
    share: float
    slots: tuple[tuple[frozenset[str], frozenset[str]], ...]


UNLIKE = Alignment((), 0.0, ())


def align(one: Sequence[str], two: Sequence[str]) -> Alignment:
    """Align two wordings; nothing is aligned when too few words are common."""
    first = [stem(word) for word in one if word[0].isalnum()][:MAX_WORDS]
    second = [stem(word) for word in two if word[0].isalnum()][:MAX_WORDS]
    either, both = set(first) | set(second), set(first) & set(second)
    if not both or 2 * len(both) / (len(either) + len(both)) < LEAST:
        return UNLIKE
    pairs = _pairs(first, second)
    slots = []
    for (i, j), (k, m) in pairwise([(-1, -1), *pairs, (len(first), len(second))]):
        if k - i > 1 and m - j > 1:
            slots.append((frozenset(first[i + 1 : k]), frozenset(second[j + 1 : m])))
    share = 2 * len(pairs) / (len(first) + len(second))
    return Alignment(tuple(first[i] for i, _ in pairs), share, tuple(slots))


def _pairs(first: Sequence[str], second: Sequence[str]) -> list[tuple[int, int]]:
    """Places of a longest common subsequence in both."""
    lengths = [[0] * (len(second) + 1)]
    for word in first:
        above = lengths[-1]
        row = [0]
        for at, other in enumerate(second):
            row.append(above[at] + 1 if word == other else max(above[at + 1], row[at]))
        lengths.append(row)
    found: list[tuple[int, int]] = []
    i, j = len(first), len(second)
    while i and j:
        if first[i - 1] == second[j - 1]:
            i, j = i - 1, j - 1
            found.append((i, j))
        elif lengths[i - 1][j] >= lengths[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return found[::-1]

"""How alike two wordings are, word by word and in order."""

from __future__ import annotations

from collections.abc import Sequence

from .words import stem

MAX_WORDS = 80
LEAST = 0.4
"""Below this share of common words the order is not looked at."""


def template(one: Sequence[str], two: Sequence[str]) -> tuple[list[str], float]:
    """The longest common subsequence of two wordings, as stems, and its share of both (Dice)."""
    first = [stem(word) for word in one if word[0].isalnum()][:MAX_WORDS]
    second = [stem(word) for word in two if word[0].isalnum()][:MAX_WORDS]
    if not first or not second:
        return [], 0.0
    if 2 * len(set(first) & set(second)) / (len(set(first)) + len(set(second))) < LEAST:
        return [], 0.0
    lengths = [[0] * (len(second) + 1)]
    for word in first:
        above = lengths[-1]
        row = [0]
        for at, other in enumerate(second):
            row.append(above[at] + 1 if word == other else max(above[at + 1], row[at]))
        lengths.append(row)
    common: list[str] = []
    i, j = len(first), len(second)
    while i and j:
        if first[i - 1] == second[j - 1]:
            common.append(first[i - 1])
            i, j = i - 1, j - 1
        elif lengths[i - 1][j] >= lengths[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return common, 2 * len(common) / (len(first) + len(second))

"""Where in a sentence the words of a claim stand.

A model copies words, or says that it does. What it gives is looked for as it is, then without
regard to case, spacing and signs, then as the shortest stretch with most of its words. A claim of
which the sentence has too little is not of that sentence: that is an error, and never a guess.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from agents.adapters.llm.errors import BadAnswer

_WORD = re.compile(r"[^\W_]+(?:[.,/:'%-][^\W_]+)*%?")
COVERED = 0.6
"""Share of a claim's words that its sentences must have: subject and time may be repeated, no more.
"""
_WORDS = "a an the and or of to in on at for with by is was were are has had have"
_EMPTY = frozenset(_WORDS.split())


def place(words: str, text: str, start: int, end: int) -> tuple[int, int]:
    """Offsets in `text` of the stretch of text[start:end] that `words` are. Raises `BadAnswer`."""
    at = text.find(words, start, end) if words else -1
    if at >= 0:
        return at, at + len(words)
    wanted = [word.casefold() for word in _WORD.findall(words)]
    result = [(match[0].casefold(), match.span()) for match in _WORD.finditer(text, start, end)]
    if not wanted:
        raise BadAnswer("`words` must be copied from the sentence.")
    spans = _as_it_is(wanted, result) or _most_of(wanted, result)
    if spans is None:
        raise BadAnswer("`words` must be copied from the sentence that `sentence` names.")
    return spans


def borne_out(claim: str, sources: Sequence[str]) -> bool:
    """Whether the words of a claim are those of its sentences; its numbers all are."""
    known = {word.casefold() for source in sources for word in _WORD.findall(source)}
    words = [word.casefold() for word in _WORD.findall(claim)]
    if any(word not in known for word in words if word[0].isdigit()):
        return False
    content = [word for word in words if word not in _EMPTY]
    if not content:
        return False
    return sum(_known(word, known) for word in content) >= COVERED * len(content)


def _known(word: str, known: set[str]) -> bool:
    """Inflected forms count: a claim makes a sentence of what was a list."""
    return word in known or (len(word) > 4 and any(other[:4] == word[:4] for other in known))


Found = Sequence[tuple[str, tuple[int, int]]]


def _as_it_is(wanted: Sequence[str], result: Found) -> tuple[int, int] | None:
    for n in range(len(result) - len(wanted) + 1):
        if all(result[n + k][0] == word for k, word in enumerate(wanted)):
            return result[n][1][0], result[n + len(wanted) - 1][1][1]
    return None


def _most_of(wanted: Sequence[str], result: Found) -> tuple[int, int] | None:
    """From the first to the last of the words that are there, where most are."""
    asked = {word for word in wanted if word not in _EMPTY} or set(wanted)
    there = [span for word, span in result if word in asked]
    have = {word for word, _ in result} & asked
    if len(have) < COVERED * len(asked):
        return None
    return there[0][0], there[-1][1]

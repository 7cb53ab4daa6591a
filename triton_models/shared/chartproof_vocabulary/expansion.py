"""`expand`: a clinical text with its shorthand spelled out, for facts and statements alike.

One pass over the tokens. At each, a pattern (numbers with their units, arrows, ages) or the longest
abbreviation that begins there is replaced; each looks at a bounded window, so work is linear.
"""

from __future__ import annotations

import string
from collections.abc import Iterator
from typing import NamedTuple

from chartproof_vocabulary.abbreviations import (
    REACH,
    TOKEN,
    Abbreviations,
    choose,
    load,
    surroundings,
)
from chartproof_vocabulary.expanded import Expanded, Replacement
from chartproof_vocabulary.pattern_rules import Place
from chartproof_vocabulary.patterns import replaced

_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)
"""Keeps the length, which `str.lower` does not for every script."""


class _Source(NamedTuple):
    """A text, the same in lower case (ASCII), and its tokens."""

    text: str
    lowered: str
    tokens: list[str]


class _Change(NamedTuple):
    start: int
    end: int
    text: str


def expand(text: str) -> Expanded:
    """`text` in words that a reader outside the clinic knows; numbers keep their values.

    Abbreviations whose meaning the text leaves open stay as they are.
    """
    pieces: list[str] = []
    offsets: list[Replacement] = []
    copied = length = 0
    for change in _changes(text, load()):
        kept = text[copied : change.start]
        words = _spaced(text, change)
        start = length + len(kept)
        pieces += [kept, words]
        length = start + len(words)
        offsets.append(Replacement(start, length, change.start, change.end))
        copied = change.end
    return Expanded("".join([*pieces, text[copied:]]), tuple(offsets))


def _changes(text: str, known: Abbreviations) -> Iterator[_Change]:
    matches = list(TOKEN.finditer(text))
    source = _Source(text, text.translate(_LOWER), [match[0] for match in matches])
    after = 0
    for index, match in enumerate(matches):
        start = match.start()
        if start < after:
            continue
        change = _pattern(source, index, start, known) or _abbreviation(source, index, start, known)
        if change is not None:
            after = change.end
            if change.text != text[change.start : change.end]:
                yield change


def _pattern(source: _Source, index: int, start: int, known: Abbreviations) -> _Change | None:
    text, _, tokens = source
    place = Place(text, start, [token.lower() for token in tokens[max(index - 3, 0) : index]])
    change = replaced(place, known.labs)
    return _Change(start, *change) if change else None


def _abbreviation(source: _Source, index: int, start: int, known: Abbreviations) -> _Change | None:
    text, lowered, tokens = source
    token = tokens[index]
    singular = token[:-1] if token[-1] == "s" and token[:-1].isupper() else token
    candidates = known.entries.get(token.lower(), ())
    if singular != token:
        candidates += known.entries.get(singular.lower(), ())
    if not candidates or _joined_before(text, start):
        return None
    undecided: set[str] = set()
    for entry in candidates:
        if not (text if entry.exact else lowered).startswith(entry.short, start):
            continue
        end = start + len(entry.short)
        plural = text[end : end + 1] == "s" and text[end - 1].isupper()
        if _joined_after(text, end + plural):
            continue
        if entry.exact and entry.short.lower() in known.words and _shouted(tokens, index):
            continue
        if entry.short.lower() in undecided:
            continue
        count = len(TOKEN.findall(text[start:end]))
        expansion = choose(entry, surroundings(tokens, index, index + count))
        if expansion is not None:
            return _Change(start, end + plural, _plural(expansion) if plural else expansion)
        undecided.add(entry.short.lower())
    return None


def _joined_before(text: str, start: int) -> bool:
    """Whether it is the tail of a word, a number or an id."""
    return start > 0 and (text[start - 1].isalnum() or text[start - 1] in "_@\\")


def _joined_after(text: str, end: int) -> bool:
    """Whether the word goes on; a short form that ends in a slash (`w/`) may."""
    if end >= len(text) or not text[end - 1].isalnum():
        return False
    return text[end].isalnum() or text[end] in "_@" or text[end : end + 2] in ("'t", "\u2019t")


def _shouted(tokens: list[str], index: int) -> bool:
    """Whether the words around are in capitals too, so that case says nothing."""
    around = [t for t in tokens[max(index - REACH, 0) : index + REACH] if t.isalpha()]
    words = [token for token in around if len(token) > 3]
    return len(words) > 1 and all(map(str.isupper, words))


def _plural(expansion: str) -> str:
    if expansion.endswith("is"):
        return expansion[:-2] + "es"
    if expansion.endswith("y") and expansion[-2:-1] not in "aeou":
        return expansion[:-1] + "ies"
    return expansion if expansion.endswith("s") else expansion + "s"


def _spaced(text: str, change: _Change) -> str:
    """With a space where it would run into the word beside it."""
    before = text[change.start - 1 : change.start]
    after = text[change.end : change.end + 1]
    left = " " if before.isalnum() and change.text[:1].isalnum() else ""
    right = " " if after.isalnum() and change.text[-1:].isalnum() else ""
    return left + change.text + right


def expand_text(text: str) -> str:
    """The text of `expand`, for where no offsets are needed."""
    return expand(text).text

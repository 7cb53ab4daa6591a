"""An atom: the part of a fact that states one salient thing, and how a fact is taken apart."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from agents.omissions.salience.names import Mention
from agents.verification.query_refinement import EMPTY_WORDS
from schemas.completeness import Salience

NEGATED = re.compile(
    r"\b(?:no|not|denie[sd]|denying|without|w/o|negative|neg|never|ruled out|r/o|rule out|unlikely"
    r"|low suspicion|cancel\w+|declin\w+|refus\w+|free of|n't)\b",
    re.IGNORECASE,
)
_TAKEN_BACK = re.compile(
    r"\b(?:unlikely|ruled out|resolved|not found|absent|negative|screening|risk|prophylaxis"
    r"|cancel\w+|declin\w+|refus\w+|deferred|not done)\b",
    re.IGNORECASE,
)
PARTS = re.compile(r"[,;|\n+]|\s(?:and|&)\s(?=[^,;]*$)|\.\s|\s-\s")
"""What separates the items of a list."""
LINES = re.compile(r"[,;|\n]|\s(?:and|&)\s(?=[^,;]*$)")
"""The same where a dash belongs to an item: `Shellfish - hives`."""
_WORD = re.compile(r"[a-z0-9]+(?:\.\d+)?")
_SNOMED = re.compile(
    r"\((?:procedure|disorder|finding|situation|regime/therapy|substance|organism)\)"
)


@dataclass(frozen=True)
class Atom:
    """`fact.text[start:end]` states it.

    `key` names the thing, so that a later note's word on it takes an earlier one's place: by its
    concept where `names` has one (`named`), else by its words.
    """

    salience: Salience
    key: frozenset[str]
    start: int
    end: int
    named: bool = True


def content(text: str) -> frozenset[str]:
    """The words that say something, without plural endings and SNOMED's tags."""
    return frozenset(
        word[:-1] if word.endswith("s") and len(word) > 3 else word
        for word in _WORD.findall(_SNOMED.sub(" ", text.casefold()))
        if word not in EMPTY_WORDS
    )


def is_affirmed(text: str, at: Mention) -> bool:
    """Nothing before it in its clause, and nothing right after it, takes it back."""
    before = re.split(r"[.;]\s|\bbut\b", text[: at.start])[-1]
    after = re.split(r"[,.;]", text[at.end :], maxsplit=1)[0]
    return not (NEGATED.search(before) or _TAKEN_BACK.search(after))


def items(
    text: str, begin: int, end: int, between: re.Pattern[str] = PARTS
) -> Iterator[tuple[int, int]]:
    """Where the items of a list stand, without what parts them; brackets hold together."""
    depth, start = 0, begin
    breaks = {m.start(): m.end() for m in between.finditer(text, begin, end)}
    for at in range(begin, end):
        depth += (text[at] in "([") - (text[at] in ")]")
        if at in breaks and depth <= 0 and at >= start:
            yield from _trimmed(text, start, at)
            start = breaks[at]
    yield from _trimmed(text, start, end)


def item_of(text: str, at: Mention, begin: int = 0, end: int | None = None) -> tuple[int, int]:
    """The item that contains a mention."""
    for start, stop in items(text, begin, len(text) if end is None else end):
        if start <= at.start < stop:
            return start, max(stop, at.end)
    return at.start, at.end


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    item = text[start:end]
    left = len(item) - len(item.lstrip(" -*#\u2022.\n"))
    right = len(item.rstrip(" .;,\n"))
    if left < right:
        yield start + left, start + right

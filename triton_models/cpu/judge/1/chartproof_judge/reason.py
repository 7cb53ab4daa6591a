"""What decided, in plain words, with the chart's own words and the note's time."""

from __future__ import annotations

from collections.abc import Sequence

from .findings import Finding
from .request import Fact

MAX_QUOTE = 160
NAMES = {"numbers": "another value", "side": "the other side"}


def quoted(fact: Fact) -> str:
    text = " ".join(fact.text.split())
    text = text if len(text) <= MAX_QUOTE else f"{text[: MAX_QUOTE - 1]}…"
    return f'"{text}"' + (f" ({fact.time_words})" if fact.time_words else "")


def supported(cited: Sequence[Fact]) -> str:
    if len(cited) == 1:
        return f"The chart says: {quoted(cited[0])}."
    return f"{len(cited)} facts of the chart together say this, first: {quoted(cited[0])}."


def contradicted(cited: Sequence[Fact], conflict: Finding | None, words: str) -> str:
    source = f" {quoted(cited[0])}" if cited else ""
    if conflict is not None and conflict.signal.theirs:
        kind = NAMES[conflict.check]
        return f'The chart gives {kind} for "{words}", {conflict.signal.theirs}:{source}.'
    return f"The chart says otherwise, or only a part of it:{source}."


def silent(missing: str) -> str:
    if missing:
        return f'The facts found say nothing of "{missing}".'
    return "The facts found say nothing of this."

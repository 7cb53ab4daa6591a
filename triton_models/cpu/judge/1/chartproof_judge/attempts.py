"""What was attempted, and whether it succeeded: a failed lumbar puncture is none."""

from __future__ import annotations

from collections.abc import Sequence

from .orders import sentences
from .vocabulary.orders import FAIL_LATER, FAILED, SELF_HARM, SUCCEEDED, TRIED
from .vocabulary.triggers import Status

REACH = 12
"""Tokens before the first and after the last word of it that an attempt is of."""
_NEGATIONS = frozenset(("not", "no", "without", "never", "un", "nor"))
_COULD_NOT = (("unable", "to"), ("could", "not"), ("did", "not"), ("failed", "to"))
_ENDS = frozenset(("complete", "tolerate", "pass", "advance", "cannulate", "access", "succeed"))


def mark(words: Sequence[str], found: list[Status]) -> None:
    """Mark what stands in a sentence that tells of an attempt and of no success."""
    for start, end in sentences(words):
        tried = [at for at in range(start, end) if _tried(words, at)]
        if not tried or _succeeded(words, start, end):
            continue
        for at in range(max(start, tried[0] - REACH), min(end, tried[-1] + REACH)):
            found[at] |= Status.ATTEMPTED


def _tried(words: Sequence[str], at: int) -> bool:
    near = set(words[max(0, at - 3) : at + 4])
    if words[at] in ("failed", "failing") and near & FAIL_LATER:
        return False
    if words[at] in ("tried", "tries"):
        return tuple(words[at + 1 : at + 2]) == ("to",)
    if words[at] in TRIED or words[at] in FAILED:
        named = tuple(words[at : at + 2]) != ("failed", "to") and not near & SELF_HARM
        return named or _could_not(words, at)
    return _could_not(words, at)


def _could_not(words: Sequence[str], at: int) -> bool:
    """`unable to complete`, `could not tolerate`."""
    phrase = tuple(words[at : at + 2])
    return phrase in _COULD_NOT and bool(_ENDS & set(words[at + 2 : at + 4]))


def _succeeded(words: Sequence[str], start: int, end: int) -> bool:
    return any(
        words[at] in SUCCEEDED and not _NEGATIONS & set(words[max(start, at - 3) : at])
        for at in range(start, end)
    )

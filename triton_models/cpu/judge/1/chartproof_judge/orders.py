"""What is ordered, and on which condition: an order is not an event, a threshold not a value.

"Transfuse for Hgb < 7" says neither that blood was given nor what the hemoglobin is; "Goal INR 2-3"
gives no INR. "Hold metoprolol for hypotension" does say that there is hypotension and that the drug
is not taken; "metoprolol 25 mg, hold for hypotension" says of neither.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .vocabulary.events import DID
from .vocabulary.orders import (
    BEGINS,
    COMPARES,
    FOR,
    GOALS,
    HOLDS,
    MODALS,
    ONLY_ORDERED,
    ORDERS,
    STEERS,
    STOPS,
    WHEN,
)
from .vocabulary.triggers import Status

REACH = 14
"""Tokens that a condition or an order spans at most: speech has no commas."""
_SPEAKERS = frozenset(("i", "we"))
_AS_SOON = ("as", "soon", "as")
_OF = frozenset(("of", "is", "was", ":", "<", ">", "between"))
ORDERED = Status.PLANNED | Status.HYPOTHETICAL


def mark(words: Sequence[str], found: list[Status]) -> None:
    """Add to the status of every token what orders, conditions and goals say of it."""
    for start, end in sentences(words):
        for at in range(start, end):
            word = words[at]
            if word in WHEN or tuple(words[at : at + 3]) == _AS_SOON:
                _condition(words, at, start, end, found)
            elif word in GOALS or word in STEERS:
                _goal(words, at, end, found)
            elif _orders(words, at, start):
                _order(words, at, end, found)


def sentences(words: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Start and end of every stretch between full stops and semicolons."""
    start = 0
    for at, word in enumerate(words):
        if word in (".", ";"):
            yield start, at
            start = at + 1
    yield start, len(words)


def _orders(words: Sequence[str], at: int, start: int) -> bool:
    return words[at] in ORDERS and (at == start or words[at - 1] in BEGINS)


def _clause_end(words: Sequence[str], at: int, end: int) -> int:
    """Index of the next comma or speaker, or `end`; at most `REACH` on."""
    place, stop = at, min(end, at + REACH)
    while (
        place < stop and words[place] != "," and not (words[place] in _SPEAKERS and place > at + 1)
    ):
        place += 1
    return place


def _condition(words: Sequence[str], at: int, start: int, end: int, found: list[Status]) -> None:
    """What is so if something is: hypothetical; what is then ordered, only planned."""
    stop = _clause_end(words, at, end)
    main = range(stop + 1, min(end, stop + 1 + REACH))
    if at != start:
        begin = at
        while begin > max(start, at - REACH) and words[begin - 1] != ",":
            begin -= 1
        main = range(begin, at)
    ordered = _is_order(words, main)
    if words[at] not in ("if", "unless") and (not ordered or _was(words[at + 1 : stop])):
        return
    _add(found, range(at, stop), Status.HYPOTHETICAL)
    if ordered and words[main[0]] in ORDERS:
        stops = words[main[0]] in STOPS  # who is to stop it has it
        _add(found, main, Status.PLANNED if stops else ORDERED)


def _is_order(words: Sequence[str], main: range) -> bool:
    said = [words[at] for at in main if words[at][0].isalpha()]
    return bool(said) and (said[0] in ORDERS or bool(MODALS & set(said)))


def _was(clause: Sequence[str]) -> bool:
    """Whether a clause tells what has been: `the rash appeared`; `cleared by PT` does not."""
    return any(
        word in DID or (at > 0 and len(word) > 4 and word.endswith("ed"))
        for at, word in enumerate(clause)
    )


def _order(words: Sequence[str], at: int, end: int, found: list[Status]) -> None:
    """An order: what is only ordered, and the value that it waits for."""
    stop = _clause_end(words, at, end)
    if words[at] in HOLDS and words[at + 1 : at + 2] and words[at + 1] in FOR and at > 0:
        _add(found, range(at + 2, end), Status.HYPOTHETICAL)  # of the drug named before
        return
    if words[at] in ONLY_ORDERED:
        _add(found, range(at, stop), Status.PLANNED)
    for place in range(at + 1, stop):
        if words[place] in FOR and COMPARES & set(words[place + 1 : place + 5]):
            _add(found, range(place, stop), Status.HYPOTHETICAL)
            return


def _goal(words: Sequence[str], at: int, end: int, found: list[Status]) -> None:
    """The value that is aimed at: `goal INR 2-3`, `titrate to MAP > 65`."""
    stop = _clause_end(words, at, end)
    begin = at
    if words[at] in STEERS - GOALS:
        ahead = words[at:stop]
        if not COMPARES & set(ahead):
            return
        begin += ahead.index("to") if "to" in ahead else 0
    elif at and words[at + 1 : at + 2] and words[at + 1] in _OF and words[at - 1].isalpha():
        begin -= 1  # an INR goal of 2-3
    if any(word[0].isdigit() for word in words[begin:stop]):
        _add(found, range(begin, stop), Status.HYPOTHETICAL)


def _add(found: list[Status], places: range, status: Status) -> None:
    for place in places:
        found[place] |= status

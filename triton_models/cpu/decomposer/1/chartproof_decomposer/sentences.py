"""Sentence boundaries in clinical prose.

A full stop ends a sentence unless its word is an abbreviation, an initial or an enumerator, or what
follows goes on in lower case ("resp. distress": a wrong split there would leave "distress"). Work
is linear: each terminator is judged by a bounded window around it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import NamedTuple

from chartproof_decomposer.abbreviations import (
    AGES,
    ALWAYS,
    BEFORE_NUMBER,
    LETTERED,
    OFTEN,
    STARTERS,
)

MAX_UNIT = 4000
"""Longest unit in characters (a vector store's string field holds 65,535 bytes)."""
RUN_ON = 1000
"""A longer sentence is several that semicolons hold together: no model reads it as one."""

_NO_SPACE = "\u3002\uff01\uff1f\u0964\u061f\u06d4"
"""Full stops and question marks of scripts that need no space after them."""
_STOP = re.compile(
    r"[.!?\u2026]{1,20}[\"'\u201d\u2019)\]*]{0,3}(?=\s|\Z)|["
    + _NO_SPACE
    + r"]{1,20}|(?<=[a-z]{3})\.(?=[A-Z][a-z])"
)
_NEXT = re.compile(r"\s*[\"'\u201c\u2018(\[*]{0,3}(\S?[\w'\u2019-]{0,20})")
_ENUMERATOR = re.compile(
    r"(?<!\S)\(?(\d{1,2})([.)])\s+(?=\S)|(?<!\S)[\u2022\u25cf\u25aa\u25e6](?=\s)\s+"
)
_DOTTED = re.compile(r"(?:[A-Za-z]\.)+[A-Za-z]?\Z")
_MEASURES = frozenset("hdgmlLyC")
_JOINT = re.compile(r";(?=\s)")
_SHORT_PARENTHESIS = 200
_WINDOW = 24
_DOCTORS = frozenset(["dr.", "dres.", "prof.", "dott.", "pd"])
_FACULTIES = frozenset(["med", "dent", "phil", "rer", "nat", "habil", "dr", "univ"])
"""Behind a doctor's title: "Dr. med. Schmidt", "Prof. Dr. med. dent."."""


class Piece(NamedTuple):
    start: int
    end: int


def sentences(text: str, start: int, end: int, after: int | None = None) -> list[Piece]:
    """The sentences of `text[start:end]`, stripped, in order.

    Nothing is left out but whitespace and the markers of a list that runs on in one line ("Asthma.
    2. Anaemia."). `after`: the number of the item that this text is, 0 for a bulleted one.
    """
    result: list[Piece] = []
    for item_start, item_end in _run_on_items(text, start, end, after):
        at = item_start
        for stop in _stops(text, item_start, item_end):
            result += _bounded(text, at, stop)
            at = stop
        result += _bounded(text, at, item_end)
    return result


def _run_on_items(text: str, start: int, end: int, after: int | None) -> list[Piece]:
    """Split at "2. … 3. …" in sequence, or at bullets inside a line. One marker alone is none."""
    bullets: list[int] = []
    numbers: list[int] = []
    expected = (after or 0) + 1
    for hit in _ENUMERATOR.finditer(text, start, end):
        before = text[max(start, hit.start() - 3) : hit.start()].rstrip()
        if hit[1] is None:
            bullets += hit.span()
        elif int(hit[1]) == expected and (hit[2] == ")" or before[-1:] in ("", *".;:!?")):
            numbers += hit.span()
            expected += 1
    cuts = bullets if len(bullets) > (2 if after is None else 0) else []
    if len(numbers) > (0 if after else 2):
        cuts = numbers
    edges = [start, *cuts, end]
    return [Piece(*pair) for pair in zip(edges[::2], edges[1::2], strict=True)]


def _bounded(text: str, start: int, end: int) -> list[Piece]:
    """`text[start:end]` stripped, in pieces of at most `MAX_UNIT`."""
    result = []
    while start < end:
        cut = end if end - start <= RUN_ON else _cut(text, start, end)
        piece = text[start:cut]
        body = piece.strip()
        if body:
            begin = start + len(piece) - len(piece.lstrip())
            result.append(Piece(begin, begin + len(body)))
        start = cut
    return result


def _cut(text: str, start: int, end: int) -> int:
    """After the last semicolon within `RUN_ON`, else the first one, else at a space."""
    last = min(end, start + MAX_UNIT)
    joints = [hit.end() for hit in _JOINT.finditer(text, start + RUN_ON // 4, last)]
    if joints and joints[0] < end:
        return max((at for at in joints if at <= start + RUN_ON), default=joints[0])
    if end - start <= MAX_UNIT:
        return end
    cut = start + MAX_UNIT
    return next((at for at in range(cut, cut - MAX_UNIT // 4, -1) if text[at].isspace()), cut)


def _stops(text: str, start: int, end: int) -> list[int]:
    opened, closed = _parentheses(text, start, end)
    result = []
    at = start
    for hit in _STOP.finditer(text, start, end):
        stop = hit.end()
        inside = bisect_right(opened, hit.start()) - 1
        if inside >= 0 and hit.start() < closed[inside] and stop <= closed[inside]:
            continue
        if stop < end and _ends(text, at, hit.start(), stop, end):
            result.append(stop)
            at = stop
    return result


def _parentheses(text: str, start: int, end: int) -> tuple[list[int], list[int]]:
    """Starts and ends of short outermost parentheses, in order."""
    pairs: list[tuple[int, int]] = []
    stack: list[tuple[str, int]] = []
    for hit in re.finditer(r"[()\[\]]", text[start:end]):
        at, mark = start + hit.start(), hit[0]
        if mark in "([":
            stack.append((mark, at))
        elif stack and stack[-1][0] == ("(" if mark == ")" else "["):
            opened = stack.pop()[1]
            if at - opened <= _SHORT_PARENTHESIS:
                while pairs and pairs[-1][0] > opened:
                    pairs.pop()
                pairs.append((opened, at))
    return [pair[0] for pair in pairs], [pair[1] for pair in pairs]


def _ends(text: str, begin: int, stop: int, after: int, end: int) -> bool:
    """Whether the terminator `text[stop:after]` ends the sentence that began at `begin`."""
    following = _NEXT.match(text, after, min(end, after + _WINDOW + 20))
    upcoming = following[1] if following else ""
    mark = text[stop:after]
    if mark[0] in _NO_SPACE or mark[0] in "!?" or not upcoming:
        return True
    if mark[0] == "\u2026" or mark.startswith(".."):
        return not upcoming[0].islower()
    near = max(begin, stop - _WINDOW)
    spoken = text[near:stop].split()
    first = near == begin and len(spoken) == 1
    if not spoken or (first and spoken[0].isdigit()):
        return False
    return _full_stop(spoken, upcoming, first=first)


def _full_stop(spoken: list[str], upcoming: str, *, first: bool) -> bool:
    word = spoken[-1].lstrip("(['\"\u201c\u2018*")
    lower = word.lower()
    starter = upcoming.lower() in STARTERS
    if upcoming[0].islower():
        known = lower in ALWAYS or lower in OFTEN or _DOTTED.match(word) or len(word) < 2
        return starter and not known
    titled = len(spoken) > 1 and spoken[-2].lower() in _DOCTORS and lower in _FACULTIES
    going_on = titled or lower in ALWAYS or (lower in BEFORE_NUMBER and upcoming[0].isdigit())
    if going_on or (lower in AGES and not starter):
        return False
    if lower in OFTEN:
        return not first and not upcoming[0].isdigit()
    if len(word) == 1 and word.isalpha():
        return _letter_ends(spoken, word, starter=starter)
    if _DOTTED.match(word):
        return starter or (word.islower() and not upcoming[0].isdigit() and not first)
    return True


def _letter_ends(spoken: list[str], letter: str, *, starter: bool) -> bool:
    """ "Vitamin D. He" and "in 48 h. He" end; "John A. Smith", "A. Fib" and "E. Coli" do not."""
    before = spoken[-2].lower() if len(spoken) > 1 else ""
    if before in LETTERED or (letter in _MEASURES and before[-1:].isdigit()):
        return True
    return bool(before) and starter and (letter.islower() or not spoken[-2][:1].isupper())

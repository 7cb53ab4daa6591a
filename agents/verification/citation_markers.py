"""Citation marks in a text, in the forms that language models write them.

`[1]`, `[2, 5]`, `[1-3]`, `[^1]`, `[Note 3]`, `[note-7]`, `[DocumentReference/7]`,
`\u30101\u3011`, `<sup>1</sup>`, `\u00b9`, a link `[the note](DocumentReference/7)` and, where it
is known, `(note-7)`.

What stands in round brackets or is raised is a mark only where it is one of the text's `references`
or a document of the chart: `82 kg (84)` and `kg/m\u00b2` cite nothing. Anything else is prose.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import NamedTuple

_RAISED = "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079"
_DIGITS = str.maketrans(_RAISED, "0123456789")
_MARKS = re.compile(
    r"\[(?P<square>[^\[\]\n]{1,200})\]|\u3010(?P<wide>[^\u3010\u3011\n]{1,200})\u3011"
    r"|\((?P<round>[^()\n]{1,200})\)|<sup>(?P<sup>[^<>\n]{1,100})</sup>"
    rf"|(?<!\d)(?<!/m)(?<!cm)(?<!mm)(?<!\sm)(?P<raised>[{_RAISED}]+)"
)
_LABEL = re.compile(
    r"(?:see|cf\.?|from|per|source|refs?\.?|references?|notes?|doc(?:ument)?s?|cit(?:ation|ed)?)"
    r"(?:\s*[:#]\s*|\s+)|[\^#]",
    re.IGNORECASE,
)
_RANGE = re.compile(r"(\d{1,4})\s*[-\u2013]\s*(\d{1,4})")
_LONGEST_RANGE = 50
_ID = re.compile(r"(?=.*\d)[^\s,;]+")
"""A number or an id; `[the rest of it was illegible]` has spaces and no digits."""


class Mark(NamedTuple):
    """`sure`: the brackets are a citation's, so what they name and nobody knows is unknown."""

    name: str
    sure: bool


def possible(text: str, names: Collection[str] = ()) -> list[Mark]:
    """Everything that may be a mark or a document id, in order. `names`: the text's references."""
    return [mark for match in _MARKS.finditer(text) for mark in _marks(match, names)]


def without_marks(text: str, names: Collection[str]) -> str:
    """The statement that the marks are about: `[1]` is no number of the patient's."""

    def gone(match: re.Match[str]) -> str:
        found = _marks(match, names)
        known = bool(found) and all(mark.name in names for mark in found)
        return "" if known or (found and all(_is_id(mark) for mark in found)) else match[0]

    cleaned = _MARKS.sub(gone, text)
    return re.sub(r"\s+([.,;:])", r"\1", " ".join(cleaned.split())) if cleaned != text else text


def is_number(name: str) -> bool:
    return name.isdigit()


def shape(name: str) -> str:
    """Equal for ids of one making: `note-7` and `note-12`, or two UUIDs."""
    uuid = re.sub(r"(?i)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", "uuid", name)
    return re.sub(r"\d+", "9", uuid).casefold()


def _is_id(mark: Mark) -> bool:
    return mark.sure and bool(_ID.fullmatch(mark.name))


def _marks(match: re.Match[str], names: Collection[str]) -> list[Mark]:
    kind, inner = str(match.lastgroup), match[str(match.lastgroup)].strip()
    sure = kind in ("square", "wide", "sup")
    if inner in names:
        return [Mark(inner, sure)]
    if kind == "raised":
        return [Mark(inner.translate(_DIGITS), sure)]
    parts = (part.strip() for part in re.split(r"[,;]|\sand\s", inner))
    return [Mark(name, sure) for part in parts if part for name in _named(part, names)]


def _named(part: str, names: Collection[str]) -> Iterator[str]:
    """The ids of `1`, `Note 1` or `1-3`; a range only between two that are known: 4-11 may be the
    normal range of a result."""
    if part in names:
        yield part
        return
    bare = _LABEL.sub("", part, count=1) if _LABEL.match(part) else part
    ends = _RANGE.fullmatch(bare)
    if ends and ends[1] in names and ends[2] in names:
        last = min(int(ends[2]), int(ends[1]) + _LONGEST_RANGE)
        yield from map(str, range(int(ends[1]), last + 1))
    elif bare:
        yield bare

"""Citation markers in a text, in the forms that language models write them.

`[1]`, `[2, 5]`, `[1-3]`, `[^1]`, `[Note 3]`, `[note-7]`, `[DocumentReference/7]`,
`\u30101\u3011`, `<sup>1</sup>`, `\u00b9`, a link `[the note](DocumentReference/7)` and, where it
is known, `(note-7)`.

What is in round brackets or raised is a marker only where it is one of the text's `references`
or a document of the chart: `82 kg (84)` and `kg/m\u00b2` cite nothing. Anything else is prose.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import NamedTuple

_RAISED = "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079"
_DIGITS = str.maketrans(_RAISED, "0123456789")
_MARKERS = re.compile(
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


class Marker(NamedTuple):
    """`sure`: the brackets are a citation's, so what they name and nobody knows is unknown."""

    name: str
    certain: bool


def possible(text: str, names: Collection[str] = ()) -> list[Marker]:
    """All that may be a marker or a document id, in order. `names`: the text's references."""
    return [marker for match in _MARKERS.finditer(text) for marker in _markers(match, names)]


def without_markers(text: str, names: Collection[str]) -> str:
    """The statement that the markers are about: `[1]` is no number of the patient's."""

    def removed(match: re.Match[str]) -> str:
        markers = _markers(match, names)
        known = bool(markers) and all(marker.name in names for marker in markers)
        return "" if known or (markers and all(_is_id(marker) for marker in markers)) else match[0]

    cleaned = _MARKERS.sub(removed, text)
    return re.sub(r"\s+([.,;:])", r"\1", " ".join(cleaned.split())) if cleaned != text else text


def is_number(name: str) -> bool:
    return name.isdigit()


def shape(name: str) -> str:
    """Equal for ids of one making: `note-7` and `note-12`, or two UUIDs."""
    uuid = re.sub(r"(?i)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", "uuid", name)
    return re.sub(r"\d+", "9", uuid).casefold()


def _is_id(marker: Marker) -> bool:
    return marker.certain and bool(_ID.fullmatch(marker.name))


def _markers(match: re.Match[str], names: Collection[str]) -> list[Marker]:
    kind, inner = str(match.lastgroup), match[str(match.lastgroup)].strip()
    certain = kind in ("square", "wide", "sup")
    if inner in names:
        return [Marker(inner, certain)]
    if kind == "raised":
        return [Marker(inner.translate(_DIGITS), certain)]
    parts = (part.strip() for part in re.split(r"[,;]|\sand\s", inner))
    return [Marker(name, certain) for part in parts if part for name in _named(part, names)]


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

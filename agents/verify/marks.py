"""Citation marks in a text: `[1]`, `[2, 5]`, `[note-7]`, `(note-7)`.

A mark is what stands in square brackets and is a number or one of the text's `references`, or a
document id of the chart in either kind of brackets. Anything else in brackets is prose.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

_BRACKETS = re.compile(r"\[([^\[\]\n]{1,200})\]|\(([^()\n]{1,200})\)")
_MARK = re.compile(r"(?=.*\d)[^\s,;]+(?:\s*[,;]\s*[^\s,;]+)*")
"""Numbers and ids; `[the rest of it was illegible]` has spaces."""


def possible(text: str) -> list[str]:
    """Everything that may be a mark or a document id, in order."""
    found = (match[1] or match[2] for match in _BRACKETS.finditer(text))
    return [mark for inner in found for mark in _split(inner)]


def without_marks(text: str, references: Mapping[str, str]) -> str:
    """The statement that the marks are about: `[1]` is no number of the patient's."""

    def gone(match: re.Match[str]) -> str:
        inner = match[1] or match[2]
        if match[1] and _MARK.fullmatch(inner.strip()):
            return ""
        return "" if all(mark in references for mark in _split(inner)) else match[0]

    cleaned = _BRACKETS.sub(gone, text)
    return re.sub(r"\s+([.,;:])", r"\1", " ".join(cleaned.split())) if cleaned != text else text


def is_number(mark: str) -> bool:
    return mark.isdigit()


def _split(inner: str) -> list[str]:
    return [mark for part in re.split(r"[,;]", inner) if (mark := part.strip())]

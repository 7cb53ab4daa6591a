"""The line at which a value stands in a JSON document, for errors that point at it."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

_SPACE = re.compile(r"[\s,]*")
_DECODER = json.JSONDecoder(strict=False)


def line_of(document: str, place: Sequence[str | int]) -> int:
    """The line, from 1, of the value at `place`; of the last container that is there, otherwise.

    `document` is valid JSON.
    """
    at = _skip(document, 0)
    for part in place:
        inner = _member(document, at, part)
        if inner is None:
            break
        at = inner
    return document.count("\n", 0, at) + 1


def _member(document: str, at: int, part: str | int) -> int | None:
    if document[at] == "{":
        return _of_object(document, at, part)
    return _of_array(document, at, part) if document[at] == "[" else None


def _of_object(document: str, at: int, key: str | int) -> int | None:
    at = _skip(document, at + 1)
    while document[at] != "}":
        name, at = _DECODER.raw_decode(document, at)
        at = _skip(document, document.index(":", at) + 1)
        if name == key:
            return at
        at = _skip(document, _DECODER.raw_decode(document, at)[1])
    return None


def _of_array(document: str, at: int, index: str | int) -> int | None:
    at = _skip(document, at + 1)
    n = 0
    while document[at] != "]":
        if n == index:
            return at
        at = _skip(document, _DECODER.raw_decode(document, at)[1])
        n += 1
    return None


def _skip(document: str, at: int) -> int:
    match = _SPACE.match(document, at)
    return match.end() if match else at

"""JSON as senders write it: orjson, and where orjson refuses, two repairs that lose no character.

A JavaScript application that cuts a text in the middle of an emoji sends half a surrogate pair;
an engine on Windows sends Latin-1 or UTF-16. Both are common, and both are read.
"""

from __future__ import annotations

import re

import orjson

from agents.intake.charset import decode_text

_ESCAPE = re.compile(
    rb"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"  # a whole pair
    rb"|(u[dD][89a-fA-F][0-9a-fA-F]{2})"  # half of one
    rb"|.)",
    re.DOTALL,
)


def loads(value: bytes) -> object:
    """Parse one JSON value. Raises `ValueError`, whose text holds none of the value's.

    Of duplicate keys the last counts; a number too large for 64 bits becomes a float.
    """
    try:
        return orjson.loads(value)
    except orjson.JSONDecodeError as first:
        text, _ = decode_text(value)
        repaired = _ESCAPE.sub(_whole, text.encode())
        try:
            return orjson.loads(repaired)
        except orjson.JSONDecodeError:
            raise ValueError(f"not JSON at byte {first.pos}") from None


def _whole(escape: re.Match[bytes]) -> bytes:
    return rb"\ufffd" if escape[1] else escape[0]

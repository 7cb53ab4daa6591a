"""JSON as senders write it: orjson, and where orjson refuses, repairs that lose no character.

A JavaScript application that cuts a text in the middle of an emoji sends half a surrogate pair; an
engine on Windows sends Latin-1 or UTF-16; Python and pandas write NaN; templates paste a text into
a string with its line breaks as they are. All are common, and each can be read in one way only.
What can be read in several (a trailing comma, single quotes) is refused.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import orjson

from agents.intake.charset import decode_text

_SURROGATE = re.compile(
    rb"(?<!\\)((?:\\\\)*+)"  # what stands before it is no escape, or whole ones
    rb"(?:(\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})"  # a whole pair
    rb"|\\u[dD][89a-fA-F][0-9a-fA-F]{2})"  # half of one
)
_TOLERANT = json.JSONDecoder(strict=False, parse_constant=lambda _: None)  # NaN is no number
# Between values: white space, or the mark of RFC 7464.
_BETWEEN = re.compile(r"[\s\x1e]*")


def loads(value: bytes) -> object:
    """Parse one JSON value. Raises `ValueError`, whose text holds none of the value's.

    Of duplicate keys the last counts; a number too large for 64 bits becomes a float.
    """
    try:
        return orjson.loads(value)
    except orjson.JSONDecodeError as first:
        repaired = _repaired(value)
        try:
            return orjson.loads(repaired)
        except orjson.JSONDecodeError:
            pass
        try:
            return _TOLERANT.decode(repaired)
        except RecursionError:
            raise ValueError("nested too deep to be read") from None
        except ValueError:
            raise ValueError(f"not JSON at byte {first.pos}") from None


def loads_each(value: bytes) -> Iterator[object]:
    """JSON values that follow each other with nothing or white space between, as delivery streams
    put records into one. Raises `ValueError` where the rest is no JSON."""
    text = _repaired(value)
    at = _end_of_gap(text, 0)
    while at < len(text):
        try:
            result, at = _TOLERANT.raw_decode(text, at)
        except (ValueError, RecursionError):
            raise ValueError(f"not JSON from character {at} on") from None
        yield result
        at = _end_of_gap(text, at)


def _repaired(value: bytes) -> str:
    text, _ = decode_text(value)
    return _SURROGATE.sub(_whole, text.encode()).decode()


def _end_of_gap(text: str, at: int) -> int:
    gap = _BETWEEN.match(text, at)
    return gap.end() if gap else at


def _whole(escape: re.Match[bytes]) -> bytes:
    return escape[0] if escape[2] else escape[1] + rb"\ufffd"

"""`chartproof watch`: a topic's records as JSON lines, whoever wrote them."""

from __future__ import annotations

import contextlib

import orjson

from agents.ports import Record


def line(record: Record) -> bytes:
    """Position, headers and value. What is not UTF-8 in a header is replaced; null stays null."""
    headers = {
        name: None if value is None else value.decode("utf-8", "replace")
        for name, value in record.headers.items()
    }
    value = _json_or_length(record.value)
    return orjson.dumps(
        {"position": record.position.model_dump(), "headers": headers, "value": value}
    )


def _json_or_length(value: bytes | None) -> object:
    """The record as JSON; bytes that are not JSON (a dead letter) as their length."""
    with contextlib.suppress(orjson.JSONDecodeError):
        return orjson.loads(value or b"null")
    return {"bytes": len(value or b"")}

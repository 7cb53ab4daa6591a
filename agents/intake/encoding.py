"""Base64 and gzip of attachments: every dialect that senders write, strictly and bounded."""

from __future__ import annotations

import re
import zlib
from urllib.parse import unquote_to_bytes

import pybase64

from agents.intake.reasons import Reason, RecordRejected

MAX_UNPACKED_BYTES = 32 * 1024 * 1024
"""Twice the largest record: text packs to a third, bombs to a thousandth."""

_DATA_URI = re.compile(r"\s*data:([^,]{0,200}),")
# Line breaks that were escaped once too often: by XML, by JSON, by HL7 v2 (2.7.6).
_ESCAPED_BREAK = re.compile(r"&#(?:1[03]|x0?[ad]);|\\[rn]|\\X0[AD]\\|\\\.br\\", re.IGNORECASE)
_URL_SAFE = str.maketrans("-_", "+/")


def decode_base64(data: object) -> bytes:
    """Clean, pad, then decode strictly. Raises `RecordRejected` rather than guess.

    Dialects: RFC 4648 standard and URL-safe, with or without padding, wrapped by line breaks
    (MIME), also by escaped ones, behind a `data:` prefix.
    """
    if not isinstance(data, str):
        raise RecordRejected(Reason.BAD_BASE64, "The attachment's data is not a string.")
    try:
        return pybase64.b64decode(data, validate=True)
    except ValueError:
        pass
    if prefix := _DATA_URI.match(data):
        data = data[prefix.end() :]
        if not prefix[1].rstrip().endswith("base64"):
            return unquote_to_bytes(data)
    pieces = _ESCAPED_BREAK.sub("\n", data).split()
    # Prose passes for base64 when its spaces go; only a wrap leaves pieces of whole quads.
    if " " in data.strip() and any(len(piece) % 4 for piece in pieces[:-1]):
        raise RecordRejected(Reason.BAD_BASE64, "The attachment's data has spaces inside.")
    clean = "".join(pieces).translate(_URL_SAFE).rstrip("=")
    try:
        return pybase64.b64decode(clean + "=" * (-len(clean) % 4), validate=True)
    except ValueError:
        raise RecordRejected(Reason.BAD_BASE64) from None


def gunzip(raw: bytes) -> bytes:
    """The first member of a gzip file. Raises `RecordRejected` when it is damaged or unpacks too
    large."""
    unpacker = zlib.decompressobj(wbits=31)
    try:
        data = unpacker.decompress(raw, MAX_UNPACKED_BYTES + 1)
    except zlib.error:
        raise RecordRejected(Reason.DAMAGED_ATTACHMENT, "The gzip data is damaged.") from None
    if len(data) > MAX_UNPACKED_BYTES:
        raise RecordRejected(Reason.NOTE_TOO_LARGE)
    if not unpacker.eof:
        raise RecordRejected(Reason.DAMAGED_ATTACHMENT, "The gzip data is cut off.")
    return data

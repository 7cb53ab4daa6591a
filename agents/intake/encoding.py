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


_HEX = re.compile(r"(?:\\x|0x)?((?:[0-9a-fA-F]{2}){4,})")
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|(?:[A-Z][a-z]+){2,4}")
_FILES = (
    b"\x1f\x8b",
    b"%PDF",
    b"PK\x03\x04",
    b"{\\rtf",
    b"\xff\xd8\xff",
    b"\x89PNG",
    b"II*",
    b"MM\0*",
)
_SHORT_PIECE = 40
"""Base64 that is wrapped has 60 characters a line or more; shorter pieces are words."""


def decode_data(data: object, content_type: str = "") -> bytes:
    """An attachment's `data`: base64, or what some senders write there instead. Raises
    `RecordRejected` rather than guess.

    Hexadecimal digits are valid base64 too, and so is many a word ("Normal"): what they give is no
    text then.
    """
    if not isinstance(data, str):
        return decode_base64(data)
    if (digits := _HEX.fullmatch("".join(data.split()))) and _is_content(
        raw := bytes.fromhex(digits[1]), content_type
    ):
        return raw
    raw = decode_base64(data)
    words = data.split()
    word = all(_WORDS.fullmatch(one) and len(one) < _SHORT_PIECE for one in words)
    if words and word and not _is_content(raw, content_type):
        raise RecordRejected(Reason.BAD_BASE64, "The attachment's data is words, not base64.")
    return raw


def _is_content(raw: bytes, content_type: str) -> bool:
    """Whether bytes are UTF-8 or UTF-16 text, or of a known kind of file."""
    if raw.startswith(_FILES) or raw[:2] in (
        b"\xff\xfe",
        b"\xfe\xff",
        b"x\x9c",
        b"x\x01",
        b"x\xda",
    ):
        return True
    if raw[1:2] == b"\0" or raw[:1] == b"\0":
        return True
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        return False
    return not any(character < " " and character not in "\t\n\r\f\v\0" for character in text)


def inflate(raw: bytes) -> bytes:
    """zlib's own format (RFC 1950). Raises as `gunzip`."""
    return _unpack(raw, 15, "zlib")


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
    """The first member of a gzip file. Raises `RecordRejected` when it is damaged, or too large."""
    return _unpack(raw, 31, "gzip")


def _unpack(raw: bytes, wbits: int, kind: str) -> bytes:
    unpacker = zlib.decompressobj(wbits=wbits)
    try:
        data = unpacker.decompress(raw, MAX_UNPACKED_BYTES + 1)
    except zlib.error:
        raise RecordRejected(Reason.DAMAGED_ATTACHMENT, f"The {kind} data is damaged.") from None
    if len(data) > MAX_UNPACKED_BYTES:
        raise RecordRejected(Reason.NOTE_TOO_LARGE)
    if not unpacker.eof:
        raise RecordRejected(Reason.DAMAGED_ATTACHMENT, f"The {kind} data is cut off.")
    return data

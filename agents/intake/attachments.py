"""From an Attachment to its text: base64 in every dialect, the format by its bytes, the charset.

`contentType` is a hint: it says `text/plain` over gzip and PDF, and `ASCII Text` over text. `size`
and `hash` are wrong too often to reject by (they come in hex, base64 of hex, of the encoded text).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal
from urllib.parse import unquote_to_bytes

import pybase64

from agents.intake.charset import control_share, decode_text, without_controls
from agents.intake.reasons import Ended, Reason
from agents.intake.shape import JsonObject, string

MAX_NOTE_CHARACTERS = 5_000_000
"""Four bytes a character and the JSON around it stay under `schemas.topics.MAX_RECORD_BYTES`."""

Format = Literal["text", "html", "xml", "json", "rtf", "pdf", "gzip", "zip", "image", "binary"]

_MAGIC: tuple[tuple[bytes, Format], ...] = (
    (b"\x1f\x8b", "gzip"),
    (b"{\\rtf", "rtf"),
    (b"PK\x03\x04", "zip"),
    (b"\x89PNG", "image"),
    (b"\xff\xd8\xff", "image"),
    (b"GIF8", "image"),
    (b"II*\x00", "image"),
    (b"MM\x00*", "image"),
)
_PDF_WITHIN = 1024  # readers accept a header anywhere in the first 1,024 bytes
_MAX_CONTROLS = 0.05
"""Share of control characters above which bytes are no text: random bytes have 0.1."""
_XML = re.compile(r"\s*<(?:\?xml|[\w:]*ClinicalDocument)\b", re.IGNORECASE)
_HTML = re.compile(
    r"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*"
    r"<(?:!doctype\s+html|html|head|body|div|p|table|span|pre|ul|ol|font|b|br|h[1-6])\b",
    re.IGNORECASE | re.DOTALL,
)
_DATA_URI = re.compile(r"\s*data:([^,]{0,200}),")
_URL_SAFE = str.maketrans("-_", "+/")


@dataclass(frozen=True)
class Extracted:
    """The text of an attachment, and how it was got at."""

    text: str
    format: Format
    charset: str


def extract(attachment: JsonObject) -> Extracted:
    """The text of one Attachment, whose data are bytes if they were fetched. Raises `Ended`."""
    content_type, charset = _content_type(string(attachment.get("contentType")))
    data = attachment.get("data")
    if data is None or data == "":
        raise _without_data(attachment)
    raw = data if isinstance(data, bytes) else decode_base64(data)
    text, used = decode_text(raw, charset)
    if not text.strip("\0 \t\r\n\f\v\ufeff"):
        raise Ended(Reason.NO_TEXT)
    found = sniff(raw, text, content_type)
    if found != "text":
        raise Ended(Reason.UNSUPPORTED_CONTENT_TYPE, f"The attachment's bytes are {found}.")
    if len(text) > MAX_NOTE_CHARACTERS:
        raise Ended(Reason.NOTE_TOO_LARGE, f"The note has {len(text):,} characters.")
    return Extracted(without_controls(text), found, used)


def decode_base64(data: object) -> bytes:
    """Clean, pad, then decode strictly. Raises `Ended` rather than guess.

    Dialects: RFC 4648 standard and URL-safe, with or without padding, wrapped by line breaks
    (MIME), behind a `data:` prefix.
    """
    if not isinstance(data, str):
        raise Ended(Reason.BAD_BASE64, "The attachment's data is not a string.")
    try:
        return pybase64.b64decode(data, validate=True)
    except ValueError:
        pass
    if prefix := _DATA_URI.match(data):
        data = data[prefix.end() :]
        if not prefix[1].rstrip().endswith("base64"):
            return unquote_to_bytes(data)
    pieces = data.split()
    # Prose passes for base64 when its spaces go; only a wrap leaves pieces of whole quads.
    if " " in data.strip() and any(len(piece) % 4 for piece in pieces[:-1]):
        raise Ended(Reason.BAD_BASE64, "The attachment's data has spaces inside.")
    clean = "".join(pieces).translate(_URL_SAFE).rstrip("=")
    try:
        return pybase64.b64decode(clean + "=" * (-len(clean) % 4), validate=True)
    except ValueError:
        raise Ended(Reason.BAD_BASE64) from None


def sniff(raw: bytes, text: str, content_type: str) -> Format:
    """The format by the bytes; `content_type` decides only between what text can be."""
    for magic, name in _MAGIC:
        if raw.startswith(magic):
            return name
    if b"%PDF-" in raw[:_PDF_WITHIN]:
        return "pdf"
    if control_share(text) > _MAX_CONTROLS:
        return "binary"
    head = text[:4000]
    looks: tuple[tuple[bool, Format], ...] = (
        ("html" in content_type or bool(_HTML.match(head)), "html"),
        (bool(_XML.match(head)), "xml"),
        ("json" in content_type, "json"),
    )
    return next((name for matches, name in looks if matches), "text")


def _content_type(value: str | None) -> tuple[str, str | None]:
    """`text/plain; charset="utf-8"` as its type, in lower case, and its charset."""
    kind, *parameters = (value or "").lower().split(";")
    for parameter in parameters:
        name, _, said = parameter.partition("=")
        if name.strip() == "charset":
            return kind.strip(), said.strip("\"' ")
    return kind.strip(), None


def _without_data(attachment: JsonObject) -> Ended:
    if string(attachment.get("url")):
        return Ended(Reason.URL_ONLY)
    if "data" in attachment or "_data" in attachment:
        return Ended(Reason.NO_TEXT)
    return Ended(Reason.NO_ATTACHMENT)

"""The format of an attachment by its bytes: `contentType` is a hint that is often wrong."""

from __future__ import annotations

import re
from typing import Literal

from agents.intake.charset import control_share
from agents.intake.encoding import decode_base64
from agents.intake.formats.mime import is_mime
from agents.intake.reasons import RecordRejected

Format = Literal[
    "text",
    "html",
    "xml",
    "json",
    "rtf",
    "mime",
    "base64",
    "pdf",
    "gzip",
    "zlib",
    "docx",
    "zip",
    "image",
    "binary",
]

_MAGIC: tuple[tuple[bytes, Format], ...] = (
    (b"\x1f\x8b", "gzip"),
    (b"PK\x03\x04", "zip"),
    (b"\x89PNG", "image"),
    (b"\xff\xd8\xff", "image"),
    (b"GIF8", "image"),
    (b"II*\x00", "image"),
    (b"MM\x00*", "image"),
)
_ZLIB = (b"x\x01", b"x\x5e", b"x\x9c", b"x\xda")
_PDF_WITHIN = 1024  # readers accept a header anywhere in the first 1,024 bytes
_MAX_CONTROLS = 0.05
"""Share of control characters above which bytes are no text: random bytes have 0.1."""
_XML = re.compile(r"\s*<(?:\?xml\b|(?:[\w-]+:)?ClinicalDocument\b)", re.IGNORECASE)
_CDA = re.compile(r"<(?:[\w-]+:)?ClinicalDocument\b")
_HTML = re.compile(
    r"\s*(?:<\?[^>]*>\s*|<!--(?:(?!-->).)*-->\s*)*"  # what may stand before; one way to read it
    r"<(?:(?:!doctype\s+html|html|head|body)\b"
    r"|(?:div|p|table|span|pre|ul|ol|dl|font|b|br|h[1-6]|strong|em|i|u|center|meta|style|hr|img|a"
    r"|blockquote|small|script)\b[^<>]*>)",  # a tag ends: "<p 0.05" is a p value
    re.IGNORECASE | re.DOTALL,
)
_BREAKS = re.compile(
    r"(?:<|&lt;)(?:br\s*/?|/(?:p|div|td|tr|li|ul|ol|table|h[1-6]|pre))(?:>|&gt;)", re.IGNORECASE
)
_BASE64 = re.compile(r"[A-Za-z0-9+/\r\n]{40,}={0,2}")
_BASE64_AGAIN: tuple[bytes, ...] = (b"\x1f\x8b", b"{\\rtf", b"%PDF-")


def sniff(raw: bytes, text: str, content_type: str) -> Format:
    """The format by the bytes; `content_type` decides only between what text can be."""
    for magic, name in _MAGIC:
        if raw.startswith(magic):
            return "docx" if name == "zip" and b"word/" in raw else name
    if raw[:2] in _ZLIB and control_share(text) > 0:
        return "zlib"
    if b"%PDF-" in raw[:_PDF_WITHIN]:
        return "pdf"
    if control_share(text) > _MAX_CONTROLS:
        return "binary"
    head = text[:4000].lstrip("\ufeff\0 \t\r\n")
    looks: tuple[tuple[bool, Format], ...] = (
        (head.startswith("{\\rtf"), "rtf"),
        (head.startswith("<") and bool(_CDA.search(head)), "xml"),
        (is_mime(text), "mime"),
        ("html" in content_type or is_html(head), "html"),
        (bool(_XML.match(head)) or ("xml" in content_type and head[:1] == "<"), "xml"),
        ("json" in content_type, "json"),
    )
    result = next((name for matches, name in looks if matches), None)
    return result or ("base64" if _is_base64(text) else "text")


def is_html(head: str) -> bool:
    """Whether a text is markup by its beginning, or by its breaks; also where it was escaped."""
    return bool(_HTML.match(head)) or _is_broken_by_tags(head)


def _is_broken_by_tags(head: str) -> bool:
    """Text whose lines end where its tags say so. Where it has more lines of its own, it is plain
    text that speaks of tags, and its lines must stay."""
    breaks = len(_BREAKS.findall(head))
    return breaks > 1 and breaks >= head.count("\n")


def _is_base64(text: str) -> bool:
    """Whether a sender encoded twice. No note is one word of 40 letters that decodes to text."""
    if not _BASE64.fullmatch(text.strip()):
        return False
    try:
        inner = decode_base64(text)
        return inner.startswith(_BASE64_AGAIN) or control_share(inner.decode()) <= _MAX_CONTROLS
    except (RecordRejected, UnicodeDecodeError):
        return False

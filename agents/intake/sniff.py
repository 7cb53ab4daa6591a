"""The format of an attachment by its bytes: `contentType` is a hint that is often wrong."""

from __future__ import annotations

import re
from typing import Literal

from agents.intake.charset import control_share

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


def sniff(raw: bytes, text: str, content_type: str) -> Format:
    """The format by the bytes; `content_type` decides only between what text can be."""
    for magic, name in _MAGIC:
        if raw.startswith(magic):
            return name
    if b"%PDF-" in raw[:_PDF_WITHIN]:
        return "pdf"
    if control_share(text) > _MAX_CONTROLS:
        return "binary"
    head = text[:4000].lstrip()
    looks: tuple[tuple[bool, Format], ...] = (
        ("html" in content_type or bool(_HTML.match(head)), "html"),
        (bool(_XML.match(head)) or ("xml" in content_type and head[:1] == "<"), "xml"),
        ("json" in content_type, "json"),
    )
    return next((name for matches, name in looks if matches), "text")

"""MIME messages (mail, web archives of one file): the part of them that is the text.

Parsed by Python's own reader, which takes anything. It holds each line against the boundary of
every part around it, and recurses: so how many lines stand in how many parts is bounded here.
Attachments of a message are other documents, and are left.
"""

from __future__ import annotations

import email
import re
from email.message import Message
from typing import NamedTuple

from agents.intake.reasons import Ended, Reason

MAX_STEPS = 20_000_000
"""Lines times parts around them: some seconds. A message of 32 MiB has 400,000 lines."""
_PREFERRED = ("text/plain", "text/html", "text/rtf", "application/rtf")
_HEADERS = re.compile(r"(?:[!-9;-~]{1,76}:[^\r\n]*\r?\n(?:[ \t][^\r\n]*\r?\n)*){1,200}\r?\n")
_HEADERS_WITHIN = 64_000
"""Characters. Relays and signatures put ten thousand before a message."""
_SAYS_SO = re.compile(
    r"^(?:MIME-Version:[ \t]*1\.0|Content-Type:[ \t]*multipart/)", re.IGNORECASE | re.MULTILINE
)


class Part(NamedTuple):
    raw: bytes
    content_type: str


def is_mime(text: str) -> bool:
    """Whether a text begins with the headers of a MIME message."""
    headers = _HEADERS.match(text[:_HEADERS_WITHIN].lstrip("\ufeff\0 \t\r\n"))
    return headers is not None and _SAYS_SO.search(headers[0]) is not None


def mime_body(raw: bytes) -> Part:
    """The first part that says something, of the kind that loses least. Raises `Ended`."""
    if raw.count(b"\n") * raw.lower().count(b"multipart/") > MAX_STEPS:
        raise Ended(Reason.DAMAGED_ATTACHMENT, "The MIME message has too many parts in parts.")
    try:
        message = email.message_from_bytes(raw)
        parts = [part for part in message.walk() if not part.is_multipart()]
        own = [part for part in parts if part.get_content_disposition() != "attachment"]
        texts = (p for kind in _PREFERRED for p in own if p.get_content_type() == kind)
        kept = next((part for part in texts if _payload(part).strip()), None)
        if kept is None:
            said = "The message has no part that is text."
            raise Ended(Reason.UNSUPPORTED_CONTENT_TYPE, said)
        return Part(_payload(kept), str(kept.get("content-type", "text/plain")))
    except (RecursionError, ValueError, LookupError):
        raise Ended(Reason.DAMAGED_ATTACHMENT, "The MIME message cannot be read.") from None


def _payload(part: Message) -> bytes:
    found = part.get_payload(decode=True)
    return found if isinstance(found, bytes) else b""

"""MIME messages (mail, web archives of one file): the part of them that is the text.

Parsed by Python's own reader, which takes anything. It holds each line against the boundary of
every part around it, and recurses: so how many lines stand in how many parts is bounded here.
Attachments of a message are other documents, and are left.
"""

from __future__ import annotations

import email
import re
from collections.abc import Iterator
from email.message import Message
from typing import NamedTuple

from agents.intake.reasons import Reason, RecordRejected

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
    """The parts of the kind that loses least, one below the other. Raises `RecordRejected`."""
    if raw.count(b"\n") * raw.lower().count(b"multipart/") > MAX_STEPS:
        raise RecordRejected(
            Reason.DAMAGED_ATTACHMENT, "The MIME message has too many parts in parts."
        )
    try:
        message = email.message_from_bytes(raw)
        own = [part for part in _own(message) if _payload(part).strip()]
        kinds = (kind for kind in _PREFERRED if any(p.get_content_type() == kind for p in own))
        if (kind := next(kinds, None)) is None:
            given = "The message has no part that is text."
            raise RecordRejected(Reason.UNSUPPORTED_CONTENT_TYPE, given)
        texts = [part for part in own if part.get_content_type() == kind]
        charset = texts[0].get_content_charset()
        alike = [_payload(part) for part in texts if part.get_content_charset() == charset]
        return Part(b"\n".join(alike), str(texts[0].get("content-type", "text/plain")))
    except (RecursionError, ValueError, LookupError):
        raise RecordRejected(
            Reason.DAMAGED_ATTACHMENT, "The MIME message cannot be read."
        ) from None


def _own(part: Message) -> Iterator[Message]:
    """The parts that are shown with a message: an attachment is not, nor is anything in it."""
    if not part.is_multipart():
        yield part
        return
    for inner in part.get_payload():
        if isinstance(inner, Message) and inner.get_content_disposition() != "attachment":
            yield from _own(inner)


def _payload(part: Message) -> bytes:
    result = part.get_payload(decode=True)
    return result if isinstance(result, bytes) else b""

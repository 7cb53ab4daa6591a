"""From an attachment's bytes to text: sniff, unpack, read, again for a document in a document."""

from __future__ import annotations

import codecs
import html
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from agents.intake.charset import decode_text, without_controls
from agents.intake.encoding import decode_base64, gunzip, inflate
from agents.intake.formats.ccda import Embedded, Sections, parse_xml, read_cda, walk
from agents.intake.formats.docx import docx_to_text
from agents.intake.formats.html import html_to_text
from agents.intake.formats.layout import Layout, Partial
from agents.intake.formats.mime import mime_body
from agents.intake.formats.pdf import pdf_to_text
from agents.intake.formats.rtf import rtf_note
from agents.intake.plain import plain_notation, unescaped, unquoted
from agents.intake.reasons import Reason, RecordRejected
from agents.intake.sniff import Format, is_html, sniff

MAX_NOTE_CHARACTERS = 5_000_000
"""Four bytes a character and the JSON around it stay under `schemas.topics.MAX_RECORD_BYTES`."""
MAX_WRAPPINGS = 3
"""Documents in documents: gzip over C-CDA over RTF is real."""

_ANY_TAG = re.compile(r"<[/!?]?[a-zA-Z]")
_XHTML = "http://www.w3.org/1999/xhtml"


@dataclass(frozen=True)
class Extracted:
    """The text of an attachment. `format` is the way to it: `text`, or `gzip+xml+rtf`."""

    text: str
    format: str
    charset: str
    left: Mapping[str, int] = field(default_factory=dict)
    """What of the attachment is not in the text, by kind, with counts."""


@dataclass(frozen=True)
class Content:
    """Decoded bytes with what is known of them. `way` is what they were unpacked from."""

    raw: bytes
    text: str
    charset: str
    format: Format
    content_type: str
    declared: str | None
    way: str = ""
    left: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, raw: bytes, content_type: str, declared: str | None) -> Content:
        raw = _without_padding(raw)
        text, charset = decode_text(raw, declared)
        return cls(raw, text, charset, sniff(raw, text, content_type), content_type, declared)

    @property
    def preference(self) -> int:
        order = list(_READERS)
        return order.index(self.format) if self.format in order else len(order)


def _without_padding(raw: bytes) -> bytes:
    """Without the NULs that a column of fixed width is filled up with."""
    if not raw.endswith(b"\0\0"):
        return raw
    stripped = raw.rstrip(b"\0")
    return raw if 0 in stripped else stripped


def extract(content: Content, wrappings: int = MAX_WRAPPINGS) -> Extracted:
    """The text in `content`, through at most `wrappings` documents around it."""
    if not content.text.strip("\0 \t\r\n\f\v\ufeff"):
        raise RecordRejected(Reason.NO_TEXT)
    inner = _read(content)
    way = f"{content.way}+{content.format}".lstrip("+")
    if isinstance(inner, Content):
        if wrappings == 0:
            raise RecordRejected(Reason.DAMAGED_ATTACHMENT, "Documents are wrapped too deep.")
        return extract(replace(inner, way=way), wrappings - 1)
    left: Mapping[str, int] = content.left
    if isinstance(inner, Partial):
        left = {**left, **inner.left}
        inner = inner.text
    if not inner.strip():
        raise RecordRejected(Reason.NO_TEXT)
    if len(inner) > MAX_NOTE_CHARACTERS:
        raise RecordRejected(Reason.NOTE_TOO_LARGE, f"The note has {len(inner):,} characters.")
    return Extracted(plain_notation(without_controls(inner)), way, content.charset, left)


def _read(content: Content) -> str | Content | Partial:
    """The text, or what was unpacked. Raises `RecordRejected`."""
    reader = _READERS.get(content.format)
    if reader is None:
        given = f"The attachment's bytes are {content.format}."
        raise RecordRejected(Reason.UNSUPPORTED_CONTENT_TYPE, given)
    return reader(content)


def _read_gzip(content: Content) -> Content:
    return Content.of(gunzip(content.raw), content.content_type, content.declared)


def _read_xml(content: Content) -> str | Content | Partial:
    cda = read_cda(content.text)
    if isinstance(cda, Embedded):
        return _content_of(cda)
    if not isinstance(cda, Sections):
        return cda
    texts, left = [cda.text], 0
    for title, embedded in cda.embedded:
        try:
            inner = extract(_content_of(embedded), 1)
        except RecordRejected:
            left += 1
            continue
        # The sections' text ends with the title where that section is the last.
        known = title and cda.text.rstrip().endswith(title)
        texts.append(inner.text if known or not title else f"{title}\n{inner.text}")
    return Partial("\n\n".join(filter(None, texts)), {"attachments_not_read": left} if left else {})


def _content_of(embedded: Embedded) -> Content:
    kind, charset = split_type(embedded.content_type)
    raw = decode_base64(embedded.data) if embedded.encoded else embedded.data.encode()
    return Content.of(raw, kind, charset)


def _read_text(content: Content) -> str | Content:
    """What turns out to be another format once its escapes are undone is read as that."""
    text = unescaped(content.text)
    if text != content.text and text.lstrip().startswith(("{\\rtf", "<")):
        inner = Content.of(text.encode(), "", None)
        return inner if inner.format in ("html", "rtf", "xml") else text
    return text


def _read_html(content: Content) -> str | Content:
    """XHTML is read as XML where it is that: to HTML, `<title/>` begins a title without an end.

    What has no tag at all is plain text that says html, and its lines are its layout. What is
    markup still was escaped once too often.
    """
    text = unquoted(content.text)
    seen = _seen(text) if _ANY_TAG.search(text) else html.unescape(text).replace("\xa0", " ")
    if seen != text and is_html(seen[:4000]):
        return Content.of(seen.encode(), "text/html", None)
    return seen


def _seen(text: str) -> str:
    if text.lstrip()[:5] == "<?xml" or _XHTML in text[:2000]:
        try:
            return Layout().add(walk(parse_xml(text, forgiving=False))).result()
        except RecordRejected:
            pass
    return html_to_text(text)


def _read_mime(content: Content) -> Content:
    part = mime_body(content.raw)
    return Content.of(part.raw, *split_type(part.content_type))


def _read_rtf(content: Content) -> Partial:
    """RTF is ASCII by its own rules; what came as UTF-16 is brought back to bytes."""
    wide = content.charset.startswith(("utf-16", "utf-32"))
    raw = content.text.encode() if wide else content.raw
    return rtf_note(raw.removeprefix(codecs.BOM_UTF8))


def _read_again(content: Content) -> Content:
    return Content.of(decode_base64(content.text), content.content_type, content.declared)


# In order of preference: several attachments are one note in several formats, and the one that
# loses least is taken.
_READERS: dict[Format, Callable[[Content], str | Content | Partial]] = {
    "text": _read_text,
    "html": _read_html,
    "rtf": _read_rtf,
    "xml": _read_xml,
    "mime": _read_mime,
    "base64": _read_again,
    "docx": lambda content: docx_to_text(content.raw),
    "gzip": _read_gzip,
    "zlib": lambda content: Content.of(
        inflate(content.raw), content.content_type, content.declared
    ),
    "pdf": lambda content: pdf_to_text(content.raw),
}


def split_type(value: str | None) -> tuple[str, str | None]:
    """`text/plain; charset="utf-8"` as its type, in lower case, and its charset."""
    kind, *parameters = (value or "").lower().split(";")
    for parameter in parameters:
        name, _, given = parameter.partition("=")
        if name.strip() == "charset":
            return kind.strip(), given.strip("\"' ")
    return kind.strip(), None

"""From an attachment's bytes to text: sniff, unpack, read, again for a document in a document."""

from __future__ import annotations

import codecs
import html
import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from agents.intake.charset import decode_text, without_controls
from agents.intake.encoding import decode_base64, gunzip
from agents.intake.formats.ccda import Embedded, parse_xml, read_cda, walk
from agents.intake.formats.html import html_to_text
from agents.intake.formats.layout import Layout
from agents.intake.formats.mime import mime_body
from agents.intake.formats.pdf import pdf_to_text
from agents.intake.formats.rtf import rtf_to_text
from agents.intake.reasons import Reason, RecordRejected
from agents.intake.sniff import Format, is_html, sniff

MAX_NOTE_CHARACTERS = 5_000_000
"""Four bytes a character and the JSON around it stay under `schemas.topics.MAX_RECORD_BYTES`."""
MAX_WRAPPINGS = 3
"""Documents in documents: gzip over C-CDA over RTF is real."""

_ANY_TAG = re.compile(r"<[/!?]?[a-zA-Z]")
_BREAK = "\\.br\\"
_HL7_MEANS = {".BR": "\n", "T": "&", "S": "^", "F": "|", "R": "~", "E": "\\"}
_HL7_ESCAPE = re.compile(r"\\(\.br|[TSFRE])\\", re.IGNORECASE)
_XHTML = "http://www.w3.org/1999/xhtml"


@dataclass(frozen=True)
class Extracted:
    """The text of an attachment. `format` is the way to it: `text`, or `gzip+xml+rtf`."""

    text: str
    format: str
    charset: str


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

    @classmethod
    def of(cls, raw: bytes, content_type: str, declared: str | None) -> Content:
        text, charset = decode_text(raw, declared)
        return cls(raw, text, charset, sniff(raw, text, content_type), content_type, declared)

    @property
    def preference(self) -> int:
        order = list(_READERS)
        return order.index(self.format) if self.format in order else len(order)


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
    if not inner.strip():
        raise RecordRejected(Reason.NO_TEXT)
    if len(inner) > MAX_NOTE_CHARACTERS:
        raise RecordRejected(Reason.NOTE_TOO_LARGE, f"The note has {len(inner):,} characters.")
    return Extracted(without_controls(inner), way, content.charset)


def _read(content: Content) -> str | Content:
    """The text, or what was unpacked. Raises `RecordRejected`."""
    reader = _READERS.get(content.format)
    if reader is None:
        said = f"The attachment's bytes are {content.format}."
        raise RecordRejected(Reason.UNSUPPORTED_CONTENT_TYPE, said)
    return reader(content)


def _read_gzip(content: Content) -> Content:
    return Content.of(gunzip(content.raw), content.content_type, content.declared)


def _read_xml(content: Content) -> str | Content:
    found = read_cda(content.text)
    if isinstance(found, Embedded):
        kind, charset = split_type(found.content_type)
        raw = decode_base64(found.data) if found.encoded else found.data.encode()
        return Content.of(raw, kind, charset)
    return found


def _read_text(content: Content) -> str:
    """Where an engine left HL7 v2's escapes in (2.7), they are what they stand for."""
    if _BREAK not in content.text:
        return content.text
    return _HL7_ESCAPE.sub(lambda found: _HL7_MEANS[found[1].upper()], content.text)


def _read_html(content: Content) -> str | Content:
    """XHTML is read as XML where it is that: to HTML, `<title/>` begins a title without an end.

    What has no tag at all is plain text that says html, and its lines are its layout. What is
    markup still was escaped once too often.
    """
    text = content.text
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


def _read_rtf(content: Content) -> str:
    """RTF is ASCII by its own rules; what came as UTF-16 is brought back to bytes."""
    wide = content.charset.startswith(("utf-16", "utf-32"))
    raw = content.text.encode() if wide else content.raw
    return rtf_to_text(raw.removeprefix(codecs.BOM_UTF8))


def _read_again(content: Content) -> Content:
    return Content.of(decode_base64(content.text), content.content_type, content.declared)


# In order of preference: several attachments are one note in several formats, and the one that
# loses least is taken.
_READERS: dict[Format, Callable[[Content], str | Content]] = {
    "text": _read_text,
    "html": _read_html,
    "rtf": _read_rtf,
    "xml": _read_xml,
    "mime": _read_mime,
    "base64": _read_again,
    "gzip": _read_gzip,
    "pdf": lambda content: pdf_to_text(content.raw),
}


def split_type(value: str | None) -> tuple[str, str | None]:
    """`text/plain; charset="utf-8"` as its type, in lower case, and its charset."""
    kind, *parameters = (value or "").lower().split(";")
    for parameter in parameters:
        name, _, said = parameter.partition("=")
        if name.strip() == "charset":
            return kind.strip(), said.strip("\"' ")
    return kind.strip(), None

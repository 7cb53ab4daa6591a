"""From Attachments to one text: decode, sniff, choose the best format, unpack, read.

`contentType` says `text/plain` over gzip and PDF, and `ASCII Text` over text; `size` and `hash` are
wrong too often to reject by (they come in hex, base64 of hex, of the encoded text).
"""

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
from agents.intake.formats.pdf import pdf_to_text
from agents.intake.formats.rtf import rtf_to_text
from agents.intake.reasons import Ended, Reason
from agents.intake.shape import JsonObject, string
from agents.intake.sniff import Format, sniff

MAX_NOTE_CHARACTERS = 5_000_000
"""Four bytes a character and the JSON around it stay under `schemas.topics.MAX_RECORD_BYTES`."""
MAX_WRAPPINGS = 3
"""Documents in documents: gzip over C-CDA over RTF is real."""

_ANY_TAG = re.compile(r"<[/!?]?[a-zA-Z]")
_XHTML = "http://www.w3.org/1999/xhtml"

# Several attachments are one note in several formats. Before a fetch their types alone are known.
_FETCH_FIRST = ("text/plain", "html", "rtf", "xml")

# Of several faults, the one to report: damage first, then what another version may read.
_GRAVITY = (
    Reason.BAD_BASE64,
    Reason.DAMAGED_ATTACHMENT,
    Reason.NOTE_TOO_LARGE,
    Reason.ATTACHMENT_TOO_LARGE,
    Reason.ATTACHMENT_FORBIDDEN,
    Reason.ATTACHMENT_REFUSED,
    Reason.ATTACHMENT_BROKEN,
    Reason.UNSUPPORTED_CONTENT_TYPE,
    Reason.URL_ONLY,
    Reason.URL_NOT_ALLOWED,
    Reason.ATTACHMENT_NOT_FOUND,
    Reason.NO_TEXT_LAYER,
    Reason.NO_TEXT,
    Reason.NO_ATTACHMENT,
)


@dataclass(frozen=True)
class Extracted:
    """The text of an attachment. `format` is the way to it: `text`, or `gzip+xml+rtf`."""

    text: str
    format: str
    charset: str


@dataclass(frozen=True)
class _Content:
    """Decoded bytes with what is known of them. `way` is what they were unpacked from."""

    raw: bytes
    text: str
    charset: str
    format: Format
    content_type: str
    declared: str | None
    way: str = ""

    @classmethod
    def of(cls, raw: bytes, content_type: str, declared: str | None) -> _Content:
        text, charset = decode_text(raw, declared)
        return cls(raw, text, charset, sniff(raw, text, content_type), content_type, declared)

    @property
    def preference(self) -> int:
        order = list(_READERS)
        return order.index(self.format) if self.format in order else len(order)


def first_readable(
    attachments: tuple[JsonObject, ...], locate: Callable[[JsonObject], JsonObject] = lambda a: a
) -> tuple[JsonObject, Extracted]:
    """The attachment that is taken for the note, and its text. Raises `Ended`.

    `locate` gives an attachment by url the data that it leads to, or raises. Something is wanted
    from a server only where nothing at hand can be read.
    """
    faults = [Ended(Reason.NO_ATTACHMENT)]
    wanted: list[tuple[int, str]] = []
    found: list[tuple[JsonObject, _Content]] = []
    for attachment in attachments:
        try:
            found.append((attachment, _decode(locate(attachment))))
        except Ended as fault:
            faults.append(fault)
            if fault.wants:
                wanted.append((_fetch_rank(attachment), fault.wants))
    for attachment, content in sorted(found, key=lambda one: one[1].preference):
        try:
            return attachment, _extract(content, MAX_WRAPPINGS)
        except Ended as fault:
            faults.append(fault)
    worst = min(faults, key=lambda fault: _GRAVITY.index(fault.reason))
    worst.wants = min(wanted, key=lambda one: one[0])[1] if wanted else None
    raise worst


def _fetch_rank(attachment: JsonObject) -> int:
    said = _content_type(string(attachment.get("contentType")))[0]
    ranks = (rank for rank, kind in enumerate(_FETCH_FIRST) if kind in said)
    return next(ranks, len(_FETCH_FIRST))


def _decode(attachment: JsonObject) -> _Content:
    content_type, charset = _content_type(string(attachment.get("contentType")))
    data = attachment.get("data")
    if data is None or data == "":
        raise _without_data(attachment)
    raw = data if isinstance(data, bytes) else decode_base64(data)  # bytes: it was fetched
    return _Content.of(raw, content_type, charset)


def _extract(content: _Content, wrappings: int) -> Extracted:
    """The text in `content`, through at most `wrappings` documents around it."""
    if not content.text.strip("\0 \t\r\n\f\v\ufeff"):
        raise Ended(Reason.NO_TEXT)
    inner = _read(content)
    way = f"{content.way}+{content.format}".lstrip("+")
    if isinstance(inner, _Content):
        if wrappings == 0:
            raise Ended(Reason.DAMAGED_ATTACHMENT, "Documents are wrapped too deep.")
        return _extract(replace(inner, way=way), wrappings - 1)
    if not inner.strip():
        raise Ended(Reason.NO_TEXT)
    if len(inner) > MAX_NOTE_CHARACTERS:
        raise Ended(Reason.NOTE_TOO_LARGE, f"The note has {len(inner):,} characters.")
    return Extracted(without_controls(inner), way, content.charset)


def _read(content: _Content) -> str | _Content:
    """The text, or what was unpacked. Raises `Ended`."""
    reader = _READERS.get(content.format)
    if reader is None:
        said = f"The attachment's bytes are {content.format}."
        raise Ended(Reason.UNSUPPORTED_CONTENT_TYPE, said)
    return reader(content)


def _read_gzip(content: _Content) -> _Content:
    return _Content.of(gunzip(content.raw), content.content_type, content.declared)


def _read_xml(content: _Content) -> str | _Content:
    found = read_cda(content.text)
    if isinstance(found, Embedded):
        kind, charset = _content_type(found.content_type)
        raw = decode_base64(found.data) if found.encoded else found.data.encode()
        return _Content.of(raw, kind, charset)
    return found


def _read_html(content: _Content) -> str:
    """XHTML is read as XML where it is that: to HTML, `<title/>` begins a title without an end.

    What has no tag at all is plain text that says html, and its lines are its layout.
    """
    text = content.text
    if not _ANY_TAG.search(text):
        return html.unescape(text).replace("\xa0", " ")
    if text.lstrip()[:5] == "<?xml" or _XHTML in text[:2000]:
        try:
            return Layout().add(walk(parse_xml(text, forgiving=False))).result()
        except Ended:
            pass
    return html_to_text(text)


def _read_rtf(content: _Content) -> str:
    """RTF is ASCII by its own rules; what came as UTF-16 is brought back to bytes."""
    wide = content.charset.startswith(("utf-16", "utf-32"))
    raw = content.text.encode() if wide else content.raw
    return rtf_to_text(raw.removeprefix(codecs.BOM_UTF8))


def _read_again(content: _Content) -> _Content:
    return _Content.of(decode_base64(content.text), content.content_type, content.declared)


# In order of preference: several attachments are one note in several formats, and the one that
# loses least is taken.
_READERS: dict[Format, Callable[[_Content], str | _Content]] = {
    "text": lambda content: content.text,
    "html": _read_html,
    "rtf": _read_rtf,
    "xml": _read_xml,
    "base64": _read_again,
    "gzip": _read_gzip,
    "pdf": lambda content: pdf_to_text(content.raw),
}


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

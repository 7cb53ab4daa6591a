"""C-CDA documents: sections with their titles, or the one document in nonXMLBody.

lxml without entities, network and DTDs, strict first and then forgiving; libxml2 itself caps
nesting at 256 and text nodes at 10 MB. Documents that declare entities are refused: clinical ones
have none, and expanding them is how XML bombs work.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html.entities import html5
from xml.sax.saxutils import escape

from lxml import etree

from agents.intake.charset import without_controls
from agents.intake.encoding import MAX_UNPACKED_BYTES
from agents.intake.formats.html import html_to_text
from agents.intake.formats.layout import Layout, Node, gap_of, is_hidden
from agents.intake.reasons import Reason, RecordRejected

# What libxml2 says when a limit of its own stopped it: the rest would be missing.
_LIMITS = frozenset({etree.ErrorTypes.ERR_INTERNAL_ERROR, etree.ErrorTypes.ERR_RESOURCE_LIMIT})


_LONGEST_NODE = 9_999_000
"""Bytes of a text that libxml2 reads without being told that it may be long: an embedded PDF has
more. Its other limits (256 levels) go with that one, so the number of tags is bounded instead."""
_MAX_TAGS = 200_000
MAX_EMBEDDED = 20
"""Documents in one section."""

# What makes XML that is almost right, and what libxml2 leaves out of it without a word: characters
# by HTML's names ("Na&nbsp;138"), "A&O x3", "WBC <5", references to control characters. CDATA is as
# it is meant to be.
_AS_MEANT = re.compile(
    r"<!\[CDATA\[.*?(?:\]\]>|\Z)"
    r"|&#(\d{1,7}|x[\da-fA-F]{1,6});"
    r"|&(?!(?:lt|gt|amp|quot|apos);)([A-Za-z][A-Za-z0-9]{1,31};)?"
    r"|<(?![A-Za-z_/!?])",
    re.DOTALL,
)


def _as_meant(result: re.Match[str]) -> str:
    if result[0].startswith("<!["):
        return result[0]
    if number := result[1]:
        code = int(number[1:], 16) if number[0] == "x" else int(number)
        return " " if code < ord(" ") and chr(code) not in "\t\n\r" else result[0]
    return escape(html5.get(result[2] or "", result[0]))


@dataclass(frozen=True)
class Embedded:
    """A document inside the document: base64, if `encoded`, and what it says it is."""

    data: str
    content_type: str
    encoded: bool = True


@dataclass(frozen=True)
class Sections:
    """The text of sections, and documents in other sections: each with its section's title."""

    text: str
    embedded: tuple[tuple[str, Embedded], ...]


def read_cda(markup: str) -> str | Embedded | Sections:
    """The sections' text, or the embedded document when that is all. Raises `RecordRejected`."""
    try:
        return _read(parse_xml(markup))
    except UnicodeDecodeError:  # lxml, over what libxml2 made of `&#xD800;` while recovering
        given = "The XML refers to characters that do not exist."
        raise RecordRejected(Reason.DAMAGED_ATTACHMENT, given) from None


def _read(root: etree._Element) -> str | Embedded | Sections:
    body = root.find(".//{*}nonXMLBody/{*}text")
    if body is not None:
        return _non_xml(body)
    layout, known = Layout(), False
    embedded: list[tuple[str, Embedded]] = []
    sections = [e for e in root.iter("{*}section", "section") if isinstance(e.tag, str)]
    for section in sections:
        title, text = section.find("{*}title"), section.find("{*}text")
        name = _text_of(title).strip() if title is not None else ""
        if name:
            layout.line(name)
        before = layout.pieces
        if text is not None and _is_encoded(text):
            embedded.append((name, _embedded(text)))
        elif text is not None:
            _add_text(layout, text)
        known |= layout.pieces > before
        # A section's text must say all that its entries say; where it is empty, they are all.
        if layout.pieces == before:
            embedded += [(name, one) for one in _encoded(section)]
    if not sections and root.tag.rpartition("}")[2] != "ClinicalDocument":
        raise RecordRejected(
            Reason.UNSUPPORTED_CONTENT_TYPE, "The attachment is XML, but no C-CDA."
        )
    if embedded and not known and len(embedded) == 1 and len(sections) == 1:
        return embedded[0][1]
    if embedded:
        return Sections(layout.result() if known else "", tuple(embedded))
    return layout.result() if known else ""  # titles alone say nothing


def parse_xml(markup: str, *, forgiving: bool = True) -> etree._Element:
    """Bounded and offline; not well-formed XML is read as far as it goes when `forgiving`.

    Raises `RecordRejected` for what cannot be read or would be cut off by libxml2's limits.
    """
    if "<!ENTITY" in markup:
        raise RecordRejected(Reason.DAMAGED_ATTACHMENT, "The XML declares entities.")
    raw = _AS_MEANT.sub(_as_meant, without_controls(markup)).encode()
    huge = len(raw) > _LONGEST_NODE and max(map(len, raw.split(b"<"))) > _LONGEST_NODE
    if huge and (raw.count(b"<") > _MAX_TAGS or len(raw) > MAX_UNPACKED_BYTES):
        raise RecordRejected(Reason.NOTE_TOO_LARGE, "The XML has a text of over 10 MB.")
    for recover in (False, True)[: 1 + forgiving]:
        parser = etree.XMLParser(
            encoding="utf-8",
            resolve_entities=False,
            no_network=True,
            load_dtd=False,
            huge_tree=huge,
            remove_comments=True,
            remove_pis=True,
            recover=recover,
        )
        try:
            root = etree.fromstring(raw, parser)
        except etree.XMLSyntaxError:
            continue
        if root is not None and _LIMITS.isdisjoint(e.type for e in parser.error_log):
            return root
    raise RecordRejected(Reason.DAMAGED_ATTACHMENT, "The XML cannot be parsed.")


def walk(element: etree._Element) -> Iterator[Node]:
    """The element and all in it, for a `Layout`; what is hidden is passed over.

    Without recursion: through 250 generators each node would take 250 steps.
    """
    steps = etree.iterwalk(element, events=("start", "end"))
    hidden: etree._Element | None = None
    for event, one in steps:
        name = one.tag.rpartition("}")[2]
        if event == "start":
            attributes: dict[str, str | None] = {str(k): str(v) for k, v in one.attrib.items()}
            if is_hidden(name, attributes):
                hidden = one
                steps.skip_subtree()
                yield from gap_of(name)
                continue
            yield Node("start", name, attributes)
            if one.text:
                yield Node("text", one.text)
            continue
        if one is not hidden:
            yield Node("end", name)
        if one.tail and one is not element:
            yield Node("text", one.tail)


_MARKUP_TEXT = re.compile(r"<(?:/?[a-zA-Z][a-zA-Z0-9]{0,15}(?:\s[^<>]{0,500})?/?)>")


_LAID_OUT = 3
"""Lines of a narrative without elements from which they are its layout, not how it was wrapped."""


def _add_text(layout: Layout, text: etree._Element) -> None:
    """A narrative: with html in it as text (CDATA, or escaped once too often), as that; where it
    has no elements at all and several lines, its lines are its layout."""
    words = _text_of(text)
    if len(text) == 0 and "<" in words and _MARKUP_TEXT.search(words):
        layout.block(html_to_text(words))
    elif len(text) == 0 and len(words.strip().splitlines()) >= _LAID_OUT:
        layout.block(
            "\n".join(" ".join(line.split(" ")).strip() for line in words.strip().splitlines())
        )
    else:
        layout.add(walk(text))


def _non_xml(text: etree._Element) -> Embedded:
    """Without `representation` it is text by the schema; but some leave it out over base64 too."""
    given, kind = _text_of(text), text.get("mediaType") or ""
    if not given.strip() and text.find("{*}reference") is not None:
        given = "The document's body is a reference, which is not followed."
        raise RecordRejected(Reason.UNSUPPORTED_CONTENT_TYPE, given)
    return Embedded(given, kind, encoded=_is_encoded(text))


def _is_encoded(text: etree._Element) -> bool:
    return (text.get("representation") or "").upper() in ("B64", "BASE64")


def _embedded(text: etree._Element) -> Embedded:
    return Embedded(_text_of(text), text.get("mediaType") or "")


def _encoded(section: etree._Element) -> list[Embedded]:
    """The base64 documents in the section's own entries (C-CDA Note Activity), at most so many."""
    inner = {
        text
        for one in section.iter("{*}section")
        if one is not section
        for text in one.iter("{*}text")
    }
    texts = (text for text in section.iter("{*}text", "{*}value") if text not in inner)
    return [_embedded(text) for text in texts if _is_encoded(text)][:MAX_EMBEDDED]


def _text_of(element: etree._Element) -> str:
    return "".join(map(str, element.itertext()))

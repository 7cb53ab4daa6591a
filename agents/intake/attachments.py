"""From Attachments to one text: decode, sniff, choose the best format, unpack, read.

`contentType` says `text/plain` over gzip and PDF, and `ASCII Text` over text; `size` and `hash` are
wrong too often to reject by (they come in hex, base64 of hex, of the encoded text).

Several attachments are one note in several formats, of which one is taken; several of one format
with different texts are its pages, and are read one behind the other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from agents.intake.contents import Content, Extracted, extract, split_type
from agents.intake.encoding import decode_data
from agents.intake.reasons import Reason, RecordRejected
from agents.intake.shape import JsonObject, string

# Several attachments are one note in several formats. Before a fetch their types alone are known.
_FETCH_FIRST = ("text/plain", "html", "rtf", "xml")
_ONE_LINE = 240
"""Characters of a plain text without a line break from which another format that has some is
taken: a converter has lost its layout, and with it sections, lists and tables."""
_SEVERAL_LINES = 3
_STUB = 0.25
"""A text shorter than this part of another format's is no rendition of it ("See attached")."""

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
class Chosen:
    """The attachment that is taken for the note, and what is read of it and of its other pages."""

    index: int
    attachment: JsonObject
    extracted: Extracted
    pages: tuple[int, ...] = ()
    """Indices of all that are in the text, in order."""
    missing_reference: str | None = None
    """What a server may have of it still."""


@dataclass
class _Candidates:
    located: list[tuple[int, JsonObject, Content]] = field(default_factory=list)
    faults: list[RecordRejected] = field(
        default_factory=lambda: [RecordRejected(Reason.NO_ATTACHMENT)]
    )
    missing: list[tuple[int, str, str]] = field(default_factory=list)
    """By rank: type and reference of what a server may have."""
    left: Counter[str] = field(default_factory=Counter)


def first_readable(
    attachments: tuple[JsonObject, ...], locate: Callable[[JsonObject], JsonObject] = lambda a: a
) -> Chosen:
    """The note of several attachments. Raises `RecordRejected`.

    `locate` gives an attachment by url the data that it leads to, or raises. Something is wanted
    from a server only where nothing at hand can be read, where a page of the note is there, or
    where what is at hand has lost its lines.
    """
    candidates = _located(attachments, locate)
    read: list[tuple[int, JsonObject, Content, Extracted]] = []
    for index, attachment, content in sorted(
        candidates.located, key=lambda one: (one[2].preference, one[0])
    ):
        if read and content.format != read[-1][2].format and not _is_poor(read):
            if content.format == "image":
                candidates.left["images"] += 1
            continue
        try:
            read.append((index, attachment, content, extract(content)))
        except RecordRejected as fault:
            candidates.faults.append(fault)
            kind = "images" if content.format == "image" else "attachments_not_read"
            same = bool(read) and content.format == read[-1][2].format
            candidates.left[kind] += same or kind == "images"
    if not read:
        raise _worst(candidates)
    return _joined(read, candidates)


def _located(
    attachments: tuple[JsonObject, ...], locate: Callable[[JsonObject], JsonObject]
) -> _Candidates:
    result = _Candidates()
    for index, attachment in enumerate(attachments):
        try:
            result.located.append((index, attachment, _decode(locate(attachment))))
        except RecordRejected as fault:
            result.faults.append(fault)
            if fault.missing_reference:
                kind = split_type(string(attachment.get("contentType")))[0]
                result.missing.append((_fetch_rank(kind), kind, fault.missing_reference))
    return result


def _is_poor(read: list[tuple[int, JsonObject, Content, Extracted]]) -> bool:
    """Whether of the best format nothing is read but what says little, or on one line."""
    text = read[0][3].text.strip()
    return len(read) == 1 and ("\n" not in text)


def _joined(
    read: list[tuple[int, JsonObject, Content, Extracted]], candidates: _Candidates
) -> Chosen:
    best = read[0]
    for other in read[1:]:
        if other[2].format != best[2].format and _is_fuller(other[3].text, best[3].text):
            best = other
    alike = [one for one in read if one[2].format == best[2].format]
    pages = [one for one in alike if not _within(one, alike)]
    index, attachment, _, extracted = pages[0]
    kinds = {split_type(string(one[1].get("contentType")))[0] for one in pages}
    by_url = not any(one[1].get("data") for one in pages)
    missing = [ref for _, kind, ref in sorted(candidates.missing) if by_url and kind in kinds]
    if not missing and "\n" not in extracted.text.strip() and len(extracted.text) > _ONE_LINE:
        missing = [ref for _, kind, ref in sorted(candidates.missing) if "html" in kind]
    left = candidates.left + Counter(extracted.left)
    for page in pages[1:]:
        left += Counter(page[3].left)
    left["attachments_not_read"] += sum(bool(k) and k in kinds for _, k, _ in candidates.missing)
    text = "\n\n".join(page[3].text for page in pages)
    extracted = replace(extracted, text=text, left=dict(+left))
    reference = missing[0] if missing else None
    return Chosen(index, attachment, extracted, tuple(page[0] for page in pages), reference)


def _is_fuller(text: str, other: str) -> bool:
    """Whether `text` is the note, and `other` one line of it, or a remark in its place."""
    lost = "\n" not in other.strip() and len(other) > _ONE_LINE
    lines = lost and len(text.strip().splitlines()) >= _SEVERAL_LINES
    return lines or len(other) < len(text) * _STUB


def _within(
    one: tuple[int, JsonObject, Content, Extracted],
    all_of: Iterable[tuple[int, JsonObject, Content, Extracted]],
) -> bool:
    """Whether another has the same text and more, or is equal and stands before it."""
    text = " ".join(one[3].text.split())
    for other in all_of:
        around = " ".join(other[3].text.split())
        if other[0] != one[0] and text in around and (text != around or other[0] < one[0]):
            return True
    return False


def _worst(candidates: _Candidates) -> RecordRejected:
    worst = min(candidates.faults, key=lambda fault: _GRAVITY.index(fault.reason))
    worst.missing_reference = min(candidates.missing)[2] if candidates.missing else None
    return worst


def _fetch_rank(kind: str) -> int:
    ranks = (rank for rank, name in enumerate(_FETCH_FIRST) if name in kind)
    return next(ranks, len(_FETCH_FIRST))


def _decode(attachment: JsonObject) -> Content:
    content_type, charset = split_type(string(attachment.get("contentType")))
    data = attachment.get("data")
    if data is None or data == "":
        raise _without_data(attachment)
    # Bytes: it was fetched, or made of narratives.
    raw = data if isinstance(data, bytes) else decode_data(data, content_type)
    return Content.of(raw, content_type, charset)


def _without_data(attachment: JsonObject) -> RecordRejected:
    if string(attachment.get("url")):
        return RecordRejected(Reason.URL_ONLY)
    if "data" in attachment or "_data" in attachment:
        return RecordRejected(Reason.NO_TEXT)
    return RecordRejected(Reason.NO_ATTACHMENT)

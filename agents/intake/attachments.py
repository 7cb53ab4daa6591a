"""From Attachments to one text: decode, sniff, choose the best format, unpack, read.

`contentType` says `text/plain` over gzip and PDF, and `ASCII Text` over text; `size` and `hash` are
wrong too often to reject by (they come in hex, base64 of hex, of the encoded text).
"""

from __future__ import annotations

from collections.abc import Callable

from agents.intake.contents import Content, Extracted, extract, split_type
from agents.intake.encoding import decode_base64
from agents.intake.reasons import Reason, RecordRejected
from agents.intake.shape import JsonObject, string

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


def first_readable(
    attachments: tuple[JsonObject, ...], locate: Callable[[JsonObject], JsonObject] = lambda a: a
) -> tuple[JsonObject, Extracted]:
    """The attachment that is taken for the note, and its text. Raises `RecordRejected`.

    `locate` gives an attachment by url the data that it leads to, or raises. Something is wanted
    from a server only where nothing at hand can be read.
    """
    faults = [RecordRejected(Reason.NO_ATTACHMENT)]
    wanted: list[tuple[int, str]] = []
    found: list[tuple[JsonObject, Content]] = []
    for attachment in attachments:
        try:
            found.append((attachment, _decode(locate(attachment))))
        except RecordRejected as fault:
            faults.append(fault)
            if fault.missing_reference:
                wanted.append((_fetch_rank(attachment), fault.missing_reference))
    for attachment, content in sorted(found, key=lambda one: one[1].preference):
        try:
            return attachment, extract(content)
        except RecordRejected as fault:
            faults.append(fault)
    worst = min(faults, key=lambda fault: _GRAVITY.index(fault.reason))
    worst.missing_reference = min(wanted, key=lambda one: one[0])[1] if wanted else None
    raise worst


def _fetch_rank(attachment: JsonObject) -> int:
    said = split_type(string(attachment.get("contentType")))[0]
    ranks = (rank for rank, kind in enumerate(_FETCH_FIRST) if kind in said)
    return next(ranks, len(_FETCH_FIRST))


def _decode(attachment: JsonObject) -> Content:
    content_type, charset = split_type(string(attachment.get("contentType")))
    data = attachment.get("data")
    if data is None or data == "":
        raise _without_data(attachment)
    raw = data if isinstance(data, bytes) else decode_base64(data)  # bytes: it was fetched
    return Content.of(raw, content_type, charset)


def _without_data(attachment: JsonObject) -> RecordRejected:
    if string(attachment.get("url")):
        return RecordRejected(Reason.URL_ONLY)
    if "data" in attachment or "_data" in attachment:
        return RecordRejected(Reason.NO_TEXT)
    return RecordRejected(Reason.NO_ATTACHMENT)

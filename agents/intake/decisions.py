"""What a note's fields decided, in plain words: the part of `explain` about one document.

Each function fetched one question about a resource that carries notes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import tzinfo

from agents.intake.attachments import first_readable
from agents.intake.contents import Extracted
from agents.intake.envelope import Item
from agents.intake.fields import Fields, note_time
from agents.intake.links import with_data
from agents.intake.read import Reading
from agents.intake.reasons import Disposition, RecordRejected
from agents.intake.references import resolve
from agents.intake.shape import JsonObject, string
from agents.intake.times import parse_time
from schemas.notes import RelationKind

_ATTACHMENTS = {
    "DocumentReference": "content",
    "DiagnosticReport": "presentedForm",
    "Composition": "section",
}
_ORDER = "of several formats the one that loses least: text, html, rtf, C-CDA, gzip, pdf"
_RELATIONS = {
    RelationKind.REPLACES: "the facts of the other one go",
    RelationKind.APPENDS: "both are evidence",
    RelationKind.TRANSFORMS: "of the two forms the original counts, if it is in the chart",
}


@dataclass(frozen=True)
class Decision:
    """`question` was answered with `answer`, because of `why`."""

    question: str
    answer: str
    why: str = ""


def of_fields(item: Item, fields: Fields, reading: Reading, zone: tzinfo) -> Iterator[Decision]:
    yield _document(fields, reading)
    yield _patient(item, fields, reading)
    yield _status(fields, reading)
    yield _version(fields, zone)
    for relation in reading.relations:
        yield Decision(
            relation.kind.value, relation.target, f"relatesTo; {_RELATIONS[relation.kind]}"
        )
    if reading.identifiers:
        why = "business identifiers: another document with one of them is the same note"
        yield Decision("also known as", ", ".join(reading.identifiers), why)
    yield from _attachments(item, fields, reading)
    if reading.note:
        yield _time(fields, reading, zone)


def _document(fields: Fields, reading: Reading) -> Decision:
    hashed = " (its hash, since it is over 512 bytes)"
    given = {"id": fields.resource_id, "identifier": next(iter(fields.identifiers), None)}
    source = reading.document_id_source
    if source in given:
        why = "id" if source == "id" else "no id, so the first business identifier"
        named = reading.document_id or ""
        long = hashed if named.startswith("sha256:") else ""
        server = " at a server that is not home" if named.endswith(f"|{fields.resource_id}") else ""
        return Decision("document", named, why + server + long)
    if source == "content":
        why = "no id and no identifier, so the hash of patient and content"
        return Decision("document", reading.document_id or "", why)
    return Decision("document", "unknown", "no id and no identifier, and no text to tell it by")


def _patient(item: Item, fields: Fields, reading: Reading) -> Decision:
    target = resolve(fields.subject, item.resource, item.scope)
    if reading.patient_id is None:
        how = "is not a Patient" if target.id else target.how
        return Decision("patient", "unknown", f"subject {how}")
    known = target.id == reading.patient_id
    return Decision(
        "patient",
        reading.patient_id,
        f"subject {target.how}" if known else "the configured map of identifiers",
    )


def _status(fields: Fields, reading: Reading) -> Decision:
    if fields.entered_in_error:
        return Decision("status", "entered in error", "status or docStatus says so")
    if reading.outcome is Disposition.RETRACTED:
        return Decision("status", "deleted", "the notification says so")
    if fields.draft:
        return Decision("status", "draft", "status or docStatus says that it is not finished")
    if given := fields.statuses & {"superseded", "deprecated"}:
        why = "this alone takes nothing away; a document that replaces it does"
        return Decision("status", " ".join(sorted(given)), why)
    return Decision("status", "final", "nothing says draft or entered in error")


def _version(fields: Fields, zone: tzinfo) -> Decision:
    if fields.version_id:
        return Decision("version", fields.version_id, "meta.versionId")
    if updated := parse_time(fields.last_updated, zone):
        return Decision("version", updated.isoformat(), "meta.lastUpdated, since no versionId")
    return Decision(
        "version",
        "none",
        "no versionId, no lastUpdated: the last to arrive counts, if its content differs",
    )


def _attachments(item: Item, fields: Fields, reading: Reading) -> Iterator[Decision]:
    """Every entry alone: what can be read of it, or why not. Only for what came to its text."""
    name = _ATTACHMENTS[fields.resource_type]
    if not fields.attachments:
        yield Decision("text", "none", f"no {name} has an attachment")
    for number, attachment in enumerate(fields.attachments):
        place = f"{name}[{number}]"
        taken = reading.attachment == number
        try:
            result = first_readable((attachment,), lambda one: _located(item, one)).extracted
        except RecordRejected as rejected:
            yield Decision(place, f"no: {rejected.reason}", rejected.reason.entry.meaning)
            continue
        inner = f"{result.format}, {result.charset}, {len(result.text):,} characters"
        if taken:
            why = _ORDER if len(fields.attachments) > 1 else _origin(attachment)
            yield Decision(place, f"taken: {inner}", why)
        else:
            why = _left(result, reading) if reading.note else "it rejected before its text"
            yield Decision(place, f"left: {inner}", why)


def _left(result: Extracted, reading: Reading) -> str:
    assert reading.note is not None
    if result.format == reading.format and result.text.split() != reading.note.text.split():
        return "of the same format but another text; FHIR has one note in several formats here"
    return "another format of the note"


def _located(item: Item, attachment: JsonObject) -> JsonObject:
    return with_data(attachment, item.resource, item.scope, item.fetched, item.url_base)


def _origin(attachment: JsonObject) -> str:
    given = string(attachment.get("contentType")) or "none"
    held = (
        "data" if attachment.get("data") not in (None, "") else "url, which leads into the record"
    )
    return f"from {held}; told by its bytes, contentType says {given}"


def _time(fields: Fields, reading: Reading, zone: tzinfo) -> Decision:
    assert reading.note is not None
    note = reading.note
    taken = fields.attachments[reading.attachment or 0]
    creation = taken.get("creation")
    known = note_time(fields, creation, zone)
    if known is None:
        given = [t.place for t in (*fields.dates, *fields.times) if t.said is not None]
        given += ["attachment.creation"] if creation is not None else []
        why = f"{', '.join(given)}: cannot be read" if given else "the resource names no time"
        return Decision("note time", "the record's own", why)
    why = known[1].place
    if known[1] not in fields.dates:
        unread = [t.place for t in fields.dates if t.said is not None]
        none = f"{unread[0]} cannot be read" if unread else "none says its date"
        why += f", the latest time since {none}"
    if known[0] > note.note_time:
        why += " lies after the record was received, or after the server had it"
    return Decision("note time", note.note_time.isoformat(), why)

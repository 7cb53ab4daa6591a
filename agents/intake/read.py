"""What intake makes of each resource in a record. Pure: `receive` emits it, `inspect` shows it.

The order of the questions decides which reason a resource with several faults gets: is it a note at
all, is it retracted, is it a draft, whose is it, is there text. So a draft without a patient is a
skip, and a note without a patient is a dead letter whatever its attachment.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, tzinfo

import orjson

from agents.intake.attachments import Chosen, first_readable
from agents.intake.body import unpack
from agents.intake.contained import left_contained
from agents.intake.contents import Extracted
from agents.intake.envelope import Item
from agents.intake.fields import (
    NO_STATUSES,
    Fields,
    TimeSource,
    author_category,
    note_time,
    read_fields,
    short,
    unread_times,
)
from agents.intake.links import with_data
from agents.intake.notifications import CARRY_NOTES, Notification, open_notification
from agents.intake.patient_events import PatientIds, PatientLinks, named_by_identifier, read_patient
from agents.intake.reasons import Disposition, Reason, RecordRejected
from agents.intake.references import Scope, Target, bounded, only_patient, resolve
from agents.intake.relations import business_identifiers, read_relations, relations_not_understood
from agents.intake.shape import JsonObject, string
from agents.intake.statuses import Statuses
from agents.intake.times import parse_time
from schemas.identity import canonical_base
from schemas.notes import DocumentVersion, Note, Relation


@dataclass(frozen=True)
class Reading:
    """The outcome of one resource. `detail` holds no note text, name or patient id."""

    outcome: Disposition
    item: int = 0
    items: int = 1
    place: str = ""
    """Where in the record it stands, for people: "line 3, entry 0"; empty when it is alone."""
    reason: Reason | None = None
    detail: str | None = None
    cause: Reason = Reason.DELETED
    """Of a document that is to be looked for in the index: why it must go."""
    resource_type: str | None = None
    document_id: str | None = None
    document_id_source: str | None = None
    """`id`, `identifier` or `content`: where the document's identity comes from."""
    patient_id: str | None = None
    version: DocumentVersion | None = None
    note: Note | None = None
    relations: tuple[Relation, ...] = ()
    identifiers: tuple[str, ...] = ()
    """Business identifiers, `system|value`."""
    links: PatientLinks | None = None
    """What a Patient resource says of merges."""
    format: str | None = None
    charset: str | None = None
    attachment: int | None = None
    """Which of the resource's attachments, counted from 0, is taken for the note."""
    partial: Mapping[str, int] = field(default_factory=dict)
    """What of the resource is not in the note, by kind, with counts; empty: nothing is left out."""
    missing_reference: str | None = None
    """A reference. With an answer to it (`Item.fetched`) the resource may end better than this."""


def read_documents(  # noqa: PLR0913 - the record, and what a site sets
    value: bytes | None,
    *,
    received_at: datetime,
    default_zone: tzinfo = UTC,
    patient_ids: PatientIds | None = None,
    home_bases: Collection[str] = (),
    key: bytes | None = None,
    headers: Mapping[str, bytes] | None = None,
    statuses: Statuses = NO_STATUSES,
    bundle_patient: bool = False,
) -> list[Reading]:
    """One reading a resource, at least one a record. Never raises.

    `received_at` is the time of a note that names none; `default_zone` that of times without one;
    `patient_ids` names the patients of subjects that give an identifier only; `home_bases` are the
    URLs of the server whose ids stand alone (see `references`); `key` and `headers` are the Kafka
    record's.
    """
    items = read_items(value, key=key, headers=headers)
    homes = frozenset(map(canonical_base, home_bases))
    reader = Reader(received_at, default_zone, patient_ids or {}, homes, statuses, bundle_patient)
    return [reader.read(item, number, len(items)) for number, item in enumerate(items)]


def read_items(
    value: bytes | None, *, key: bytes | None = None, headers: Mapping[str, bytes] | None = None
) -> list[Item]:
    """At least one. Never raises."""
    try:
        return unpack(value, key=key, headers=headers) or [
            Item("", fault=RecordRejected(Reason.NO_DOCUMENTS))
        ]
    except RecordRejected as whole:
        return [Item("", fault=whole)]


@dataclass(frozen=True)
class Reader:
    received_at: datetime
    zone: tzinfo = UTC
    patient_ids: PatientIds = field(default_factory=dict)
    homes: Collection[str] = ()
    """Canonical."""
    statuses: Statuses = field(default_factory=dict)
    bundle_patient: bool = False

    def scoped(self, item: Item) -> Item:
        """The item in the scope of its server (see `references`)."""
        known = item.notification.base if item.notification else None
        return replace(item, scope=item.scope.of(item.resource, self.homes, known))

    def read(self, item: Item, number: int, items: int) -> Reading:
        """The outcome of one item; one that ends early still says what is known of it."""
        reading = Reading(Disposition.ACCEPTED, number, items, item.place)
        try:
            if item.fault:
                raise item.fault
            if item.notification:
                reading = _of_notification(reading, item.notification, self.zone, self.homes)
                resource, base = open_notification(item.notification, item.fetched)
                item = replace(item, resource=resource, url_base=base)
            deleted = item.deleted or bool(item.notification and item.notification.deleted)
            reading = replace(reading, resource_type=string(item.resource.get("resourceType")))
            item = self.scoped(item)
            scope = item.scope
            links = read_patient(item.resource, scope, self.zone, self.patient_ids)
            if links is not None:
                return _of_patient(reading, links)
            fields = read_fields(item.resource, scope, self.statuses)
            if fields is None:
                raise RecordRejected(Reason.UNSUPPORTED_RESOURCE)
            patient = resolve(fields.subject, item.resource, scope)
            document_id, source = _identity(fields, scope)
            reading = replace(
                reading,
                document_id=document_id,
                document_id_source=source,
                patient_id=self._patient(fields, item, patient),
                relations=read_relations(item.resource, scope),
                identifiers=business_identifiers(
                    item.resource, scope.bundle if fields.resource_type == "Composition" else None
                ),
            )
            gone = deleted or fields.entered_in_error
            if fields.draft and not gone:
                raise RecordRejected(Reason.DRAFT)
            if gone and reading.patient_id is None and reading.document_id:
                # The index knows whose it is.
                why = Reason.DELETED if deleted else Reason.ENTERED_IN_ERROR
                reading = replace(reading, version=self._gone_version(fields), cause=why)
                raise RecordRejected(Reason.DELETION)
            if reading.patient_id is None:
                how = "is not a Patient" if patient.id else patient.how
                raise RecordRejected(Reason.NO_PATIENT, f"The subject {how}.")
            if gone:
                why = Reason.DELETED if deleted else Reason.ENTERED_IN_ERROR
                return self._retracted(reading, item, fields, why)
            return self._accepted(reading, item, fields)
        except RecordRejected as rejected:
            return replace(
                reading,
                outcome=rejected.reason.entry.disposition,
                reason=rejected.reason,
                detail=rejected.detail,
                missing_reference=rejected.missing_reference,
            )

    def _patient(self, fields: Fields, item: Item, target: Target) -> str | None:
        if target.type == "Patient" and target.id:
            return target.id
        scope = item.scope
        named = named_by_identifier(fields.subject, item.resource, scope, self.patient_ids)
        if named or fields.subject or not self.bundle_patient:
            return named
        return only_patient(scope)

    def _accepted(self, reading: Reading, item: Item, fields: Fields) -> Reading:
        chosen = first_readable(
            fields.attachments,
            lambda one: with_data(one, item.resource, item.scope, item.fetched, item.url_base),
        )
        extracted = chosen.extracted
        note = self._note(item, fields, chosen.attachment, extracted)
        kept = _digest(
            note.text,
            note.note_time if note.note_time_source != "event" else None,
            note.note_type,
            note.encounter_id,
            note.author_category,
        )
        version = DocumentVersion(
            version_id=fields.version_id,
            last_updated=parse_time(fields.last_updated, self.zone),
            content_hash=kept,
        )
        reading = replace(
            reading,
            version=version,
            note=note,
            format=extracted.format,
            charset=extracted.charset,
            attachment=chosen.index,
            partial=self._left_out(item, fields, chosen),
            missing_reference=chosen.missing_reference,
        )
        if reading.document_id:
            return reading
        name = f"sha256:{_digest(reading.patient_id, kept)}"
        return replace(reading, document_id=name, document_id_source="content")

    def _left_out(self, item: Item, fields: Fields, chosen: Chosen) -> dict[str, int]:
        """What of the resource is not in the note, by kind."""
        resource = item.resource
        counts = {
            **chosen.extracted.left,
            "relations_not_understood": relations_not_understood(resource, item.scope),
            "times_not_understood": unread_times(
                fields, chosen.attachment.get("creation"), self.zone
            ),
            "contained_documents": left_contained(resource),
        }
        return {kind: count for kind, count in counts.items() if count > 0}

    def _retracted(self, reading: Reading, item: Item, fields: Fields, why: Reason) -> Reading:
        """Its text does not matter, unless the text is all that says which document it is."""
        if reading.document_id is None:
            try:
                known = self._accepted(reading, item, fields)
            except RecordRejected as untold:
                raise RecordRejected(
                    Reason.NO_IDENTITY, missing_reference=untold.missing_reference
                ) from None
            reading = replace(
                reading, document_id=known.document_id, document_id_source=known.document_id_source
            )
        return replace(
            reading,
            outcome=Disposition.RETRACTED,
            reason=why,
            detail=why.entry.meaning,
            version=self._gone_version(fields),
        )

    def _gone_version(self, fields: Fields) -> DocumentVersion:
        return DocumentVersion(
            version_id=fields.version_id,
            last_updated=parse_time(fields.last_updated, self.zone),
            content_hash=_digest("retracted"),
        )

    def _note(
        self, item: Item, fields: Fields, attachment: JsonObject, extracted: Extracted
    ) -> Note:
        resource, scope = item.resource, item.scope
        encounters = (resolve(one, resource, scope) for one in fields.encounters)
        authors = {resolve(one, resource, scope).type for one in fields.authors}
        time, source = self._note_time(fields, attachment)
        return Note(
            text=extracted.text,
            title=short(string(attachment.get("title"))) or fields.title,
            note_type=fields.note_type,
            note_time=time,
            note_time_source=source,
            encounter_id=next((e.id for e in encounters if e.type == "Encounter" and e.id), None),
            author_category=author_category(authors, fields.labels),
        )

    def _note_time(self, fields: Fields, attachment: JsonObject) -> tuple[datetime, TimeSource]:
        """Never after it was received: a stay may be planned until 2099, but its note is here.

        A stay's end, and a file's, are not after the server had them either.
        """
        stated = note_time(fields, attachment.get("creation"), self.zone)
        if stated is None:
            return self.received_at, "event"
        time, place = stated
        updated = parse_time(fields.last_updated, self.zone)
        limit = self.received_at
        if place not in fields.dates and updated:
            limit = min(limit, updated)
        return (limit, "event") if time > limit else (time, place.source)


def _of_patient(reading: Reading, links: PatientLinks) -> Reading:
    """Without links it says so too: that is how a merge is taken back."""
    known = bool(links.into or links.replaces)
    reading = replace(reading, patient_id=links.patient_id, version=links.version, links=links)
    if known:
        return reading
    why = Reason.NO_MERGE
    return replace(reading, outcome=Disposition.SKIPPED, reason=why, detail=why.entry.meaning)


def _of_notification(
    reading: Reading, notification: Notification, zone: tzinfo, homes: Collection[str]
) -> Reading:
    """What is known without the resource, should it not be had."""
    kind, name = notification.resource_type, notification.id
    reading = replace(reading, resource_type=kind)
    if kind not in CARRY_NOTES:
        return reading
    version = DocumentVersion(
        # A change whose resource is gone by now: the deletion is later than what it names.
        version_id=notification.version if notification.deleted else None,
        last_updated=parse_time(notification.time, zone) if notification.deleted else None,
        content_hash=_digest("retracted"),
    )
    scope = Scope(
        homes=homes, base=canonical_base(notification.base) if notification.base else None
    )
    document_id = scope.name(name if kind == "DocumentReference" else f"{kind}/{name}")
    cause = Reason.TOMBSTONE if notification.tombstone else reading.cause
    return replace(
        reading, document_id=document_id, document_id_source="id", version=version, cause=cause
    )


def _identity(fields: Fields, scope: Scope) -> tuple[str | None, str | None]:
    """The document's id and where it is from; one too long to be an index key becomes its hash."""
    identifier = next(iter(fields.identifiers), None)
    if fields.resource_id:
        named = scope.name(fields.resource_id)
        return named or f"sha256:{_digest(scope.base, fields.resource_id)}", "id"
    if identifier:
        return bounded(identifier) or f"sha256:{_digest(identifier)}", "identifier"
    return None, None


def _digest(*parts: object) -> str:
    """SHA-256, hex. Urls are never among the parts: presigned ones change on every read."""
    return hashlib.sha256(orjson.dumps(parts, option=orjson.OPT_UTC_Z)).hexdigest()

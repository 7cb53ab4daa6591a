"""What intake would make of a file, offline: for `chartproof inspect`.

Identifiers are shown, since the file is the caller's own; the note's text is not.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import UTC, datetime, tzinfo
from typing import Any

from agents.intake.conformance import conformance
from agents.intake.fields import NO_STATUSES
from agents.intake.patient_events import PatientIds
from agents.intake.read import Reading, read_documents, read_items
from agents.intake.statuses import Statuses


def inspect_bytes(  # noqa: PLR0913 - what a site sets
    value: bytes,
    *,
    default_zone: tzinfo = UTC,
    patient_ids: PatientIds | None = None,
    home_bases: Collection[str] = (),
    statuses: Statuses = NO_STATUSES,
    bundle_patient: bool = False,
) -> Iterator[dict[str, Any]]:
    """One JSON-able object a resource, all with the same keys; what is not known is null.

    `note_time` is null where the note names no time: the record's own time would be taken.
    """
    now = datetime.now(UTC)
    for reading in read_documents(
        value,
        received_at=now,
        default_zone=default_zone,
        patient_ids=patient_ids,
        home_bases=home_bases,
        statuses=statuses,
        bundle_patient=bundle_patient,
    ):
        yield _row(reading)


def conformance_report(value: bytes) -> Iterator[dict[str, Any]]:
    """One JSON-able object a resource: the FHIR release it fits best, its faults without values.

    `release` is null where there is no resource or no release has its type.
    """
    for item in read_items(value):
        result = conformance(item.resource)
        yield {
            "place": item.place,
            "resource_type": item.resource.get("resourceType"),
            "release": result.release if result else None,
            "conforms": not result.faults if result else None,
            "faults": result.faults if result else None,
        }


def _row(reading: Reading) -> dict[str, Any]:
    note, version, links = reading.note, reading.version, reading.links
    timed = note and note.note_time_source != "event"
    return {
        "place": reading.place,
        "outcome": reading.outcome.value,
        "reason": reading.reason.value if reading.reason else None,
        "detail": reading.detail,
        "resource_type": reading.resource_type,
        "document_id": reading.document_id,
        "document_id_source": reading.document_id_source,
        "patient_id": reading.patient_id,
        "encounter_id": note.encounter_id if note else None,
        "version_id": version.version_id if version else None,
        "last_updated": _iso(version.last_updated) if version else None,
        "content_hash": version.content_hash if version else None,
        "note_time": _iso(note.note_time) if note and timed else None,
        "note_time_source": note.note_time_source if note else None,
        "note_type": note.note_type if note else None,
        "author_category": note.author_category.value if note else None,
        "format": reading.format,
        "attachment": reading.attachment,
        "charset": reading.charset,
        "missing_reference": reading.missing_reference,
        "partial": dict(reading.partial),
        "length": len(note.text) if note else None,
        "relations": [f"{each.kind.value} {each.target}" for each in reading.relations],
        "identifiers": list(reading.identifiers),
        "merged_into": links.into if links else None,
        "stands_for": list(links.replaces) if links else [],
    }


def _iso(time: datetime | None) -> str | None:
    return time.isoformat() if time else None

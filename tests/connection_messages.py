"""What each system of docs/connections.md sends: invented notes in its own form."""

from __future__ import annotations

import base64
from typing import Any

import orjson

from tests.sent import azure, b64, hapi, subscription_notice

Json = dict[str, Any]

WARD_NOTE = """PROGRESS NOTE
Subjective: Slept well. No chest pain.
Objective: BP 128/76, heart rate 72.
Plan: Continue metoprolol 25 mg twice a day. Recheck potassium tomorrow.
"""
HELD_NOTE = "DISCHARGE SUMMARY\nAdmitted with pneumonia. Treated with ceftriaxone for 5 days.\n"


def mirth() -> Json:
    """As a channel builds it from an MDM^T02: no server, so no `id` and no `meta`.

    `data` is what Mirth's `FileUtil.encode` gives: lines of 76 characters that end in CRLF.
    """
    lines = base64.encodebytes(WARD_NOTE.encode()).decode().replace("\n", "\r\n")
    return {
        "resourceType": "DocumentReference",
        "identifier": [{"system": "urn:oid:2.999.7.1", "value": "TXA-12-88123"}],
        "status": "current",
        "docStatus": "final",
        "type": {"text": "Progress note"},
        "subject": {"reference": "Patient/mirth-patient"},
        "date": "2026-03-02T09:30:00-05:00",
        "content": [{"attachment": {"contentType": "text/plain", "data": lines}}],
    }


def azure_change() -> Json:
    """A change: no resource, its id and version only."""
    return azure("Updated", 2)


def azure_deletion() -> Json:
    return azure("Deleted", 3)


def held_document(version: int = 2) -> Json:
    """What the FHIR server holds at the id that Azure's and HAPI's notices name."""
    return {
        "resourceType": "DocumentReference",
        "id": "doc-1",
        "meta": {"versionId": str(version), "lastUpdated": "2026-03-02T09:30:04.123+00:00"},
        "status": "current",
        "subject": {"reference": "Patient/server-patient"},
        "date": "2026-03-02T09:00:00Z",
        "content": [{"attachment": {"contentType": "text/plain", "url": "Binary/note-1"}}],
    }


def hapi_message() -> Json:
    """The whole resource, as a string in HAPI's own envelope."""
    attachment = {"contentType": "text/plain", "data": b64(WARD_NOTE)}
    held = held_document() | {
        "id": "doc-7",
        "subject": {"reference": "Patient/hapi-patient"},
        "content": [{"attachment": attachment}],
    }
    message = hapi(held)
    message["payload"]["payloadId"] = "DocumentReference/doc-7/_history/2"
    return message


def hapi_id_only() -> Json:
    """A topic subscription with id-only payload: what changed, without it."""
    return subscription_notice()


def bulk_export() -> dict[str, list[Json]]:
    """Files of a bulk export, by name, with the resource of each line."""
    inline = {"contentType": "text/plain", "data": b64(WARD_NOTE)}
    note = held_document(1) | {"subject": {"reference": "Patient/bulk-patient"}}
    return {
        "DocumentReference.000.ndjson": [
            note | {"id": "bulk-1", "content": [{"attachment": inline}]},
            note | {"id": "bulk-2"},
        ],
        "DiagnosticReport.000.ndjson": [
            {
                "resourceType": "DiagnosticReport",
                "id": "bulk-3",
                "status": "final",
                "subject": {"reference": "Patient/bulk-patient"},
                "effectiveDateTime": "2026-03-01T08:00:00Z",
                "presentedForm": [inline],
            }
        ],
        "Patient.000.ndjson": [
            {
                "resourceType": "Patient",
                "id": "bulk-old-number",
                "active": False,
                "link": [{"other": {"reference": "Patient/bulk-patient"}, "type": "replaced-by"}],
            }
        ],
    }


def bulk_lines() -> dict[str, bytes]:
    return {name: b"\n".join(map(orjson.dumps, said)) for name, said in bulk_export().items()}


def subscription() -> Json:
    """The Subscription that makes HAPI send `hapi_message`."""
    deletes = "http://hapifhir.io/fhir/StructureDefinition/subscription-send-delete-messages"
    return {
        "resourceType": "Subscription",
        "status": "requested",
        "reason": "Notes to chartproof",
        "criteria": "DocumentReference?",
        "channel": {
            "type": "message",
            "endpoint": "channel:chartproof.inbound.documents",
            "payload": "application/fhir+json",
            "extension": [{"url": deletes, "valueBoolean": True}],
        },
    }

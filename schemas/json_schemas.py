"""JSON Schema 2020-12 of what producers send, each with one worked example.

The schema of a text comes from its event. The schema of a DocumentReference names only what intake
reads of it and leaves the rest of FHIR open: a conformance check is not what it is for. The tests
hold both examples against their schema and against intake; README.md quotes them.
"""

from __future__ import annotations

from base64 import b64encode
from datetime import UTC, datetime
from typing import Any

from schemas.evidence import Evidence
from schemas.propositions import Proposition
from schemas.texts import TextGenerated
from schemas.verdicts import JudgedProposition, Verdict, VerdictIssued

DIALECT = "https://json-schema.org/draft/2020-12/schema"

JsonSchema = dict[str, Any]


def text_generated_schema() -> JsonSchema:
    """What an application publishes to `inbound.texts`."""
    schema = TextGenerated.model_json_schema()
    for ours in ("source", "former_patient_ids"):
        del schema["properties"][ours]
    del schema["$defs"]["Position"]
    return {"$schema": DIALECT, "$id": "urn:chartproof:text-generated:v1", **schema}


def text_generated_example() -> dict[str, Any]:
    return {
        "type": TextGenerated.EVENT_TYPE,
        "occurred_at": "2026-02-14T14:30:00-05:00",
        "text_id": "summary-0001",
        "patient_id": "example-patient",
        "text": "She was treated for cellulitis of the right leg.",
        "as_of": "2026-02-14T12:00:00-05:00",
        "generator": {"application": "discharge-writer", "model": "example-model"},
    }


def verdict_example() -> dict[str, Any]:
    """What `verdicts` carries for the text of `text_generated_example`, without provenance."""
    judged = JudgedProposition(
        proposition=Proposition(
            proposition_id="5d0c3f0e-3f0b-5b0e-9d5d-0d6a0d0f7a11",
            ordinal=0,
            unit="claim",
            text="She was treated for cellulitis of the right leg.",
            start=0,
            end=48,
        ),
        verdict=Verdict.NOT_SUPPORTED,
        confidence=0.93,
        reason="The chart gives the left leg.",
        evidence=(
            Evidence(
                fact_id="0b7f0b9c-51a1-5d7c-8f57-0a4a1f1f6c01",
                document_id="note-0001",
                note_type="Progress note",
                note_time=datetime(2026, 2, 11, 16, 30, tzinfo=UTC),
                section="A/P",
                quote="L leg cellulitis - improving, cefazolin D3.",
                start=22,
                end=65,
                score=0.91,
            ),
        ),
    )
    shown = judged.model_dump(mode="json", exclude_defaults=True)
    return {"type": VerdictIssued.EVENT_TYPE, "text_id": "summary-0001", "judged": shown}


def document_reference_schema() -> JsonSchema:
    """A FHIR R4 DocumentReference on `inbound.documents`, as far as intake reads it."""
    return {
        "$schema": DIALECT,
        "$id": "urn:chartproof:document-reference:r4",
        "title": "DocumentReference",
        "description": "FHIR R4 DocumentReference: what intake reads of it",
        "type": "object",
        "required": ["resourceType", "subject", "content"],
        "anyOf": [{"required": ["id"]}, {"required": ["identifier"]}],
        "properties": {
            "resourceType": {"const": "DocumentReference"},
            "id": _text("Logical id: with the server, the identity of the document"),
            "identifier": {
                "description": "Business identifiers: the identity of a document without `id`",
                "type": "array",
                "items": _object({"system": {"type": "string"}, "value": {"type": "string"}}),
            },
            "meta": _object(
                {
                    "versionId": _text("Orders the versions of a document, with lastUpdated"),
                    "lastUpdated": _text("RFC 3339"),
                }
            ),
            "status": _text("current, superseded or entered-in-error, which removes its facts"),
            "docStatus": _text("preliminary, final, amended, entered-in-error; absent is final"),
            "type": {**_concept(), "description": "Kind of note, preferably LOINC"},
            "subject": {**_reference(), "description": "Patient/<id>"},
            "date": _text("When the note was written, RFC 3339; its facts have this time"),
            "author": {"type": "array", "items": {"type": "object"}},
            "content": {"type": "array", "minItems": 1, "items": _content()},
            "context": _object(
                {
                    "encounter": {"type": "array", "items": _reference()},
                    "period": _object({"start": {"type": "string"}, "end": {"type": "string"}}),
                }
            ),
        },
    }


def document_reference_example() -> dict[str, Any]:
    note = b"PROGRESS NOTE\n\nA/P:\n# L leg cellulitis - improving, cefazolin D3.\n"
    return {
        "resourceType": "DocumentReference",
        "id": "note-0001",
        "meta": {"versionId": "1", "lastUpdated": "2026-02-11T11:30:00-05:00"},
        "status": "current",
        "docStatus": "final",
        "type": {
            "coding": [
                {"system": "http://loinc.org", "code": "11506-3", "display": "Progress note"}
            ]
        },
        "subject": {"reference": "Patient/example-patient"},
        "date": "2026-02-11T11:30:00-05:00",
        "content": [
            {
                "attachment": {
                    "contentType": "text/plain; charset=utf-8",
                    "data": b64encode(note).decode(),
                }
            }
        ],
        "context": {"encounter": [{"reference": "Encounter/example-admission"}]},
    }


def _text(description: str) -> JsonSchema:
    return {"type": "string", "description": description}


def _object(properties: JsonSchema) -> JsonSchema:
    return {"type": "object", "properties": properties}


def _reference() -> JsonSchema:
    return {**_object({"reference": {"type": "string"}}), "required": ["reference"]}


def _concept() -> JsonSchema:
    coding = _object(
        {
            "system": {"type": "string"},
            "code": {"type": "string"},
            "display": {"type": "string"},
        }
    )
    return _object({"coding": {"type": "array", "items": coding}, "text": {"type": "string"}})


def _content() -> JsonSchema:
    attachment = _object(
        {
            "contentType": _text("text/plain, with a charset if it is not UTF-8"),
            "data": _text("The note, base64"),
            "title": {"type": "string"},
            "creation": _text("RFC 3339; the note's time when `date` and `period` are absent"),
        }
    )
    return {**_object({"attachment": attachment}), "required": ["attachment"]}

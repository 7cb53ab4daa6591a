"""A note of a data set as the DocumentReference that an integration engine would send.

So a data set goes through intake as everything does, and what counts as evidence (status, relation,
author) is decided where it is decided for a hospital.
"""

from __future__ import annotations

import hashlib
import re
from typing import Any

import orjson
import pybase64

from agents.evaluation.dataset import ChartNote

_FHIR_ID = re.compile(r"[A-Za-z0-9.\-]{1,64}")
_AI = {
    "system": "http://terminology.hl7.org/CodeSystem/v3-ObservationValue",
    "code": "AIAST",
    "display": "Artificial Intelligence asserted",
}


def fhir_id(name: str) -> str:
    """An id of the data where FHIR allows it, else one made of it."""
    if _FHIR_ID.fullmatch(name):
        return name
    return hashlib.sha256(name.encode()).hexdigest()[:32]


def as_fhir(note: ChartNote, patient_id: str) -> bytes:
    """R4 JSON with the text inline."""
    if note.resource is not None:
        return note.resource
    resource: dict[str, Any] = {
        "resourceType": "DocumentReference",
        "id": fhir_id(note.note_id),
        "status": note.status,
        "docStatus": note.doc_status,
        "subject": {"reference": f"Patient/{patient_id}"},
        "date": note.time.isoformat(),
        "author": [_author(note)],
        "content": [
            {
                "attachment": {
                    "contentType": "text/plain; charset=utf-8",
                    "data": pybase64.b64encode(note.text.encode()).decode(),
                }
            }
        ],
    }
    if note.note_type:
        resource["type"] = {"text": note.note_type}
    if note.encounter:
        encounter = {"reference": f"Encounter/{fhir_id(note.encounter)}"}
        resource["context"] = {"encounter": [encounter]}
    if note.ai:
        resource["meta"] = {"security": [_AI]}
    if note.relations:
        resource["relatesTo"] = [
            {
                "code": each.code,
                "target": {"reference": f"DocumentReference/{fhir_id(each.target)}"},
            }
            for each in note.relations
        ]
    return orjson.dumps(resource)


def _author(note: ChartNote) -> dict[str, str]:
    kind = "Device" if note.ai else "Practitioner"
    author = {"reference": f"{kind}/author"}
    return author | ({"display": note.author} if note.author else {})

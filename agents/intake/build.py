"""DocumentReferences of our own, for the demo and the tests: R4, built and validated by a library.

fhir.resources has no plain R4; a DocumentReference valid in R4B is valid in R4. It is for what we
emit only: on the way in it would refuse most of what engines send.
"""

from __future__ import annotations

from datetime import datetime

import pybase64
from fhir.resources.R4B.documentreference import DocumentReference

from agents.intake.fields import LOINC


def document_reference(  # noqa: PLR0913 - the fields that a note of ours has
    document_id: str,
    patient_id: str,
    text: str,
    *,
    date: datetime,
    type_code: str = "11506-3",
    type_display: str = "Progress note",
    encounter_id: str | None = None,
    author: str | None = None,
    version_id: str | None = None,
    status: str = "current",
    doc_status: str | None = "final",
) -> bytes:
    """R4 DocumentReference JSON with the text inline as `text/plain; charset=utf-8`.

    `type_code` and `type_display` are LOINC's, `author` a reference (`Practitioner/7`), `date` has
    a zone. Raises pydantic's `ValidationError` when that makes no valid resource.
    """
    given = {
        "id": document_id,
        "status": status,
        "docStatus": doc_status,
        "type": {"coding": [{"system": LOINC, "code": type_code, "display": type_display}]},
        "subject": {"reference": f"Patient/{patient_id}"},
        "date": date.isoformat(),
        "author": [{"reference": author}] if author else None,
        "meta": {"versionId": version_id} if version_id else None,
        "context": {"encounter": [{"reference": f"Encounter/{encounter_id}"}]}
        if encounter_id
        else None,
        "content": [
            {
                "attachment": {
                    "contentType": "text/plain; charset=utf-8",
                    "data": pybase64.b64encode(text.encode()).decode(),
                    "creation": date.isoformat(),
                }
            }
        ],
    }
    resource = DocumentReference.model_validate({k: v for k, v in given.items() if v is not None})
    return resource.model_dump_json().encode()

"""The sample chart as the messages that an integration engine and an application would publish."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

from fhir.resources.R4B.documentreference import DocumentReference

from schemas.events import UtcDatetime
from schemas.texts import Generator, TextGenerated, VerificationSettings
from streams.local.sample import SampleChart, SampleNote


def document_reference(chart: SampleChart, note: SampleNote) -> dict[str, Any]:
    """`note` as a FHIR R4 DocumentReference with inline text, held against FHIR by a library.

    fhir.resources has no plain R4; what is valid in R4B here is valid in R4.
    """
    made = {
        "resourceType": "DocumentReference",
        "id": note.note_id,
        "meta": {"versionId": "1", "lastUpdated": note.time.isoformat()},
        "status": "current",
        "docStatus": "final",
        "type": {
            "coding": [{"system": "http://loinc.org", "code": note.code, "display": note.display}]
        },
        "subject": {"reference": f"Patient/{chart.patient_id}", "display": chart.patient_name},
        "date": note.time.isoformat(),
        "author": [{"type": "Practitioner", "display": note.author}],
        "content": [
            {
                "attachment": {
                    "contentType": "text/plain; charset=utf-8",
                    "data": b64encode(note.text.encode()).decode(),
                    "title": note.text.partition("\n")[0],
                }
            }
        ],
        "context": {"encounter": [{"reference": f"Encounter/{chart.encounter_id}"}]},
    }
    DocumentReference.model_validate(made)
    return made


def generated_summary(
    chart: SampleChart,
    text_id: str,
    occurred_at: UtcDatetime,
    settings: VerificationSettings | None = None,
) -> TextGenerated:
    """The summary as an application publishes it: generated from the chart as it was that day."""
    return TextGenerated(
        occurred_at=occurred_at,
        text_id=text_id,
        patient_id=chart.patient_id,
        text=chart.summary,
        as_of=chart.summary_generated_at,
        encounter_id=chart.encounter_id,
        generator=Generator(application="chartproof demo"),
        settings=settings or VerificationSettings(),
    )

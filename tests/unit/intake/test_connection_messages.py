"""What intake makes of each connected system's message, without a FHIR server."""

from __future__ import annotations

import orjson
import pytest

from agents.intake.reasons import Reason
from agents.intake.receive import Intake
from schemas.notes import NoteChanged
from schemas.outcomes import OutcomeRecorded
from tests.connection_messages import (
    WARD_NOTE,
    azure_change,
    azure_deletion,
    bulk_lines,
    hapi_id_only,
    hapi_message,
    mirth,
)


async def test_mirths_document_is_named_by_its_identifier(clock, record, emitted):
    assert "\r\n" in mirth()["content"][0]["attachment"]["data"]
    await Intake(clock).documents(record(orjson.dumps(mirth())), emitted)
    (event,) = emitted
    assert isinstance(event, NoteChanged)
    assert event.document_id == "urn:oid:2.999.7.1|TXA-12-88123"
    assert (event.patient_id, event.note.text) == ("mirth-patient", WARD_NOTE)
    assert event.note.note_time.isoformat() == "2026-03-02T14:30:00+00:00"


async def test_hapis_message_is_read_out_of_its_envelope(clock, record, emitted):
    await Intake(clock).documents(record(orjson.dumps(hapi_message())), emitted)
    (event,) = emitted
    assert isinstance(event, NoteChanged)
    assert (event.document_id, event.version.version_id) == ("doc-7", "2")
    assert event.note.text == WARD_NOTE


@pytest.mark.parametrize("message", [azure_change(), hapi_id_only()], ids=["Azure", "HAPI"])
async def test_a_notice_without_a_server_is_a_skip_that_says_what_to_set(
    clock, record, emitted, message
):
    await Intake(clock).documents(record(orjson.dumps(message)), emitted)
    (event,) = emitted
    assert isinstance(event, OutcomeRecorded)
    assert (event.reason, event.document_id) == (Reason.NO_RESOURCE, "doc-1")
    assert "CHARTPROOF_FHIR_BASES" in event.detail


def test_azures_deletion_asks_for_the_version_before_it(read_one):
    assert read_one(azure_deletion()).missing_reference == "DocumentReference/doc-1/_history/2"


def test_an_export_is_a_note_or_a_merge_a_line(read):
    found = {name: read(lines) for name, lines in bulk_lines().items()}
    assert found["Patient.000.ndjson"][0].links.into == "bulk-patient"
    ends = {name: [reading.reason for reading in each] for name, each in found.items()}
    assert ends == {
        "DocumentReference.000.ndjson": [None, Reason.URL_ONLY],
        "DiagnosticReport.000.ndjson": [None],
        "Patient.000.ndjson": [None],
    }

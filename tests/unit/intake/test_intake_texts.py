"""Generated texts as applications publish them."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import orjson
import pytest

from agents.errors import InvalidEvent
from agents.intake.reasons import Reason, RecordRejected
from agents.intake.receive import Intake
from agents.intake.texts import MAX_TEXT_CHARACTERS, read_text


@pytest.fixture
def said() -> dict:
    return {
        "type": "chartproof.text-generated.v1",
        "occurred_at": "2024-05-03T10:00:00Z",
        "text_id": "t-1",
        "patient_id": "p-1",
        "text": "Discharged on aspirin 81 mg.",
    }


def refusal(value: object, **options: object) -> RecordRejected:
    raw = value if isinstance(value, bytes | None) else orjson.dumps(value)
    with pytest.raises(RecordRejected) as caught:
        read_text(raw, **options)
    return caught.value


async def test_a_text_goes_on_with_its_source(said, clock, record, emitted):
    await Intake(clock).texts(record(orjson.dumps(said)), emitted)
    (event,) = emitted
    assert (event.text, event.patient_id) == (said["text"], "p-1")
    assert event.source == record(None).position


async def test_a_text_that_cannot_be_read_is_an_invalid_event(clock, record, emitted):
    with pytest.raises(InvalidEvent) as caught:
        await Intake(clock).texts(record(b"{"), emitted)
    assert caught.value.reason == "not_json"
    assert not emitted


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (None, Reason.EMPTY),
        (b"  ", Reason.EMPTY),
        (b"Discharged on aspirin", Reason.NOT_JSON),
        (b" " * 20_000_000, Reason.TOO_LARGE),
        (b"[]", Reason.INVALID_TEXT_EVENT),
        (b"{}", Reason.INVALID_TEXT_EVENT),
        (b'"text"', Reason.INVALID_TEXT_EVENT),
    ],
)
def test_what_is_no_text_event_says_so(value, reason):
    assert refusal(value).reason is reason


@pytest.mark.parametrize("kind", ["chartproof.text-generated.v9", "chartproof.text-generated.v2"])
def test_an_unknown_schema_version_is_named(said, kind):
    assert refusal(said | {"type": kind}).reason is Reason.UNKNOWN_SCHEMA_VERSION
    del said["type"]
    assert refusal(said, ce_type=kind).reason is Reason.UNKNOWN_SCHEMA_VERSION


def test_the_type_may_be_absent_or_stand_in_the_headers(said):
    del said["type"]
    assert read_text(orjson.dumps(said)).text_id == "t-1"
    assert read_text(orjson.dumps(said), ce_type="chartproof.text-generated.v1").text_id == "t-1"
    assert read_text(orjson.dumps(said), ce_type="app.summary.created").text_id == "t-1"


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"text": None}, "text"),
        ({"text": 7}, "text"),
        ({"text_id": ""}, "text_id"),
        ({"patient_id": "  "}, "patient_id"),
        ({"patient_id": "Patient/"}, "patient_id"),
        ({"occurred_at": "yesterday"}, "occurred_at"),
        ({"occurred_at": None}, "occurred_at"),
        ({"as_of": "0001-01-01"}, "as_of"),
        ({"settings": {"unit": "paragraph"}}, "settings.unit"),
        ({"settings": {"top": 3}}, "settings.top"),
        ({"type": "other.event.v1"}, "type"),
    ],
)
def test_wrong_fields_are_named_without_their_values(said, change, field):
    rejected = refusal(said | change)
    assert rejected.reason is Reason.INVALID_TEXT_EVENT
    assert field in rejected.detail
    for value in ("aspirin", "p-1", "yesterday", "paragraph"):
        assert value not in rejected.detail


@pytest.mark.parametrize("text", ["", " \n", "\t"])
def test_an_empty_text_is_refused(said, text):
    assert refusal(said | {"text": text}).reason is Reason.INVALID_TEXT_EVENT


def test_long_texts_are_taken_up_to_the_limit(said):
    assert len(read_text(orjson.dumps(said | {"text": "a" * 50_000})).text) == 50_000
    longest = "é" * MAX_TEXT_CHARACTERS
    assert read_text(orjson.dumps(said | {"text": longest})).text == longest
    assert refusal(said | {"text": longest + "a"}).reason is Reason.TEXT_TOO_LARGE


def test_text_is_kept_to_the_character(said):
    text = "\ufeff Na\t138\r\n\x00 K\x0b4.1 \U0001f600 "
    assert read_text(orjson.dumps(said | {"text": text})).text == text


def test_half_an_emoji_keeps_the_offsets(said):
    raw = orjson.dumps(said | {"text": "cut HERE."}).replace(b"HERE", rb"\ud83d")
    assert read_text(raw).text == "cut �."


@pytest.mark.parametrize(
    "patient", ["Patient/p-1", "https://h/fhir/Patient/p-1/_history/2", " p-1 "]
)
def test_patient_references_become_ids(said, patient):
    raw = orjson.dumps(said | {"patient_id": patient})
    assert read_text(raw, home_bases=["https://h/fhir"]).patient_id == "p-1"


def test_a_text_names_patient_document_and_encounter_of_another_server_with_its_base(said):
    said |= {
        "patient_id": "https://b/fhir/Patient/1",
        "document_id": "https://b/fhir/DocumentReference/7",
        "encounter_id": "https://b/fhir/Encounter/3",
    }
    for homes, base in (((), "https://b/fhir|"), (("https://b/fhir",), "")):
        event = read_text(orjson.dumps(said), home_bases=homes)
        names = (event.patient_id, event.document_id, event.encounter_id)
        assert names == (f"{base}1", f"{base}7", f"{base}3")


def test_times_without_a_zone_get_the_site_zone_and_a_day_is_included(said):
    said |= {"occurred_at": "2024-05-03T10:00:00", "as_of": "2024-05-02"}
    event = read_text(orjson.dumps(said), zone=ZoneInfo("Europe/Berlin"))
    assert event.occurred_at == datetime(2024, 5, 3, 8, tzinfo=UTC)
    assert event.as_of == datetime(2024, 5, 2, 21, 59, 59, 999999, tzinfo=UTC)


def test_a_cloudevents_envelope_is_opened_and_its_source_is_not_ours(said):
    kind = said.pop("type")
    envelope = {"specversion": "1.0", "id": "1", "source": "urn:app", "type": kind, "data": said}
    assert read_text(orjson.dumps(envelope)).text_id == "t-1"
    newer = envelope | {"type": "chartproof.text-generated.v9"}
    assert refusal(newer).reason is Reason.UNKNOWN_SCHEMA_VERSION
    assert read_text(orjson.dumps(said | {"source": "my-app"})).source is None


@pytest.mark.parametrize("name", ["extra", "asof", "patientId"])
def test_a_field_that_nobody_knows_is_refused(said, name):
    """A typo in `as_of` would make later facts evidence."""
    assert refusal(said | {name: "2026-01-05"}).reason is Reason.INVALID_TEXT_EVENT

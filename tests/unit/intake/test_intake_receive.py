"""One record in, one outcome a resource out, and nothing lost when a resource is damaged."""

from __future__ import annotations

import orjson
import pytest

from agents.errors import InvalidEvent
from agents.intake.reasons import Reason, markdown
from agents.intake.receive import Intake
from schemas.notes import NoteChanged, NoteRetracted
from schemas.outcomes import Outcome, OutcomeRecorded


async def test_an_accepted_document_is_a_note_changed(document, clock, record, emitted):
    await Intake(clock).documents(record(orjson.dumps(document)), emitted)
    (event,) = emitted
    assert isinstance(event, NoteChanged)
    assert (event.key, event.document_id, event.item, event.items) == ("p-1", "doc-1", 0, 1)
    assert event.source == record(None).position
    assert event.note.text == "Pt c/o SOB. BP 120/80."


async def test_a_retracted_document_is_a_note_retracted(document, clock, record, emitted):
    document["status"] = "entered-in-error"
    await Intake(clock).documents(record(orjson.dumps(document)), emitted)
    (event,) = emitted
    assert isinstance(event, NoteRetracted)
    assert (event.document_id, event.reason) == ("doc-1", "entered_in_error")


async def test_a_skip_is_a_recorded_outcome(document, clock, record, emitted):
    document["docStatus"] = "preliminary"
    await Intake(clock).documents(record(orjson.dumps(document)), emitted)
    (event,) = emitted
    assert isinstance(event, OutcomeRecorded)
    assert (event.outcome, event.reason) == (Outcome.SKIPPED, "draft")
    assert (event.patient_id, event.document_id) == ("p-1", "doc-1")


async def test_an_empty_bundle_has_one_outcome(clock, record, emitted):
    await Intake(clock).documents(record(b'{"resourceType": "Bundle"}'), emitted)
    assert [(e.outcome, e.reason) for e in emitted] == [(Outcome.SKIPPED, "no_documents")]


async def test_a_damaged_record_raises_its_reason(clock, record, emitted):
    with pytest.raises(InvalidEvent) as caught:
        await Intake(clock).documents(record(b" "), emitted)
    assert (caught.value.reason, caught.value.item, caught.value.items) == ("empty", 0, 1)
    assert not emitted


async def test_neighbours_of_damage_go_on_first_and_every_item_has_one_outcome(
    document, clock, record, emitted
):
    damaged = document | {"content": [{"attachment": {"data": "%%%"}}]}
    lost = document | {"subject": {"reference": "urn:uuid:secret"}}
    lines = [damaged, document, {"resourceType": "Patient", "id": "p-1"}, lost]
    value = b"\n".join(map(orjson.dumps, lines))
    with pytest.raises(InvalidEvent) as caught:
        await Intake(clock).documents(record(value), emitted)
    assert (caught.value.reason, caught.value.item, caught.value.items) == ("bad_base64", 0, 4)
    assert "line 1" in str(caught.value)
    assert "secret" not in str(caught.value)
    assert [(e.item, e.items, type(e).__name__) for e in emitted] == [
        (1, 4, "NoteChanged"),
        (2, 4, "PatientMerged"),
        (3, 4, "OutcomeRecorded"),
    ]
    assert emitted[-1].outcome is Outcome.DEAD_LETTERED


async def test_a_repeat_of_a_record_repeats_the_ids(document, clock, record, emitted):
    for _ in range(5):
        await Intake(clock).documents(record(orjson.dumps(document)), emitted)
    assert len(emitted) == 5
    assert len({event.event_id for event in emitted}) == 1


def test_the_readme_table_explains_every_reason():
    table = markdown()
    for reason in Reason:
        assert f"| `{reason.value}` |" in table
        assert reason.entry.meaning.endswith(".")
        assert reason.entry.advice.endswith(".")

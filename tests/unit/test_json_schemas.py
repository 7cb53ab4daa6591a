"""What producers are told to send is what chartproof reads, and the worked examples show it."""

from __future__ import annotations

from datetime import UTC, datetime

import orjson
import pytest
from jsonschema import Draft202012Validator, ValidationError

from agents.intake.read import read_documents
from agents.intake.reasons import Disposition
from schemas.json_schemas import (
    JsonSchema,
    document_reference_example,
    document_reference_schema,
    text_generated_example,
    text_generated_schema,
)
from schemas.texts import TextGenerated

EACH = [
    (text_generated_schema(), text_generated_example()),
    (document_reference_schema(), document_reference_example()),
]


@pytest.mark.parametrize(("schema", "example"), EACH)
def test_the_worked_example_passes_its_schema(schema: JsonSchema, example: JsonSchema) -> None:
    Draft202012Validator.check_schema(schema)
    Draft202012Validator(schema).validate(example)


@pytest.mark.parametrize(("schema", "example"), EACH)
def test_what_the_schema_requires_is_missed(schema: JsonSchema, example: JsonSchema) -> None:
    for name in schema["required"]:
        without = {field: value for field, value in example.items() if field != name}
        with pytest.raises(ValidationError):
            Draft202012Validator(schema).validate(without)


def test_the_event_accepts_the_example_text() -> None:
    text = TextGenerated.model_validate_json(orjson.dumps(text_generated_example()))
    assert (text.key, text.subject) == ("example-patient", "summary-0001")


def test_intake_accepts_the_example_document() -> None:
    value = orjson.dumps(document_reference_example())
    (reading,) = read_documents(value, received_at=datetime(2026, 11, 29, tzinfo=UTC))
    assert reading.outcome is Disposition.ACCEPTED
    assert (reading.patient_id, reading.document_id) == ("example-patient", "note-0001")
    assert reading.note
    assert "cefazolin" in reading.note.text


def test_producers_are_not_asked_for_what_intake_sets() -> None:
    assert "source" not in text_generated_schema()["properties"]


def test_a_document_needs_an_identity() -> None:
    nameless = document_reference_example()
    del nameless["id"]
    validator = Draft202012Validator(document_reference_schema())
    assert not validator.is_valid(nameless)
    assert validator.is_valid(nameless | {"identifier": [{"value": "urn:uuid:1"}]})

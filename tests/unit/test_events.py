"""Ids say what the event says, and keys name one patient."""

from datetime import UTC, datetime

import pytest
from pydantic import ValidationError

from schemas.events import Position, deterministic_id
from schemas.failures import DeadLetter
from schemas.propositions import Proposition
from schemas.texts import TextGenerated, VerificationSettings
from schemas.verdicts import (
    JudgedProposition,
    Provenance,
    ScoreSheetIssued,
    Verdict,
    VerdictIssued,
)

NOW = datetime(2031, 1, 1, tzinfo=UTC)


def text(patient: str, **fields) -> TextGenerated:
    return TextGenerated(occurred_at=NOW, text_id="t", patient_id=patient, text="x", **fields)


@pytest.mark.parametrize("said", ["p1", "Patient/p1", " p1 ", "Patient/p1/_history/3"])
def test_every_way_to_name_a_patient_gives_one_key(said: str) -> None:
    assert text(said).key == "p1"


@pytest.mark.parametrize(
    "said",
    [
        "https://b.example/fhir|p1",
        "https://b.example/fhir/Patient/p1",
        "HTTPS://B.example:443/fhir/Patient/p1/_history/3",
    ],
)
def test_a_patient_of_another_server_keeps_its_base(said: str) -> None:
    assert text(said).key == "https://b.example/fhir|p1"


@pytest.mark.parametrize(
    ("name", "said", "named"),
    [
        ("document_id", "DocumentReference/7", "7"),
        ("document_id", "DocumentReference/7/_history/2", "7"),
        ("document_id", "DiagnosticReport/7", "DiagnosticReport/7"),
        ("document_id", "https://b/fhir/DocumentReference/7", "https://b/fhir|7"),
        (
            "document_id",
            "https://b/fhir/DiagnosticReport/7/_history/1",
            "https://b/fhir|DiagnosticReport/7",
        ),
        ("document_id", "urn:x|7", "urn:x|7"),
        ("encounter_id", "Encounter/3", "3"),
        ("encounter_id", "https://b/fhir/Encounter/3", "https://b/fhir|3"),
    ],
)
def test_references_to_documents_and_encounters_become_their_ids(
    name: str, said: str, named: str
) -> None:
    once = text("p1", **{name: said})
    assert getattr(once, name) == named
    assert getattr(TextGenerated.model_validate_json(once.to_json()), name) == named


@pytest.mark.parametrize("said", ["", "  ", "Patient/", "Patient/ "])
def test_a_reference_that_names_nobody_is_refused(said: str) -> None:
    with pytest.raises(ValidationError):
        text(said)


def test_ids_tell_apart_what_joins_to_the_same_words() -> None:
    assert deterministic_id("k", "a", "bc") != deterministic_id("k", "ab", "c")
    assert deterministic_id("k", None) != deterministic_id("k", "None")


def test_where_an_event_was_read_does_not_change_its_id_and_what_it_says_does() -> None:
    there = text("p1", source=Position(topic="t", partition=0, offset=1))
    assert there.event_id == text("p1").event_id
    assert text("p2").event_id != text("p1").event_id


def judged(verdict: Verdict = Verdict.SUPPORTED, reason: str = "r") -> JudgedProposition:
    return JudgedProposition(
        proposition=Proposition(
            proposition_id="p", ordinal=0, unit="claim", text="t", start=0, end=1
        ),
        verdict=verdict,
        confidence=0.9,
        reason=reason,
    )


def issued(row: JudgedProposition, offset: int) -> tuple[VerdictIssued, ScoreSheetIssued]:
    """A verdict and a sheet of it, judged at `offset` of the chart."""
    provenance = Provenance(
        chart_position=Position(topic="chart", partition=0, offset=offset),
        settings=VerificationSettings(),
        models={},
    )
    said = {"occurred_at": NOW, "text_id": "t", "patient_id": "p", "provenance": provenance}
    sheet = {"counts": {}, "shares": {}, "summaries": {}, "judged": (row,), "facts_in_chart": 1}
    return VerdictIssued(judged=row, **said), ScoreSheetIssued(**sheet, **said)


def test_a_text_that_is_delivered_again_says_the_same_with_the_same_ids() -> None:
    first, again = issued(judged(), offset=1), issued(judged(), offset=9)
    assert [each.event_id for each in first] == [each.event_id for each in again]


@pytest.mark.parametrize("other", [judged(Verdict.FAILED), judged(reason="another")])
def test_another_verdict_has_another_id(other: JudgedProposition) -> None:
    first, second = issued(judged(), offset=1), issued(other, offset=1)
    assert {e.event_id for e in first}.isdisjoint({e.event_id for e in second})


def test_scope_encounter_without_an_encounter_is_refused() -> None:
    with pytest.raises(ValidationError, match="encounter_id"):
        text("p1", settings={"scope": "encounter"})
    assert text("p1", encounter_id="e", settings={"scope": "encounter"}).encounter_id == "e"


def test_a_dead_letter_is_read_back_from_its_headers_and_nothing_else_is() -> None:
    letter = DeadLetter(
        source=Position(topic="t", partition=2, offset=9),
        stage="intake",
        reason="not_json",
        detail="Publish FHIR JSON.",
        occurred_at=NOW,
        attempts=3,
    )
    assert DeadLetter.from_headers(letter.headers()) == letter
    with pytest.raises(ValueError, match="not a dead letter"):
        DeadLetter.from_headers(text("p1").headers())

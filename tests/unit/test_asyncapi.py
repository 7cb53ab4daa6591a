"""The AsyncAPI document says of every topic and event what the app does with it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import orjson
import pytest
from jsonschema import Draft7Validator

from schemas.alerts import AlertingProposition, AlertRaised, Severity, TextAlertRaised
from schemas.asyncapi import asyncapi_document
from schemas.events import Event, Position
from schemas.evidence import Evidence
from schemas.failures import DeadLetter
from schemas.notes import (
    DocumentDeleted,
    DocumentVersion,
    FactsChanged,
    Note,
    NoteChanged,
    NoteRetracted,
)
from schemas.outcomes import Outcome, OutcomeRecorded
from schemas.patients import ChartTransfer, PatientMerged, ReceivedDocument
from schemas.propositions import Proposition
from schemas.texts import Generator, TextGenerated, VerificationSettings
from schemas.topics import DEAD_LETTERS, DEFAULT_PREFIX, TOPICS, Topic
from schemas.verdicts import (
    Category,
    JudgedProposition,
    Provenance,
    ScoreSheetIssued,
    Verdict,
    VerdictIssued,
)

NOW = datetime(2026, 2, 14, 12, tzinfo=UTC)
AT = Position(topic="chartproof.chart", partition=3, offset=14)
VERSION = DocumentVersion(version_id="1", last_updated=NOW, content_hash="0f")
JUDGED = JudgedProposition(
    proposition=Proposition(
        proposition_id="p", ordinal=0, unit="claim", text="Cr 1.9", start=0, end=6
    ),
    verdict=Verdict.NOT_SUPPORTED,
    confidence=0.9,
    reason="The chart says 1.4.",
    checks=("numbers",),
    evidence=(
        Evidence(
            fact_id="f", document_id="d", note_time=NOW, quote="Cr 1.4", start=3, end=9, score=0.7
        ),
    ),
)
PROVENANCE = Provenance(
    chart_position=AT, as_of=NOW, settings=VerificationSettings(), models={"judge": "cpu-1"}
)
COUNTS = {verdict: int(verdict is Verdict.NOT_SUPPORTED) for verdict in Verdict}


def events() -> list[Event]:
    """One of each, with the optional fields set."""
    common: dict[str, Any] = {"occurred_at": NOW, "patient_id": "p1"}
    return [
        NoteChanged(
            **common,
            document_id="d",
            version=VERSION,
            note=Note(text="Cr 1.4", note_time=NOW, encounter_id="e"),
            source=AT,
        ),
        NoteRetracted(
            **common, document_id="d", version=VERSION, reason="entered_in_error", source=AT
        ),
        DocumentDeleted(
            occurred_at=NOW, document_id="d", version=VERSION, reason="deleted", source=AT
        ),
        PatientMerged(**common, into="q", replaces=("r",), version=VERSION, source=AT),
        ChartTransfer(
            **common,
            step="acknowledged",
            donor="p",
            receiver="q",
            is_return=False,
            stated_at=NOW,
            received=(ReceivedDocument(document_id="d", row="r"),),
        ),
        TextGenerated(
            **common,
            text_id="t",
            text="Cr 1.9",
            as_of=NOW,
            generator=Generator(application="a"),
            source=AT,
        ),
        VerdictIssued(**common, text_id="t", judged=JUDGED, provenance=PROVENANCE),
        ScoreSheetIssued(
            **common,
            text_id="t",
            counts=COUNTS,
            shares={verdict: float(count) for verdict, count in COUNTS.items()},
            summaries={Verdict.NOT_SUPPORTED: "1 of 1"},
            judged=(JUDGED,),
            facts_in_chart=1,
            provenance=PROVENANCE,
        ),
        AlertRaised(
            **common,
            text_id="t",
            verdict_id="v",
            verdict=Verdict.NOT_SUPPORTED,
            severity=Severity.HIGH,
            judged=JUDGED,
        ),
        TextAlertRaised(
            **common,
            text_id="t",
            scoresheet_id="s",
            group_id="g",
            severity=Severity.HIGH,
            alerting=(
                AlertingProposition(
                    severity=Severity.HIGH, category=Category.ALLERGY, judged=JUDGED
                ),
            ),
        ),
        FactsChanged(**common, document_id="d", version=VERSION, added=("f",), chart_position=AT),
        OutcomeRecorded(occurred_at=NOW, source=AT, outcome=Outcome.SKIPPED, reason="no_text"),
    ]


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    return asyncapi_document(DEFAULT_PREFIX, "1.2.3")


def validate(document: dict[str, Any], schema: dict[str, Any], value: object) -> None:
    whole = {"allOf": [schema], "components": document["components"]}
    Draft7Validator.check_schema(whole)
    Draft7Validator(whole).validate(value)


def message(document: dict[str, Any], topic: Topic, event: Event) -> dict[str, Any]:
    found: dict[str, Any] = document["channels"][topic.name]["messages"][type(event).__name__]
    return found


def test_every_topic_is_a_channel_with_its_kafka_settings(document: dict[str, Any]) -> None:
    assert set(document["channels"]) == {topic.name for topic in TOPICS}
    for topic in TOPICS:
        kafka = document["channels"][topic.name]["bindings"]["kafka"]
        assert kafka["partitions"] == topic.partitions
        said = {name: str(value) for name, value in kafka["topicConfiguration"].items()}
        # AsyncAPI's Kafka binding has no word for who stamps the records.
        config = {k: v for k, v in topic.config().items() if k != "message.timestamp.type"}
        assert said == {**config, "cleanup.policy": "['delete']"}


def test_the_prefix_stands_before_every_topic_name() -> None:
    channels = asyncapi_document("ward7.", "1.2.3")["channels"]
    for name, channel in channels.items():
        assert channel["address"] == channel["bindings"]["kafka"]["topic"] == f"ward7.{name}"


def test_the_version_is_the_documents_own(document: dict[str, Any]) -> None:
    assert document["info"]["version"] == "1.2.3"


def test_every_topic_is_received_or_sent(document: dict[str, Any]) -> None:
    done = {
        (operation["channel"]["$ref"].removeprefix("#/channels/"), operation["action"])
        for operation in document["operations"].values()
    }
    for topic in TOPICS:
        assert ((topic.name, "receive") in done) == (topic.direction != "out")
        assert ((topic.name, "send") in done) == (topic.direction != "in")


def test_every_event_of_the_table_is_tried_below() -> None:
    assert {event for topic in TOPICS for event in topic.contents} == {
        type(event) for event in events()
    }


@pytest.mark.parametrize("event", events(), ids=lambda event: type(event).__name__)
def test_a_real_event_passes_its_message(document: dict[str, Any], event: Event) -> None:
    topics = [topic for topic in TOPICS if type(event) in topic.contents]
    assert topics
    headers = {name: value.decode() for name, value in event.headers(b"00-0-0-01").items()}
    for topic in topics:
        said = message(document, topic, event)
        validate(document, said["payload"], orjson.loads(event.to_json()))
        validate(document, said["headers"], headers)
        assert set(headers) == set(said["headers"]["properties"])


def test_dead_letter_headers_are_described(document: dict[str, Any]) -> None:
    letter = DeadLetter(source=AT, stage="intake", reason="not_json", detail="…", occurred_at=NOW)
    headers = {name: value.decode() for name, value in letter.headers().items()}
    said = document["channels"][DEAD_LETTERS.name]["messages"]["DeadLetter"]["headers"]
    validate(document, said, headers)
    assert set(headers) == set(said["properties"])


def test_the_examples_in_the_document_pass_their_payloads(document: dict[str, Any]) -> None:
    tried = 0
    for channel in document["channels"].values():
        for said in channel["messages"].values():
            for example in said.get("examples", ()):
                validate(document, said["payload"], example["payload"])
                tried += 1
    assert tried == 3

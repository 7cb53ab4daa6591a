"""The one table of topics. READ FIRST.

Names, keys, partitions, retention and contents stand here and nowhere else: the app, the CLI, the
AsyncAPI document and the Kubernetes manifests are generated from this table or tested against it.
Names carry a configurable prefix (default `chartproof.`); the table holds them bare.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from schemas.alerts import AlertRaised, TextAlertRaised
from schemas.events import Event
from schemas.notes import DocumentDeleted, FactsChanged, NoteChanged, NoteRetracted
from schemas.outcomes import OutcomeRecorded
from schemas.patients import ChartTransfer, PatientMerged
from schemas.texts import TextGenerated
from schemas.verdicts import ScoreSheetIssued, VerdictIssued

DEFAULT_PREFIX = "chartproof."
DAY_MS = 24 * 60 * 60 * 1000
MIB = 1024 * 1024

MAX_INBOUND_BYTES = 16 * MIB
"""Largest inbound record that is processed; a larger one becomes a dead letter that says so."""
MAX_RECORD_BYTES = 32 * MIB
"""What topics accept: room above `MAX_INBOUND_BYTES`, so that the dead letter can be written."""

Direction = Literal["in", "internal", "out"]


@dataclass(frozen=True)
class Topic:
    """A topic: `contents` are the events on it; empty means bytes of the producer's own making."""

    name: str
    direction: Direction
    key: str
    partitions: int
    retention_ms: int
    contents: tuple[type[Event], ...]
    description: str
    max_message_bytes: int = MAX_RECORD_BYTES
    broker_time: bool = False
    """Whether the broker stamps the records: clocks of producers may differ."""

    def config(self) -> dict[str, str]:
        """Kafka topic configuration."""
        stamped = {"message.timestamp.type": "LogAppendTime"} if self.broker_time else {}
        return {
            **stamped,
            "cleanup.policy": "delete",
            "retention.ms": str(self.retention_ms),
            "max.message.bytes": str(self.max_message_bytes),
        }


INBOUND_DOCUMENTS = Topic(
    "inbound.documents",
    "in",
    "any; the patient reference keeps a patient's notes in order",
    8,
    30 * DAY_MS,
    (),
    "FHIR JSON as engines publish it: DocumentReference, Bundle, NDJSON",
)
INBOUND_BACKFILL = Topic(
    "inbound.backfill",
    "in",
    "any; the patient reference keeps a patient's notes in order",
    8,
    90 * DAY_MS,
    (),
    "As inbound.documents, for bulk loads: read with lower priority than live traffic",
)
INBOUND_TEXTS = Topic(
    "inbound.texts",
    "in",
    "patient id",
    8,
    30 * DAY_MS,
    (TextGenerated,),
    "Generated text to verify",
)
CHART = Topic(
    "chart",
    "internal",
    "patient id",
    8,
    30 * DAY_MS,
    (NoteChanged, NoteRetracted, DocumentDeleted, PatientMerged, ChartTransfer, TextGenerated),
    "All that happens to one patient, in one order",
    broker_time=True,
)
VERDICTS = Topic(
    "verdicts",
    "out",
    "patient id",
    8,
    30 * DAY_MS,
    (VerdictIssued,),
    "One verdict a proposition, as soon as it is known",
)
SCORESHEETS = Topic(
    "scoresheets",
    "out",
    "patient id",
    8,
    30 * DAY_MS,
    (ScoreSheetIssued,),
    "One score sheet a text, when all its propositions are judged",
)
ALERTS = Topic(
    "alerts",
    "out",
    "patient id",
    8,
    30 * DAY_MS,
    (AlertRaised, TextAlertRaised),
    "Unsupported propositions that somebody should look at: urgent ones at once, then one a text",
)
FACTS_CHANGED = Topic(
    "facts-changed",
    "out",
    "patient id",
    8,
    30 * DAY_MS,
    (FactsChanged,),
    "Which facts of a document came into the index and which went",
)
OUTCOMES = Topic(
    "outcomes",
    "out",
    "source topic and partition",
    8,
    7 * DAY_MS,
    (OutcomeRecorded,),
    "The end of every inbound resource, with a reason",
)
DEAD_LETTERS = Topic(
    "dead-letters",
    "out",
    "as the original",
    1,
    90 * DAY_MS,
    (),
    "Original bytes of what could not be processed; the cause is in the headers",
)

TOPICS: tuple[Topic, ...] = (
    INBOUND_DOCUMENTS, INBOUND_BACKFILL, INBOUND_TEXTS, CHART, VERDICTS, SCORESHEETS, ALERTS,
    FACTS_CHANGED, OUTCOMES, DEAD_LETTERS,
)  # fmt: skip

_EMITTED_TO: dict[type[Event], Topic] = {
    event: topic for topic in TOPICS if topic.direction != "in" for event in topic.contents
}


def topic_for(event: Event) -> Topic:
    """Where chartproof emits `event`."""
    return _EMITTED_TO[type(event)]

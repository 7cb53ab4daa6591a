"""What every event has: a type with its version, a deterministic id, a time, a key.

Ids are UUIDv5 of what the event says, so a redelivery repeats the id and a consumer can drop it
(CloudEvents 1.0: a producer must not use one `source` + `id` for two distinct events).
"""

from __future__ import annotations

from typing import Annotated, ClassVar
from uuid import NAMESPACE_URL, uuid5

import orjson
from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field, StringConstraints

from schemas.identity import of_reference

NAMESPACE = uuid5(NAMESPACE_URL, "urn:chartproof")
SOURCE = "urn:chartproof"
CONTENT_TYPE = b"application/json"

Identifier = Annotated[str, StringConstraints(min_length=1, max_length=512, strip_whitespace=True)]


def _patient_id(value: str) -> str:
    """`Patient/123` names the patient `123`, `https://b/fhir/Patient/123` `https://b/fhir|123`."""
    return of_reference(value, "Patient")


PatientId = Annotated[Identifier, AfterValidator(_patient_id)]
UtcDatetime = AwareDatetime


def deterministic_id(kind: str, *parts: object) -> str:
    """UUIDv5 of `kind` and `parts`, through JSON: ("a", "bc") differs from ("ab", "c")."""
    return str(uuid5(NAMESPACE, orjson.dumps([kind, *parts], option=orjson.OPT_UTC_Z).decode()))


class Frozen(BaseModel):
    """Base of everything chartproof emits: immutable, no unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Position(Frozen):
    """A place in a Kafka log."""

    topic: str
    partition: int = Field(ge=0)
    offset: int = Field(ge=0)


class Event(Frozen):
    """Base of the events. Subclasses pin `type` with a `Literal` and say `key` and `event_id`."""

    EVENT_TYPE: ClassVar[str]
    type: str
    occurred_at: UtcDatetime = Field(description="When this was produced, RFC 3339")

    @property
    def key(self) -> str:
        """The Kafka key: the patient id, so all of one patient's events stand in one order."""
        raise NotImplementedError

    @property
    def event_id(self) -> str:
        raise NotImplementedError

    @property
    def subject(self) -> str:
        """The CloudEvents subject: the id of the thing the event is about. Never a patient id."""
        return self.event_id

    def to_json(self) -> bytes:
        return orjson.dumps(self.model_dump(mode="json"))

    def headers(self, traceparent: bytes | None = None) -> dict[str, bytes]:
        """CloudEvents 1.0 attributes, Kafka binary mode."""
        result = {
            "ce_specversion": b"1.0",
            "ce_id": self.event_id.encode(),
            "ce_type": self.type.encode(),
            "ce_source": SOURCE.encode(),
            "ce_time": self.occurred_at.isoformat().encode(),
            "ce_subject": self.subject.encode(),
            "content-type": CONTENT_TYPE,
        }
        if traceparent:
            result["traceparent"] = traceparent
        return result

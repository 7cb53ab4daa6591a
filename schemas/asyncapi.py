"""The AsyncAPI 3.0 document of chartproof, generated from the table of topics.

Channels are the topics, operations are what chartproof does with them, payload schemas come from
the events. Payloads use the JSON Schema subset that AsyncAPI's default schema format (draft 7)
reads. CI holds the document against AsyncAPI's own parser (`tests/asyncapi`).
"""

from __future__ import annotations

from typing import Any

from pydantic.json_schema import models_json_schema

from schemas.events import CONTENT_TYPE, SOURCE, Event
from schemas.json_schemas import (
    document_reference_example,
    document_reference_schema,
    text_generated_example,
)
from schemas.topics import (
    DEAD_LETTERS,
    INBOUND_BACKFILL,
    INBOUND_DOCUMENTS,
    TOPICS,
    Direction,
    Topic,
)

KAFKA_BINDING = "0.5.0"
ACTIONS: dict[Direction, tuple[str, ...]] = {
    "in": ("receive",),
    "internal": ("send", "receive"),
    "out": ("send",),
}
COMPONENT = "#/components/schemas/{model}"

Json = dict[str, Any]


def asyncapi_document(prefix: str, version: str) -> Json:
    """`prefix` precedes every topic name; `version` is chartproof's."""
    return {
        "asyncapi": "3.0.0",
        "id": SOURCE,
        "info": {
            "title": "chartproof",
            "version": version,
            "description": (
                "Notes go in as FHIR, generated text goes in as TextGenerated; verdicts, score"
                " sheets and alerts come out."
            ),
            "license": {"name": "Apache-2.0"},
        },
        "defaultContentType": CONTENT_TYPE.decode(),
        "channels": {topic.name: _channel(topic, prefix) for topic in TOPICS},
        "operations": {
            f"{action}.{topic.name}": {
                "action": action,
                "channel": {"$ref": f"#/channels/{topic.name}"},
                "summary": topic.description,
            }
            for topic in TOPICS
            for action in ACTIONS[topic.direction]
        },
        "components": {"schemas": _schemas()},
    }


def _channel(topic: Topic, prefix: str) -> Json:
    return {
        "address": prefix + topic.name,
        "description": topic.description,
        "messages": _messages(topic),
        "bindings": {
            "kafka": {
                "topic": prefix + topic.name,
                "partitions": topic.partitions,
                "topicConfiguration": {
                    "cleanup.policy": [topic.config()["cleanup.policy"]],
                    "retention.ms": topic.retention_ms,
                    "max.message.bytes": topic.max_message_bytes,
                },
                "bindingVersion": KAFKA_BINDING,
            }
        },
    }


def _messages(topic: Topic) -> Json:
    if topic in (INBOUND_DOCUMENTS, INBOUND_BACKFILL):
        messages = _fhir_messages()
    elif topic == DEAD_LETTERS:
        messages = {
            "DeadLetter": {
                "summary": "The original record's bytes, as they were read",
                "contentType": "application/octet-stream",
                "payload": {"type": "string", "format": "binary"},
                "headers": _dead_letter_headers(),
            }
        }
    else:
        messages = {event.__name__: _event_message(event, topic) for event in topic.contents}
    key = {"type": "string", "description": topic.key}
    for message in messages.values():
        message["bindings"] = {"kafka": {"key": key, "bindingVersion": KAFKA_BINDING}}
    return messages


def _event_message(event: type[Event], topic: Topic) -> Json:
    message: Json = {
        "payload": {"$ref": COMPONENT.format(model=event.__name__)},
        "headers": _event_headers(event, required=topic.direction != "in"),
    }
    if topic.direction == "in":
        message["examples"] = [{"payload": text_generated_example()}]
    return message


def _fhir_messages() -> Json:
    return {
        "DocumentReference": {
            "payload": {"$ref": COMPONENT.format(model="DocumentReference")},
            "examples": [{"payload": document_reference_example()}],
        },
        "Bundle": {"payload": {"$ref": COMPONENT.format(model="Bundle")}},
        "Ndjson": {
            "summary": "One resource a line",
            "contentType": "application/fhir+ndjson",
            "payload": {"type": "string"},
        },
    }


def _schemas() -> Json:
    events = {event for topic in TOPICS for event in topic.contents}
    _, generated = models_json_schema(
        [(event, "validation") for event in sorted(events, key=lambda event: event.__name__)],
        ref_template=COMPONENT,
    )
    document = document_reference_schema()
    del document["$schema"], document["$id"]  # it is embedded here
    return {
        **generated["$defs"],
        "DocumentReference": document,
        "Bundle": {
            "type": "object",
            "description": "FHIR Bundle of any type; entries that are not documents are ignored",
            "required": ["resourceType"],
            "properties": {
                "resourceType": {"const": "Bundle"},
                "entry": {
                    "type": "array",
                    "items": {"type": "object", "properties": {"resource": {"type": "object"}}},
                },
            },
        },
    }


def _event_headers(event: type[Event], *, required: bool) -> Json:
    names = ("ce_specversion", "ce_id", "ce_type", "ce_source", "ce_time", "ce_subject")
    properties: Json = {name: {"type": "string"} for name in (*names, "content-type")}
    properties |= {
        "ce_specversion": {"const": "1.0"},
        "ce_type": {"const": event.EVENT_TYPE},
        "ce_time": {"type": "string", "format": "date-time"},
        "traceparent": {"type": "string", "description": "W3C Trace Context"},
    }
    headers: Json = {
        "type": "object",
        "description": "CloudEvents 1.0 attributes, Kafka binary mode",
        "properties": properties,
    }
    return {**headers, "required": [*names, "content-type"]} if required else headers


def _dead_letter_headers() -> Json:
    attributes = ("ce_specversion", "ce_id", "ce_type", "ce_source", "ce_time")
    causes = {
        "cp_topic": "Topic of the original record",
        "cp_partition": "Its partition",
        "cp_offset": "Its offset",
        "cp_stage": "Which agent gave up",
        "cp_reason": "A code of the table of reasons in docs/intake.md",
        "cp_detail": "What is wrong and what to do",
        "cp_attempts": "How often it was tried",
    }
    return {
        "type": "object",
        "required": [*attributes, *causes],
        "properties": {
            **{name: {"type": "string"} for name in attributes},
            **{name: {"type": "string", "description": given} for name, given in causes.items()},
        },
    }

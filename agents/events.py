"""Bytes of our own topics -> events, told apart by their `type`."""

from __future__ import annotations

from collections.abc import Mapping

import orjson
from pydantic import ValidationError

from agents.errors import InvalidEvent
from schemas.events import Event
from schemas.topics import Topic


def read_event(topic: Topic, value: bytes | None) -> Event:
    """The event in a record of `topic`.

    Raises `InvalidEvent` (reasons `not_json`, `unknown_schema_version`, `invalid_event`); messages
    name fields and kinds of fault, never values.
    """
    if not value:
        raise InvalidEvent("empty", "The record has no value.")
    try:
        given = orjson.loads(value)
    except orjson.JSONDecodeError:
        raise InvalidEvent("not_json", "The record is not JSON.") from None
    known: Mapping[str, type[Event]] = {event.EVENT_TYPE: event for event in topic.contents}
    event_type = given.get("type") if isinstance(given, dict) else None
    if not isinstance(event_type, str) or event_type not in known:
        raise InvalidEvent(
            "unknown_schema_version",
            f"`type` must be one of {', '.join(known)}; a newer producer needs a newer chartproof.",
        )
    try:
        return known[event_type].model_validate(given)
    except ValidationError as error:
        raise InvalidEvent("invalid_event", faults(error)) from None


def faults(error: ValidationError) -> str:
    """The fields at fault and the kind of fault, without their values (they may be PHI)."""
    result = [
        f"{'.'.join(str(part) for part in fault['loc']) or 'event'}: {fault['type']}"
        for fault in error.errors(include_url=False, include_context=False, include_input=False)
    ]
    return "; ".join(result)

"""Generated text as applications publish it: `TextGenerated` JSON, read with some tolerance.

What is wrong is said by field and kind, never by value: a validator's own message quotes its input.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, tzinfo
from typing import Any

from pydantic import ValidationError

from agents.events import faults
from agents.intake.charset import decode_text, wide_charset
from agents.intake.json import loads
from agents.intake.reasons import Reason, RecordRejected
from agents.intake.references import bounded
from agents.intake.shape import JsonObject, string
from agents.intake.times import parse_time
from schemas.identity import at_home
from schemas.texts import MAX_TEXT_CHARACTERS, TextGenerated
from schemas.topics import MAX_INBOUND_BYTES

_CLOUD_EVENTS = frozenset(["specversion", "id", "time", "subject", "datacontenttype", "dataschema"])
"""Attributes of CloudEvents, which may stand beside the event's own fields."""
_FAMILY = "chartproof.text-generated."


def read_text(
    value: bytes | None,
    *,
    ce_type: str | None = None,
    zone: tzinfo = UTC,
    home_bases: Collection[str] = (),
) -> TextGenerated:
    """The event in a record's value. Raises `RecordRejected`.

    `ce_type` is the CloudEvents type in the record's headers, for producers that say it only there.
    `zone` holds for times that name none. A text of white space is refused, and so is a field that
    is unknown: a typo in `as_of` would make later facts evidence. `as_of` as a date alone includes
    that day. `home_bases`: see `references.Scope`.
    """
    given = _payload(value, ce_type)
    text = given.get("text")
    if isinstance(text, str) and len(text) > MAX_TEXT_CHARACTERS:
        raise RecordRejected(Reason.TEXT_TOO_LARGE, f"The text has {len(text):,} characters.")
    given |= {
        "occurred_at": parse_time(given.get("occurred_at"), zone) or given.get("occurred_at"),
        "as_of": parse_time(given.get("as_of"), zone, end_of_day=True) or given.get("as_of"),
    }
    if isinstance(text, str) and not text.strip():
        raise RecordRejected(Reason.INVALID_TEXT_EVENT, "Wrong: text (empty).")
    if unknown := given.keys() - TextGenerated.model_fields.keys() - _CLOUD_EVENTS:
        count = f"{len(unknown)} field(s) that the schema does not have"
        raise RecordRejected(Reason.INVALID_TEXT_EVENT, f"Wrong: {count}.")
    try:
        event = TextGenerated.model_validate(given)
    except ValidationError as error:
        raise RecordRejected(Reason.INVALID_TEXT_EVENT, f"Wrong: {faults(error)}.") from None
    if not event.patient_id:
        raise RecordRejected(Reason.INVALID_TEXT_EVENT, "Wrong: patient_id (empty).")
    names = {name: getattr(event, name) for name in ("patient_id", "document_id", "encounter_id")}
    update: dict[str, Any] = {name: at_home(s, home_bases) for name, s in names.items() if s}
    update["references"] = {mark: at_home(s, home_bases) for mark, s in event.references.items()}
    return event.model_copy(update=update)


def _payload(value: bytes | None, ce_type: str | None) -> JsonObject:
    """The event's fields. Raises `RecordRejected`, also for a version that is not known."""
    fields = _fields(value)
    kind = string(fields.get("type")) or ce_type
    if kind and kind.startswith(_FAMILY) and kind != TextGenerated.EVENT_TYPE:
        raise RecordRejected(Reason.UNKNOWN_SCHEMA_VERSION)
    # These are ours to set; producers use the name `source` for their own.
    return {
        name: value
        for name, value in fields.items()
        if name not in ("source", "former_patient_ids")
    }


def _fields(value: bytes | None) -> JsonObject:
    """The event's fields, out of a CloudEvents envelope where there is one."""
    if value is not None and len(value) > MAX_INBOUND_BYTES:
        raise RecordRejected(Reason.TOO_LARGE, f"The record has {len(value):,} bytes.")
    if not (value or b"").strip():
        raise RecordRejected(Reason.EMPTY)
    assert value is not None
    try:
        given = loads(decode_text(value)[0].encode() if wide_charset(value) else value)
    except ValueError as error:
        raise RecordRejected(Reason.NOT_JSON, f"It is {error}.") from None
    if not isinstance(given, dict):
        raise RecordRejected(Reason.INVALID_TEXT_EVENT, "It is not a JSON object.")
    inner = given.get("data")
    if "specversion" in given and isinstance(inner, dict):
        given = {"type": given.get("type")} | inner
    return given


def readable_text_id(value: bytes | None) -> str | None:
    """The id of a text that is refused, where it can be read: its sender waits for an outcome."""
    try:
        return bounded(string(_fields(value).get("text_id")))
    except RecordRejected:
        return None

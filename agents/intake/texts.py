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
from agents.intake.reasons import Ended, Reason
from agents.intake.shape import JsonObject, string
from agents.intake.times import parse_time
from schemas.identity import at_home
from schemas.texts import TextGenerated
from schemas.topics import MAX_INBOUND_BYTES

MAX_TEXT_CHARACTERS = 200_000
"""About 60 pages; longer ones would hold their patient's lane for minutes."""

_FAMILY = "chartproof.text-generated."


def read_text(
    value: bytes | None,
    *,
    ce_type: str | None = None,
    zone: tzinfo = UTC,
    home_bases: Collection[str] = (),
) -> TextGenerated:
    """The event in a record's value. Raises `Ended`.

    `ce_type` is the CloudEvents type in the record's headers, for producers that say it only
    there. `zone` holds for times that name none. A text of white space is a text: its score sheet
    is empty. `as_of` as a date alone includes that day. `home_bases`: see `references.Scope`.
    """
    said = _payload(value, ce_type)
    text = said.get("text")
    if isinstance(text, str) and len(text) > MAX_TEXT_CHARACTERS:
        raise Ended(Reason.TEXT_TOO_LARGE, f"The text has {len(text):,} characters.")
    said |= {
        "occurred_at": parse_time(said.get("occurred_at"), zone) or said.get("occurred_at"),
        "as_of": parse_time(said.get("as_of"), zone, end_of_day=True) or said.get("as_of"),
    }
    try:
        event = TextGenerated.model_validate(said)
    except ValidationError as error:
        raise Ended(Reason.INVALID_TEXT_EVENT, f"Wrong: {faults(error)}.") from None
    if not event.patient_id:
        raise Ended(Reason.INVALID_TEXT_EVENT, "Wrong: patient_id (empty).")
    names = {name: getattr(event, name) for name in ("patient_id", "document_id", "encounter_id")}
    update: dict[str, Any] = {name: at_home(s, home_bases) for name, s in names.items() if s}
    update["references"] = {mark: at_home(s, home_bases) for mark, s in event.references.items()}
    return event.model_copy(update=update)


def _payload(value: bytes | None, ce_type: str | None) -> JsonObject:
    """The event's fields, out of a CloudEvents envelope where there is one."""
    if value is not None and len(value) > MAX_INBOUND_BYTES:
        raise Ended(Reason.TOO_LARGE, f"The record has {len(value):,} bytes.")
    if not (value or b"").strip():
        raise Ended(Reason.EMPTY)
    assert value is not None
    try:
        said = loads(decode_text(value)[0].encode() if wide_charset(value) else value)
    except ValueError as error:
        raise Ended(Reason.NOT_JSON, f"It is {error}.") from None
    if not isinstance(said, dict):
        raise Ended(Reason.INVALID_TEXT_EVENT, "It is not a JSON object.")
    inner = said.get("data")
    if "specversion" in said and isinstance(inner, dict):
        said = {"type": said.get("type")} | inner
    kind = string(said.get("type")) or ce_type
    if kind and kind.startswith(_FAMILY) and kind != TextGenerated.EVENT_TYPE:
        raise Ended(Reason.UNKNOWN_SCHEMA_VERSION)
    # These are ours to set; producers use the name `source` for their own.
    return {
        name: inner for name, inner in said.items() if name not in ("source", "former_patient_ids")
    }

"""One record's bytes to its items: as JSON, as NDJSON, as JSON values one behind the other.

What lies around them on their way is taken off first: gzip, the five bytes of a schema registry, a
byte order mark, UTF-16.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from agents.intake.changes import says_deleted
from agents.intake.charset import decode_text, wide_charset
from agents.intake.encoding import gunzip
from agents.intake.envelope import (
    MAX_ITEMS,
    Item,
    bounded_list,
    items_of,
    joined,
    leads_somewhere,
)
from agents.intake.json import loads, loads_each
from agents.intake.notifications import CARRY_NOTES, named_resource, read_notification
from agents.intake.reasons import Reason, RecordRejected
from schemas.topics import MAX_INBOUND_BYTES

_UTF8_MARK = b"\xef\xbb\xbf"
MAX_DAMAGED_LINES = 1000
"""Of a beginning without any line that says something."""
_GZIP_MARK = b"\x1f\x8b"


def unpack(
    value: bytes | None, *, key: bytes | None = None, headers: Mapping[str, bytes] | None = None
) -> list[Item]:
    """All items in the order to apply them. Raises `RecordRejected` when the record as a whole is
    bad. `key` and `headers` are the Kafka record's: a tombstone names its document by key alone,
    and an event in binary mode says in a header that it is a deletion."""
    if value is None:
        return [_tombstone(key)]
    if len(value) > MAX_INBOUND_BYTES:
        raise RecordRejected(Reason.TOO_LARGE, f"The record has {len(value):,} bytes.")
    body = _as_utf8(value)
    if not body.strip():
        raise RecordRejected(Reason.EMPTY)
    deleted = says_deleted(
        {name: raw.decode("utf-8", "replace") for name, raw in (headers or {}).items()}
    )
    items = bounded_list(_of_body(body, deleted))
    if len(items) > MAX_ITEMS:
        raise RecordRejected(
            Reason.TOO_LARGE, f"The record holds more than {MAX_ITEMS:,} resources."
        )
    return items


def _tombstone(key: bytes | None) -> Item:
    """What a record without a value deletes: the document that its key names, or nothing."""
    text = (key or b"").decode("utf-8", "replace").strip()
    try:
        named: object = loads(text.encode())
    except ValueError:
        named = text
    if isinstance(named, str):
        named = {"key": named}
    result = named_resource(named) if isinstance(named, dict) else None
    if result and result.resource_type in CARRY_NOTES:
        return Item("", notification=replace(result, tombstone=True))
    return Item("", fault=RecordRejected(Reason.TOMBSTONE))


def _as_utf8(value: bytes) -> bytes:
    value = _unpacked(value)
    if wide_charset(value):
        return decode_text(value)[0].encode()
    return value.removeprefix(_UTF8_MARK)


def _unpacked(value: bytes) -> bytes:
    """Without the gzip of a producer, or the wire format of Confluent's JSON Schema serializer."""
    if value[:1] == b"\0" and value[5:6] in (b"{", b"[") and not wide_charset(value):
        return value[5:]  # a zero and the schema's id in four bytes
    if not value.startswith(_GZIP_MARK):
        return value
    try:
        body = gunzip(value)
    except RecordRejected as rejected:
        if rejected.reason is Reason.NOTE_TOO_LARGE:
            raise RecordRejected(Reason.TOO_LARGE, "The record unpacks to too much.") from None
        raise RecordRejected(Reason.NOT_JSON, "It is damaged gzip.") from None
    if len(body) > MAX_INBOUND_BYTES:
        raise RecordRejected(Reason.TOO_LARGE, f"The record unpacks to {len(body):,} bytes.")
    return body


def _of_body(body: bytes, deleted: bool) -> Iterator[Item]:
    try:
        given = loads(body)
    except ValueError as error:
        if notification := read_notification(body[:10_000].decode("utf-8", "replace")):
            yield Item("", notification=replace(notification, deleted=deleted))
            return
        for read in (_of_lines, _of_values):
            result = bounded_list(read(body, deleted=deleted))
            if leads_somewhere(result):
                yield from result
                return
        raise RecordRejected(Reason.NOT_JSON, f"It is {error}.") from None
    yield from items_of(given, deleted=deleted)


def _of_lines(body: bytes, deleted: bool) -> Iterator[Item]:
    """NDJSON. A line that cannot be parsed is an item, a blank one is none.

    Where the first many of them cannot be parsed, the body is something else.
    """
    read = 0
    for number, line in enumerate(body.splitlines(), 1):
        if line.strip():
            result = bounded_list(_of_line(line, f"line {number}", deleted))
            read += leads_somewhere(result)
            if number > MAX_DAMAGED_LINES and not read:
                return
            yield from result


def _of_line(line: bytes, place: str, deleted: bool) -> Iterator[Item]:
    try:
        given = loads(line)
    except ValueError as error:
        values = bounded_list(_of_values(line, place, deleted)) if b"{" in line[1:] else []
        bad = Item(place, fault=RecordRejected(Reason.NOT_JSON, f"The line is {error}."))
        yield from values if leads_somewhere(values) else (bad,)
        return
    if isinstance(given, str) and read_notification(
        given
    ):  # a list of references, broken over lines
        yield Item(place, fault=RecordRejected(Reason.NOT_FHIR, "The line is a string."))
    else:
        yield from items_of(given, place, deleted=deleted)


def _of_values(body: bytes, place: str = "", deleted: bool = False) -> Iterator[Item]:
    """JSON values one behind the other."""
    number = 0
    try:
        for number, given in enumerate(loads_each(body), 1):
            yield from items_of(given, joined(place, f"value {number}"), deleted=deleted)
    except ValueError as error:
        here = joined(place, f"value {number + 1}")
        yield Item(here, fault=RecordRejected(Reason.NOT_JSON, f"The record is {error}."))

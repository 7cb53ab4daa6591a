"""The resources in one record: alone, in Bundles of any type, in lists, as NDJSON, in an envelope.

An entry that cannot be read does not lose its neighbours: it is an item with a `fault`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from agents.intake.answers import Answers
from agents.intake.charset import decode_text, wide_charset
from agents.intake.json import loads
from agents.intake.notices import Notice, focuses, is_status, of_entry, read_notice
from agents.intake.reasons import Ended, Reason
from agents.intake.references import Scope
from agents.intake.shape import JsonObject, child, each, string
from schemas.topics import MAX_INBOUND_BYTES

MAX_NESTING = 8
"""Bundles in Bundles and lists in lists; real ones go to three (a batch response of documents)."""
_UTF8_MARK = b"\xef\xbb\xbf"
# Where senders put a resource inside something of their own: CloudEvents, Kafka Connect, wrappers.
_WRAPPERS = ("resource", "data", "payload", "body", "message")


@dataclass(frozen=True)
class Item:
    """One resource of a record, or a notice of one.

    `place` says where it stands, for people: "line 3, entry 0".
    """

    place: str
    resource: JsonObject = field(default_factory=dict)
    scope: Scope = field(default_factory=Scope)
    fault: Ended | None = None
    notice: Notice | None = None
    answers: Answers = field(default_factory=dict)
    url_base: str | None = None
    """The server that the resource was fetched from."""


def unpack(value: bytes | None) -> list[Item]:
    """All items in the order to apply them. Raises `Ended` when the record as a whole is bad."""
    if value is not None and len(value) > MAX_INBOUND_BYTES:
        raise Ended(Reason.TOO_LARGE, f"The record has {len(value):,} bytes.")
    body = _as_utf8(value or b"")
    if not body.strip():
        raise Ended(Reason.EMPTY)
    return list(_of_body(body))


def _as_utf8(value: bytes) -> bytes:
    if wide_charset(value):
        return decode_text(value)[0].encode()
    return value.removeprefix(_UTF8_MARK)


def _of_body(body: bytes) -> Iterator[Item]:
    try:
        yield from _of_json(loads(body), "", Scope(), 0)
    except ValueError as error:
        if notice := read_notice(body[:10_000].decode("utf-8", "replace")):
            yield Item("", notice=notice)
            return
        lines = list(_lines(body))
        if not any("resourceType" in parsed for parsed in lines if isinstance(parsed, dict)):
            raise Ended(Reason.NOT_JSON, f"It is {error}.") from None
        for number, parsed in enumerate(lines):
            if isinstance(parsed, Ended):
                yield Item(f"line {number + 1}", fault=parsed)
            elif parsed is not None:
                yield from _of_json(parsed, f"line {number + 1}", Scope(), 0)


def _lines(body: bytes) -> Iterator[object]:
    """Each line's JSON, None for a blank line, `Ended` for one that cannot be parsed."""
    for line in body.splitlines():
        try:
            yield loads(line) if line.strip() else None
        except ValueError as error:
            yield Ended(Reason.NOT_JSON, f"The line is {error}.")


def _of_json(node: object, place: str, scope: Scope, depth: int) -> Iterator[Item]:
    bundle = isinstance(node, dict) and node.get("resourceType") == "Bundle"
    if depth >= MAX_NESTING and (bundle or isinstance(node, list)):
        deep = f"Bundles or lists are nested more than {MAX_NESTING} deep."
        yield Item(place, fault=Ended(Reason.NOT_FHIR, deep))
    elif isinstance(node, list):
        for index, element in enumerate(node):
            yield from _of_json(element, _join(place, f"element {index}"), scope, depth + 1)
    elif notice := read_notice(node):
        yield from _of_notice(notice, place, scope, depth)
    elif not isinstance(node, dict):
        yield Item(place, fault=Ended(Reason.NOT_FHIR, "It is not a JSON object."))
    elif bundle:
        yield from _of_bundle(node, place, scope, depth)
    elif changed := list(focuses(node)):
        yield from (Item(place, notice=notice) for notice in changed)
    elif string(node.get("resourceType")):
        yield Item(place, node, scope)
    else:
        yield from _of_envelope(node, place, scope, depth)


def _of_bundle(bundle: JsonObject, place: str, outer: Scope, depth: int) -> Iterator[Item]:
    entries = list(enumerate(each(bundle.get("entry"))))
    held = [(string(child(e, "fullUrl")), child(e, "resource")) for _, e in entries]
    inner = [(url, resource) for url, resource in held if isinstance(resource, dict)]
    by_url = {f"{r.get('resourceType')}/{r.get('id')}": r for _, r in inner}
    by_url |= {url: resource for url, resource in inner if url}
    urls = {id(resource): url for url, resource in inner if url}
    scope = Scope(by_url, tuple(resource for _, resource in inner), outer, urls)
    # A history lists the newest version first; without version ids, the last to arrive counts.
    for index, entry in reversed(entries) if bundle.get("type") == "history" else entries:
        here = _join(place, f"entry {index}")
        resource = child(entry, "resource")
        if isinstance(resource, dict) and len(entries) > 1 and is_status(resource):
            yield Item(here, resource, scope)  # the other entries are what it tells of
        elif isinstance(resource, dict):
            yield from _of_json(resource, here, scope, depth + 1)
        elif resource is None and isinstance(entry, dict) and (notice := of_entry(entry)):
            yield Item(here, notice=notice)
        elif resource is not None or not isinstance(entry, dict):
            yield Item(here, fault=Ended(Reason.NOT_FHIR, "The entry is not a JSON object."))
        else:
            yield Item(here, fault=_without_resource(entry))


def _of_notice(notice: Notice, place: str, scope: Scope, depth: int) -> Iterator[Item]:
    if notice.held and not notice.deleted:
        yield from _of_json(notice.held, place, scope, depth + 1)
    else:
        yield Item(place, notice=notice)


def _without_resource(entry: JsonObject) -> Ended:
    url = string(child(entry, "request", "url")) or string(entry.get("fullUrl")) or ""
    if child(entry, "request", "method") == "DELETE" and "DocumentReference" in url:
        return Ended(Reason.DELETION)
    return Ended(Reason.NO_RESOURCE)


def _of_envelope(node: JsonObject, place: str, scope: Scope, depth: int) -> Iterator[Item]:
    """JSON that is not a resource itself, but something around one."""
    for name in _WRAPPERS:
        inner = node.get(name)
        if string(child(inner, "resourceType")):
            yield from _of_json(inner, _join(place, name), scope, depth + 1)
            return
    yield Item(place, fault=Ended(Reason.NOT_FHIR))


def _join(place: str, step: str) -> str:
    return f"{place}, {step}" if place else step

"""The resources in one JSON value: alone, in Bundles of any type, in lists, in an envelope.

An entry that cannot be read does not lose its neighbours: it is an item with a `fault`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice

from agents.intake.encoding import decode_base64
from agents.intake.json import loads
from agents.intake.links import FetchedByReference
from agents.intake.notifications import (
    Notification,
    focuses,
    is_status,
    of_entry,
    read_notification,
)
from agents.intake.reasons import Reason, RecordRejected
from agents.intake.references import Scope
from agents.intake.shape import JsonObject, child, each, objects, string

MAX_NESTING = 8
"""Bundles in Bundles and lists in lists; real ones go to three (a batch response of documents)."""
MAX_ITEMS = 100_000
"""Of one record: 160 bytes each of the largest, which is less than any note takes. A list of eight
million numbers is no feed, and would take the worker's memory at each attempt."""
# Where senders put a resource inside something of their own, in lower case: CloudEvents, Kafka
# Connect and Debezium, REST Proxy, EventBridge, SNS and SQS, wrappers of their making.
_WRAPPERS = (
    *("resource", "data", "data_base64", "payload", "after", "value", "detail"),
    *("body", "message", "records"),
)


@dataclass(frozen=True)
class Item:
    """One resource of a record, or a notification of one.

    `place` says where it stands, for people: "line 3, entry 0".
    """

    place: str
    resource: JsonObject = field(default_factory=dict)
    scope: Scope = field(default_factory=Scope)
    fault: RecordRejected | None = None
    notification: Notification | None = None
    fetched: FetchedByReference = field(default_factory=dict)
    url_base: str | None = None
    """The server that the resource was fetched from."""


def items_of(
    node: object, place: str = "", scope: Scope | None = None, depth: int = 0
) -> Iterator[Item]:
    """The items in one JSON value, which stands at `place`, in the order to apply them."""
    scope = scope or Scope()
    resource_type = string(child(node, "resourceType"))
    if depth >= MAX_NESTING and (resource_type in (None, "Bundle", "Parameters")):
        deep = f"Bundles, lists or envelopes are nested more than {MAX_NESTING} deep."
        yield Item(place, fault=RecordRejected(Reason.NOT_FHIR, deep))
    elif isinstance(node, list):
        for index, element in enumerate(node):
            yield from items_of(element, joined(place, f"element {index}"), scope, depth + 1)
    elif notification := read_notification(node):
        yield from _of_notification(notification, place, scope, depth)
    elif not isinstance(node, dict):
        inner = _json_in(node)
        bad = Item(place, fault=RecordRejected(Reason.NOT_FHIR, "It is not a JSON object."))
        yield from items_of(inner, place, scope, depth + 1) if inner is not None else (bad,)
    elif resource_type == "Bundle":
        yield from _of_bundle(node, place, scope, depth)
    elif resource_type == "Parameters" and (held := list(_parameters(node))):
        for number, resource in enumerate(held):
            yield from items_of(resource, joined(place, f"parameter {number}"), scope, depth + 1)
    elif resource_type:
        changed = [Item(place, notification=notification) for notification in focuses(node)]
        yield from changed or [Item(place, node, scope)]
    else:
        yield from _of_envelope(node, place, scope, depth)


def _parameters(node: JsonObject) -> Iterator[JsonObject]:
    """The resources that an operation's Parameters hold. Their names are the sender's words, which
    may say anything, and so no part of a place."""
    for parameter in objects(node.get("parameter")):
        for part in (parameter, *objects(parameter.get("part"))):
            if isinstance(resource := part.get("resource"), dict):
                yield resource


def _only_tells(resource: JsonObject) -> bool:
    return is_status(resource) and not any(_parameters(resource))


def _of_bundle(bundle: JsonObject, place: str, outer: Scope, depth: int) -> Iterator[Item]:
    entries = list(enumerate(each(bundle.get("entry"))))
    held = ((string(child(e, "fullUrl")), child(e, "resource")) for _, e in entries)
    scope = Scope.around(((url, r) for url, r in held if isinstance(r, dict)), outer)
    # A history lists the newest version first; without version ids, the last to arrive counts.
    for index, entry in reversed(entries) if bundle.get("type") == "history" else entries:
        here = joined(place, f"entry {index}")
        resource = child(entry, "resource")
        method = child(entry, "request", "method")
        if isinstance(resource, dict) and method in ("PATCH", "DELETE"):
            yield _of_change(entry, resource, here)
        elif isinstance(resource, dict) and len(entries) > 1 and _only_tells(resource):
            yield Item(here, resource, scope)  # the other entries are what it tells of
        elif isinstance(resource, dict):
            yield from items_of(resource, here, scope, depth + 1)
        elif resource is None and isinstance(entry, dict) and (notification := of_entry(entry)):
            yield Item(here, notification=notification)
        elif resource is not None or not isinstance(entry, dict):
            yield Item(
                here, fault=RecordRejected(Reason.NOT_FHIR, "The entry is not a JSON object.")
            )
        else:
            yield Item(here, fault=_without_resource(entry))


def _of_change(entry: object, resource: JsonObject, place: str) -> Item:
    """An entry whose resource is not what the document is now: a patch of it, or what was deleted.

    The present version of a patched one is fetched; a patch alone says nothing of the rest.
    """
    assert isinstance(entry, dict)
    notification = of_entry(entry)
    if notification is None:
        return Item(place, fault=_without_resource(entry))
    if notification.deleted and resource.get("resourceType") == notification.resource_type:
        version = notification.version or string(child(resource, "meta", "versionId"))
        return Item(place, notification=replace(notification, held=resource, version=version))
    return Item(place, notification=notification)


def _of_notification(
    notification: Notification, place: str, scope: Scope, depth: int
) -> Iterator[Item]:
    if notification.held and not notification.deleted:
        yield from items_of(notification.held, place, scope, depth + 1)
    else:
        yield Item(place, notification=notification)


def _without_resource(entry: JsonObject) -> RecordRejected:
    url = string(child(entry, "request", "url")) or string(entry.get("fullUrl")) or ""
    if child(entry, "request", "method") == "DELETE" and "DocumentReference" in url:
        return RecordRejected(Reason.DELETION)
    return RecordRejected(Reason.NO_RESOURCE)


def _of_envelope(node: JsonObject, place: str, scope: Scope, depth: int) -> Iterator[Item]:
    """JSON that is not a resource itself, but something around one or several."""
    led = False
    names = {name.lower(): name for name in node}
    for wrapper in filter(names.__contains__, _WRAPPERS):
        name = names[wrapper]
        inner = node[name]
        if not isinstance(inner, dict | list):
            inner = _json_in(inner, encoded=wrapper == "data_base64")
        if inner is not None:
            found = bounded_list(items_of(inner, joined(place, name), scope, depth + 1))
            if leads_somewhere(found):
                led = True
                yield from found
    if not led:
        yield Item(place, fault=RecordRejected(Reason.NOT_FHIR))


def bounded_list(items: Iterable[Item]) -> list[Item]:
    """One more than a record may hold says that there are too many."""
    return list(islice(items, MAX_ITEMS + 1))


def leads_somewhere(items: list[Item]) -> bool:
    """Whether there is more in them than JSON of any kind."""
    nothing = (Reason.NOT_JSON, Reason.NOT_FHIR)
    return any(item.fault is None or item.fault.reason not in nothing for item in items)


def _json_in(text: object, *, encoded: bool = False) -> object | None:
    """The JSON object or list that a string holds, in base64 if `encoded` (CloudEvents)."""
    if not isinstance(text, str):
        return None
    try:
        raw = decode_base64(text) if encoded else text.encode()
        inner = loads(raw) if raw.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"[") else None
    except (ValueError, RecordRejected):
        return None
    return inner if isinstance(inner, dict | list) else None


def joined(place: str, step: str) -> str:
    return f"{place}, {step}" if place else step

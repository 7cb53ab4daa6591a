"""The resources in one JSON value: alone, in Bundles of any type, in lists, in an envelope.

One rule for envelopes: every member of a JSON object or of a table's row that leads to a FHIR
resource is read, whether it holds it as an object, as JSON in a string, or as that in base64 or
hexadecimal. What the envelope says has happened (`changes`) is read before it is opened.

An entry that cannot be read does not lose its neighbours: it is an item with a `fault`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice

from agents.intake.changes import (
    BEFORE,
    message_says_deleted,
    plain_name,
    resource_says_deleted,
    says_deleted,
)
from agents.intake.contained import contained_documents
from agents.intake.encoding import decode_base64, gunzip
from agents.intake.json import loads
from agents.intake.links import FetchedByReference
from agents.intake.notifications import (
    Notification,
    focuses,
    is_status,
    named_resource,
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
_WRAPPERS = (
    *("resource", "data", "database64", "payload", "after", "value", "detail"),
    *("body", "message", "records"),
)
"""Members where senders usually put a resource, which are read first; names as `plain_name`."""
_ENCODED_JSON = re.compile(r"\s*(?:eyJ|eyA|ewo|ewk|ewA|e30|W3s|Wwo|H4sI)[A-Za-z0-9+/_-]*")
_HEX_JSON = re.compile(r"(?:\\x|0x)?(?:7b|5b|1f8b)(?:[0-9a-f]{2})+", re.IGNORECASE)


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
    deleted: bool = False
    """`resource` is what was deleted."""
    contained: int = 0
    """Documents contained in it that are items of their own, in front of it."""


def items_of(
    node: object, place: str = "", scope: Scope | None = None, depth: int = 0, deleted: bool = False
) -> Iterator[Item]:
    """The items in one JSON value, which stands at `place`, in the order to apply them.

    `deleted`: what is around it says that what it holds was deleted.
    """
    scope = scope or Scope()
    resource_type = string(child(node, "resourceType"))
    if depth >= MAX_NESTING and (resource_type in (None, "Bundle", "Parameters")):
        deep = f"Bundles, lists or envelopes are nested more than {MAX_NESTING} deep."
        yield Item(place, fault=RecordRejected(Reason.NOT_FHIR, deep))
    elif isinstance(node, list):
        for index, element in enumerate(node):
            yield from items_of(
                element, joined(place, f"element {index}"), scope, depth + 1, deleted
            )
    elif notification := read_notification(node):
        deleted = deleted or (isinstance(node, dict) and not resource_type and says_deleted(node))
        yield from _of_notification(notification, place, scope, depth, deleted)
    elif not isinstance(node, dict):
        inner = _json_in(node)
        bad = Item(place, fault=RecordRejected(Reason.NOT_FHIR, "It is not a JSON object."))
        yield from (
            items_of(inner, place, scope, depth + 1, deleted) if inner is not None else (bad,)
        )
    elif resource_type == "Bundle":
        yield from _of_bundle(node, place, scope, depth, deleted)
    elif resource_type == "Parameters" and (held := list(_parameters(node))):
        for number, resource in enumerate(held):
            here = joined(place, f"parameter {number}")
            yield from items_of(resource, here, scope, depth + 1, deleted)
    elif resource_type:
        yield from _of_resource(node, place, scope, deleted)
    else:
        yield from _of_envelope(node, place, scope, depth, deleted)


def _of_resource(node: JsonObject, place: str, scope: Scope, deleted: bool) -> Iterator[Item]:
    changed = [Item(place, notification=notification) for notification in focuses(node)]
    if changed:
        yield from changed
        return
    deleted = deleted or resource_says_deleted(node)
    inner = [] if deleted else contained_documents(node)
    for number, resource in enumerate(inner):
        yield Item(joined(place, f"contained {number}"), resource, scope)
    yield Item(place, node, scope, deleted=deleted, contained=len(inner))


def _parameters(node: JsonObject) -> Iterator[JsonObject]:
    """The resources that an operation's Parameters hold. Their names are the sender's words, which
    may say anything, and so no part of a place."""
    for parameter in objects(node.get("parameter")):
        for part in (parameter, *objects(parameter.get("part"))):
            if isinstance(resource := part.get("resource"), dict):
                yield resource


def _only_tells(resource: JsonObject) -> bool:
    return is_status(resource) and not any(_parameters(resource))


def _of_bundle(
    bundle: JsonObject, place: str, outer: Scope, depth: int, deleted: bool
) -> Iterator[Item]:
    entries = list(enumerate(each(bundle.get("entry"))))
    held = [(string(child(e, "fullUrl")), child(e, "resource")) for _, e in entries]
    scope = Scope.around(((url, r) for url, r in held if isinstance(r, dict)), outer, bundle)
    deleted = deleted or any(
        message_says_deleted(r)
        for _, r in held
        if isinstance(r, dict) and r.get("resourceType") == "MessageHeader"
    )
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
            yield from items_of(resource, here, scope, depth + 1, deleted)
        elif resource is None and isinstance(entry, dict) and (notification := of_entry(entry)):
            yield Item(here, notification=notification)
        elif resource is not None or not isinstance(entry, dict):
            fault = RecordRejected(Reason.NOT_FHIR, "The entry is not a JSON object.")
            yield Item(here, fault=fault)
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
    notification: Notification, place: str, scope: Scope, depth: int, deleted: bool
) -> Iterator[Item]:
    if notification.held and not notification.deleted:
        yield from items_of(notification.held, place, scope, depth + 1, deleted)
    else:
        deleted = deleted or notification.deleted
        yield Item(place, notification=replace(notification, deleted=deleted))


def _without_resource(entry: JsonObject) -> RecordRejected:
    url = string(child(entry, "request", "url")) or string(entry.get("fullUrl")) or ""
    if child(entry, "request", "method") == "DELETE" and "DocumentReference" in url:
        return RecordRejected(Reason.DELETION)
    return RecordRejected(Reason.NO_RESOURCE)


def _of_envelope(
    node: JsonObject, place: str, scope: Scope, depth: int, deleted: bool
) -> Iterator[Item]:
    """JSON that is not a resource itself, but something around one or several."""
    says_so = says_deleted(node)
    deleted = deleted or says_so
    names = {name: plain_name(name) for name in node}
    usual = [name for wrapper in _WRAPPERS for name in node if names[name] == wrapper]
    others = [name for name in node if names[name] not in (*_WRAPPERS, *BEFORE)]
    before = [name for name in node if names[name] in BEFORE]
    result = _members(node, (*usual, *others), place, scope, depth, deleted)
    if deleted and not result:
        result = _members(node, before, place, scope, depth, deleted)
    if result:
        yield from result
    elif says_so and (named := named_resource(node)):
        yield Item(place, notification=named)
    else:  # a part of an envelope that says what was done may be told apart from what it holds
        lost = says_so and depth == 0
        fault = RecordRejected(Reason.DELETION if lost else Reason.NOT_FHIR)
        yield Item(place, fault=fault)


def _members(  # noqa: PLR0913, PLR0917 - what items_of takes, and which members
    node: JsonObject,
    names: Iterable[str],
    place: str,
    scope: Scope,
    depth: int,
    deleted: bool,
) -> list[Item]:
    """The items of those members that lead somewhere; of equal resources the first only."""
    items: list[Item] = []
    for name in names:
        inner = node[name]
        if not isinstance(inner, dict | list):
            inner = _json_in(inner)
        if inner is None:
            continue
        here = joined(place, name if plain_name(name) in _WRAPPERS else "member")
        led = bounded_list(items_of(inner, here, scope, depth + 1, deleted))
        if leads_somewhere(led):
            known = [item.resource for item in items if item.resource]
            items += [item for item in led if not item.resource or item.resource not in known]
    return items


def bounded_list(items: Iterable[Item]) -> list[Item]:
    """One more than a record may hold says that there are too many."""
    return list(islice(items, MAX_ITEMS + 1))


def leads_somewhere(items: list[Item]) -> bool:
    """Whether there is more in them than JSON of any kind."""
    nothing = (Reason.NOT_JSON, Reason.NOT_FHIR)
    return any(item.fault is None or item.fault.reason not in nothing for item in items)


def _json_in(text: object) -> object | None:
    """The JSON object or list that a string holds: as it is, in base64 (CloudEvents `data_base64`,
    columns of bytes), in hexadecimal (PostgreSQL's `bytea`), and then perhaps in gzip."""
    if not isinstance(text, str):
        return None
    try:
        raw = _bytes_of(text)
        if raw.startswith(b"\x1f\x8b"):
            raw = gunzip(raw)
        inner = loads(raw) if raw.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"[", b'"') else None
    except (ValueError, RecordRejected):
        return None
    if isinstance(inner, str):  # JSON in a string in a string
        return _json_in(inner) if inner.lstrip()[:1] in ("{", "[") else None
    return inner if isinstance(inner, dict | list) else None


def _bytes_of(text: str) -> bytes:
    if _ENCODED_JSON.match(text):
        return decode_base64(text)
    if _HEX_JSON.fullmatch(text):
        return bytes.fromhex(text.removeprefix("\\x").removeprefix("0x"))
    return text.encode()


def joined(place: str, step: str) -> str:
    return f"{place}, {step}" if place else step

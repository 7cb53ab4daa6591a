"""Notices: events that name a resource and its version but do not hold it.

| sender                              | shape                                                      |
|-------------------------------------|------------------------------------------------------------|
| Azure Health Data Services          | Event Grid or CloudEvents with `data.resourceFhirId`       |
| Google Cloud Healthcare             | Pub/Sub message: `attributes`, and `data` in base64 with   |
|                                     | the resource's name or all of it; or the bare name         |
| HAPI message channel                | `payload.payloadId`, `payload.operationType`               |
| IBM FHIR Server, LinuxForHealth     | `location`, `operationType`, perhaps the `resource`        |
| HAPI and R5 subscriptions, id-only  | Bundle entries, or a SubscriptionStatus' `focus`, or a     |
|                                     | resource of `id` and `meta` alone                          |

They come at least once and in any order; what is fetched is the version that they name, so repeats
and late ones change nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from email.utils import parsedate_to_datetime

import pybase64

from agents.intake.changes import is_gone, plain_name, resource_says_deleted, says_deleted
from agents.intake.json import loads
from agents.intake.links import FetchedByReference, fetched_for
from agents.intake.reasons import Reason, RecordRejected
from agents.intake.shape import JsonObject, child, objects, string

CARRY_NOTES = frozenset({"DocumentReference", "DiagnosticReport", "Composition"})
FETCHED = CARRY_NOTES | {"Patient"}
"""Patients for their merges; a deleted one says nothing of them."""
_NAME = re.compile(
    r"(?:(?P<base>https?://[^\s?#]+/)|projects/[^\s?#]+/fhir/)?"
    r"(?P<type>[A-Z][A-Za-z]+)/(?P<id>[^\s/?#|]{1,512})(?:/_history/(?P<version>[^\s/?#|]{1,512}))?"
)
_MAX_NAME = 4000
_COUNTED = re.compile(r"(?!0*1?$)[0-9]{1,18}")  # a version with one before it
_ETAG = re.compile(r'(?:W/)?"([^"]+)"')
_ID_ONLY = frozenset({"resourceType", "id", "meta", "implicitRules", "language"})
_TYPE = re.compile(r"[A-Z][a-z]+(?:[A-Z][a-z]+)*")
_TYPES = (
    "resourcetype",
    "restype",
    "fhirtype",
    "entitytype",
    "table",
    "collection",
    "coll",
    "type",
)
_IDS = (
    "fhirid",
    "resourcefhirid",
    "resourceid",
    "logicalid",
    "entityid",
    "documentid",
    "id",
    "resid",
)
_NAMED_WITHIN = 3
"""Objects in objects in which an envelope's names are looked for."""
_CHANGES = {None, "PUT", "POST", "PATCH", "DELETE"}


@dataclass(frozen=True)
class Notification:
    """`base`, with its slash, when the notification says where; `held` is a resource sent with
    it."""

    resource_type: str
    id: str
    version: str | None = None
    base: str = ""
    deleted: bool = False
    names_change: bool = True
    """Whether it says what happened; if not, what is not found may have been deleted."""
    time: str | None = None
    held: JsonObject | None = None
    tombstone: bool = False
    """A Kafka record without a value: where no patient has the document, there is nothing to do."""

    @property
    def references(self) -> tuple[str, ...]:
        """Where to find it, best first. Servers without history have the present version only; of
        a deleted resource the version before says whose it was."""
        name = f"{self.base}{self.resource_type}/{self.id}"
        if self.deleted:
            counted = self.version if _COUNTED.fullmatch(self.version or "") else None
            return (f"{name}/_history/{int(counted) - 1}",) if counted else ()
        return (f"{name}/_history/{self.version}", name) if self.version else (name,)


def read_notification(node: object) -> Notification | None:
    """The notification that a JSON value is, told by its shape; a string is a resource's name."""
    if isinstance(node, str):
        result = _named(node)
        return replace(result, names_change=False) if result else None
    if not isinstance(node, dict):
        return None
    if string(node.get("resourceType")):
        return _of_azure(node) or _id_only(node)
    return _of_azure(node) or _of_google(node) or _of_hapi(node) or _of_ibm(node)


def of_entry(entry: JsonObject) -> Notification | None:
    """A Bundle entry without a resource, as histories and notifications have for a change."""
    method = string(child(entry, "request", "method"))
    location = string(child(entry, "response", "location"))
    names = (string(entry.get("fullUrl")), string(child(entry, "request", "url")), location)
    result = next(filter(None, map(_named, names)), None)
    gone = is_gone(child(entry, "response", "status"))
    if result is None or not (gone or method in _CHANGES):
        return None
    etag = _ETAG.search(string(child(entry, "response", "etag")) or "")
    located = _named(location)
    return replace(
        result,
        version=(located and located.version) or result.version or (etag[1] if etag else None),
        deleted=gone or method == "DELETE",
        names_change=gone or method is not None,
        time=string(child(entry, "response", "lastModified")),
    )


def is_status(resource: JsonObject) -> bool:
    given = string(resource.get("resourceType")) or ""
    return given == "Parameters" or given.endswith(
        "SubscriptionStatus"
    )  # Aidbox has one of its own


def focuses(resource: JsonObject) -> Iterator[Notification]:
    """What a SubscriptionStatus (R4B, R5; in R4 a Parameters) says has changed."""
    if not is_status(resource):
        return
    events = objects(resource.get("notificationEvent"))
    elements = [event.get("focus") for event in events]
    for parameter in objects(resource.get("parameter")):
        if parameter.get("name") == "notification-event":
            parts = objects(parameter.get("part"))
            elements += [p.get("valueReference") for p in parts if p.get("name") == "focus"]
    for element in elements:
        if result := _named(string(child(element, "reference"))):
            yield replace(result, names_change=False)


def open_notification(
    notification: Notification, fetched: FetchedByReference
) -> tuple[JsonObject, str | None]:
    """The resource that a notification means, and the server it is from. Raises
    `RecordRejected`."""
    carries_notes = notification.resource_type in CARRY_NOTES
    if notification.resource_type not in FETCHED or (notification.deleted and not carries_notes):
        raise RecordRejected(Reason.UNSUPPORTED_RESOURCE)
    if notification.deleted:
        return _open_deleted(notification, fetched)
    missing = RecordRejected(Reason.ATTACHMENT_NOT_FOUND)
    for reference in notification.references:
        try:
            answer = fetched_for(reference, fetched, unasked=Reason.NO_RESOURCE)
        except RecordRejected as rejected:
            if rejected.reason is not Reason.ATTACHMENT_NOT_FOUND:
                raise
            missing = rejected
        else:
            return _resource(notification, answer.content), answer.url_base
    if notification.names_change or not carries_notes:
        raise missing
    raise RecordRejected(Reason.DELETION, "The FHIR server has no such id.")


def _open_deleted(
    notification: Notification, fetched: FetchedByReference
) -> tuple[JsonObject, str | None]:
    """What was deleted, as of the version of the deletion."""
    resource, base = notification.held, None
    if resource is None:
        for reference in notification.references:
            try:
                answer = fetched_for(reference, fetched, unasked=Reason.DELETION)
            except RecordRejected as rejected:
                if rejected.missing_reference:
                    raise
                raise RecordRejected(
                    Reason.DELETION, f"The version before it: {rejected.detail}"
                ) from None
            resource, base = _resource(notification, answer.content), answer.url_base
    if resource is None:
        raise RecordRejected(Reason.DELETION)
    return resource | {
        "meta": {"versionId": notification.version, "lastUpdated": notification.time}
    }, base


def _resource(notification: Notification, content: bytes) -> JsonObject:
    try:
        result = loads(content)
    except ValueError:
        result = None
    names = (child(result, "resourceType"), string(child(result, "id")))
    if not isinstance(result, dict) or names != (notification.resource_type, notification.id):
        # A proxy that mixes up answers must not put a note into another patient's chart.
        raise RecordRejected(
            Reason.ATTACHMENT_BROKEN, "The FHIR server sent something else than asked for."
        )
    return result


def _named(name: str | None) -> Notification | None:
    match = _NAME.fullmatch((name or "").strip()) if len(name or "") <= _MAX_NAME else None
    if match is None:
        return None
    return Notification(match["type"], match["id"], match["version"], base=match["base"] or "")


def _of_azure(node: JsonObject) -> Notification | None:
    data = node["data"] if isinstance(node.get("data"), dict) else node
    kind, found_id = string(data.get("resourceType")), string(data.get("resourceFhirId"))
    if kind is None or found_id is None:
        return None
    event = string(node.get("eventType")) or string(node.get("type")) or ""
    return Notification(
        kind,
        found_id,
        string(data.get("resourceVersionId")),
        deleted=event.endswith("Deleted"),
        names_change=bool(event),
        time=string(node.get("eventTime")) or string(node.get("time")),
    )


def _of_google(node: JsonObject) -> Notification | None:
    message = node["message"] if isinstance(node.get("message"), dict) else node
    data, attributes = message.get("data"), message.get("attributes")
    if not isinstance(data, str):
        return None
    try:
        given = pybase64.b64decode(data, validate=True).decode()
    except ValueError:
        given = data
    held = _json_resource(given)
    result = _of_resource(held) if held else _named(given)
    if result is None:
        return None
    action = string(child(attributes, "action"))
    return replace(
        result,
        version=string(child(attributes, "versionId")) or result.version,
        deleted=action == "DeleteResource",
        names_change=action is not None,
        time=_http_date(string(child(attributes, "lastUpdatedTime"))),
        held=held,
    )


def _of_hapi(node: JsonObject) -> Notification | None:
    payload = node["payload"] if isinstance(node.get("payload"), dict) else node
    result = _named(string(payload.get("payloadId")))
    if result is None:
        return None
    operation = string(payload.get("operationType"))
    return replace(
        result,
        version=result.version or string(payload.get("payloadVersion")),
        deleted=operation == "DELETE",
        names_change=operation is not None,
        held=_json_resource(payload.get("payload")),
    )


def _of_ibm(node: JsonObject) -> Notification | None:
    operation = (string(node.get("operationType")) or "").lower()
    result = _named(string(node.get("location"))) if operation else None
    if result is None:
        return None
    held = node.get("resource")
    return replace(
        result,
        deleted=operation == "delete",
        time=string(node.get("lastUpdated")),
        held=held if string(child(held, "resourceType")) else None,
    )


def _id_only(node: JsonObject) -> Notification | None:
    # Not a Patient: one without a link says that it is merged no more.
    if node.keys() <= _ID_ONLY and node.get("resourceType") in CARRY_NOTES:
        result = _of_resource(node)
        deleted = resource_says_deleted(node)
        time = string(child(node, "meta", "lastUpdated")) if deleted else None
        if result is None:
            return None
        return replace(result, deleted=deleted, names_change=deleted, time=time)
    return None


def named_resource(envelope: JsonObject) -> Notification | None:
    """The deletion of the resource that an envelope names without holding it, by a reference
    (`DocumentReference/1`) or by a type, a table or a collection and an id."""
    members = list(_members(envelope))
    for _, value in members:
        if named := _named(value):
            return replace(named, deleted=True)
    kinds = (kind for name, value in members if name in _TYPES and (kind := _kind(value)))
    kind = next(kinds, None)
    by_name = dict(reversed(members))
    local = next((by_name[name] for name in _IDS if name in by_name), None)
    if not kind or not local or not _NAME.fullmatch(f"{kind}/{local}"):
        return None
    return Notification(kind, local, deleted=True)


def _members(node: object, depth: int = 0) -> Iterator[tuple[str, str]]:
    """Names (see `plain_name`) and strings in an object and in those inside of it."""
    for name, value in node.items() if isinstance(node, dict) else ():
        if (text := string(value)) and len(text) <= _MAX_NAME:
            yield plain_name(name), text
    if depth < _NAMED_WITHIN and isinstance(node, dict):
        for value in node.values():
            yield from _members(value, depth + 1)


def _kind(value: str) -> str | None:
    """A FHIR type, or a table called after one that carries notes."""
    plain = plain_name(value.rpartition(".")[2])
    return next((kind for kind in CARRY_NOTES if kind.lower() == plain), None) or (
        value if _TYPE.fullmatch(value) and not says_deleted({"type": value}) else None
    )


def _of_resource(resource: JsonObject) -> Notification | None:
    kind, found_id = string(resource.get("resourceType")), string(resource.get("id"))
    if kind is None or found_id is None:
        return None
    return Notification(kind, found_id, string(child(resource, "meta", "versionId")))


def _json_resource(text: object) -> JsonObject | None:
    if not isinstance(text, str) or not text.lstrip("\ufeff \t\r\n").startswith("{"):
        return None
    try:
        result = loads(text.encode("utf-8", "surrogatepass"))
    except ValueError:
        return None
    return result if isinstance(result, dict) and string(result.get("resourceType")) else None


def _http_date(text: str | None) -> str | None:
    """Google's RFC 1123 date as ISO 8601. It has no fraction, so the end of its second is meant:
    a deletion must not look older than the change in the same second."""
    try:
        return parsedate_to_datetime(text or "").replace(microsecond=999_999).isoformat()
    except (ValueError, OverflowError):
        return None

"""Where an attachment's `url` leads: into itself, into the record, or to a server.

A url is no part of a note's identity or version: presigned ones change on every read.
"""

from __future__ import annotations

from collections.abc import Mapping

from agents.errors import PermanentError
from agents.intake.reasons import Reason, RecordRejected
from agents.intake.references import Scope, held
from agents.intake.shape import JsonObject, child, objects, string
from agents.ports import Fetched

FetchedByReference = Mapping[str, Fetched | PermanentError]
"""By reference: what a server holds there, or why it will not give it."""

_MARK = "http://hapifhir.io/fhir/StructureDefinition/externalized-binary-id"
_ATTACHMENTS = {
    "DocumentReference": "DocumentReference.content.attachment",
    "DiagnosticReport": "DiagnosticReport.presentedForm",
}
"""FHIRPath of the attachment, which is the right one where there is only one."""


def with_data(
    attachment: JsonObject,
    resource: JsonObject,
    scope: Scope,
    fetched: FetchedByReference,
    url_base: str | None = None,
) -> JsonObject:
    """The attachment with what its url leads to as `data`; as it is when it holds data or no url.

    `data` is base64 where it stood in the record and bytes where it was fetched. `url_base`: the
    server that `resource` was fetched from. Raises `RecordRejected`, with `missing_reference` where
    a fetch would help.
    """
    if attachment.get("data") not in (None, ""):
        return attachment
    url = string(attachment.get("url")) or _externalised(attachment, resource)
    if url is None:
        return attachment
    if url.startswith("data:"):
        return _filled(attachment, url, None)
    base = url_base or _base_of(resource, scope)
    if inside := _inside(url, base, resource, scope):
        return _filled(attachment, *_of_binary(inside))
    if url.startswith(("#", "urn:")):
        raise RecordRejected(
            Reason.ATTACHMENT_NOT_FOUND, "The url leads into the record, to nothing there."
        )
    reference = url if _is_absolute(url) or not base else f"{base}/{url.removeprefix('/')}"
    answer = fetched_for(reference, fetched, unasked=Reason.URL_ONLY)
    return _filled(attachment, answer.content, answer.content_type)


def _externalised(attachment: JsonObject, resource: JsonObject) -> str | None:
    """Where HAPI gives the data that it keeps out of the resource (`$binary-access-read`)."""
    marks = objects(child(attachment, "_data", "extension"))
    kind, resource_id = string(resource.get("resourceType")) or "", string(resource.get("id"))
    path = _ATTACHMENTS.get(kind)
    alone = len(objects(child(resource, *(path or "").split(".")[1:2]))) == 1
    if not (path and resource_id and alone and any(m.get("url") == _MARK for m in marks)):
        return None
    return f"{kind}/{resource_id}/$binary-access-read?path={path}"


def _filled(attachment: JsonObject, data: object, content_type: str | None) -> JsonObject:
    """The attachment's own type counts, then that of what was found, unless that says more: the
    charset, or that it is a FHIR resource and so no text.
    """
    own, result = string(attachment.get("contentType")), (content_type or "").strip()
    says_more = result.lower().startswith(f"{(own or '').lower()};") or "fhir+" in result.lower()
    kept = {name: value for name, value in attachment.items() if name != "url"}
    return kept | {"data": data, "contentType": result if says_more or not own else own}


def _inside(url: str, base: str | None, resource: JsonObject, scope: Scope) -> JsonObject | None:
    """The resource of the record that `url` names: contained, by fullUrl, or a Binary by its id
    where no fullUrl says that it is another server's."""
    link = url.partition("/_history/")[0]
    if link.startswith("#"):
        return held(link, resource, scope)
    result = scope.find(link if _is_absolute(link) or not base else f"{base}/{link}")
    if result or "Binary/" not in link:
        return result
    # A contained Binary of the id that the url ends in (Oracle Health through an aggregator).
    if own := held("#" + link.rpartition("Binary/")[2], resource, scope):
        return own
    named = scope.find("Binary/" + link.rpartition("Binary/")[2])
    return named if named and scope.url_of(named) is None else None


def _of_binary(resource: JsonObject) -> tuple[object, str | None]:
    """Its data (`content` before R4) and type. Raises `RecordRejected` for any other resource."""
    if resource.get("resourceType") != "Binary":
        raise RecordRejected(
            Reason.UNSUPPORTED_CONTENT_TYPE, "The url leads to a resource, not to a file."
        )
    data = resource.get("data", resource.get("content"))
    return data, string(resource.get("contentType"))


def _base_of(resource: JsonObject, scope: Scope) -> str | None:
    """The server that an entry's fullUrl names: relative urls in it are relative to that one."""
    full_url = scope.url_of(resource) or ""
    name = f"/{string(resource.get('resourceType'))}/{string(resource.get('id'))}"
    return full_url.removesuffix(name) if full_url.endswith(name) else None


def _is_absolute(url: str) -> bool:
    return ":" in url.partition("/")[0]


def fetched_for(reference: str, fetched: FetchedByReference, *, unasked: Reason) -> Fetched:
    """The answer to `reference`. Raises `RecordRejected`: as `unasked` and with `missing_reference`
    when there is none, and with the fetch's own reason when it failed for good."""
    result = fetched.get(reference)
    if result is None:
        raise RecordRejected(unasked, missing_reference=reference)
    if isinstance(result, PermanentError):
        known = (reason for reason in Reason if reason.value == result.reason)
        raise RecordRejected(next(known, Reason.ATTACHMENT_REFUSED), str(result))
    return result

"""Documents that another document contains: their texts are in the record, so they are read.

Some sources send an addendum with its original in `contained`, under the original's own id. An id
in `contained` means nothing outside (`references`), unless the container refers to it as the server
does (`DocumentReference/<id>`, no `#`) and it looks like a server's; else a document is known by
its business identifier, or its content. Without a subject of its own it is of its container's
patient.
"""

from __future__ import annotations

from agents.intake.references import MAX_CONTAINED, SERVER_ID, link_of
from agents.intake.shape import JsonObject, child, codes, each, objects, string

_KEPT = frozenset({"appends", "apnd", "signs"})


def contained_documents(resource: JsonObject) -> list[JsonObject]:
    """The DocumentReferences in `contained` that are notes of their own, with `subject` and an id
    that stands for them, or none."""
    if resource.get("resourceType") != "DocumentReference":
        return []
    inner = objects(each(resource.get("contained"))[:MAX_CONTAINED])
    documents = [one for one in inner if _has_content(one)]
    return [_alone(one, resource) for one in documents if _is_kept(one, resource)]


def left_contained(resource: JsonObject) -> int:
    """How many contained documents with content are read neither so nor as their container."""
    inner = objects(each(resource.get("contained"))[:MAX_CONTAINED])
    return sum(map(_has_content, inner)) - len(contained_documents(resource))


def _has_content(resource: JsonObject) -> bool:
    return resource.get("resourceType") == "DocumentReference" and bool(resource.get("content"))


def _is_kept(document: JsonObject, container: JsonObject) -> bool:
    """Not one that the container replaces or transforms, unless it has a name by which the index
    knows that it is replaced."""
    named = _server_id(document, container) or any(
        string(one.get("value")) for one in objects(document.get("identifier"))
    )
    kinds = {
        code.lower()
        for relation in objects(container.get("relatesTo"))
        if _names(relation, document)
        for code in codes(relation.get("code"))
    }
    return bool(named) or kinds <= _KEPT


def _alone(document: JsonObject, container: JsonObject) -> JsonObject:
    alone = {name: value for name, value in document.items() if name != "id"}
    if own := _server_id(document, container):
        alone["id"] = own
    alone.setdefault("subject", container.get("subject"))
    # References into `contained` are into that of the container.
    alone.setdefault("contained", container.get("contained"))
    return alone


def _server_id(document: JsonObject, container: JsonObject) -> str | None:
    own = string(document.get("id")) or ""
    if not SERVER_ID.fullmatch(own):
        return None
    return own if own != string(container.get("id")) else None


def _names(relation: JsonObject, document: JsonObject) -> bool:
    target = relation.get("target") or relation.get("targetReference")
    link = (link_of(target) or "").partition("/_history/")[0]
    own = string(document.get("id"))
    reference = child(target, "identifier", "value")
    values = {string(one.get("value")) for one in objects(document.get("identifier"))}
    return bool(own and link in (f"#{own}", f"DocumentReference/{own}")) or reference in values

"""Where a Reference leads: into the Bundle, into `contained`, or to a server, whose id it names.

A patient's identity is decided here, so what is doubtful leads nowhere: the id of a contained
Patient means nothing outside its document (every engine calls it `1`), an unresolved `urn:uuid:` is
not the id a server will give, and a bare number may be a record number.

Ids say whose they are (`schemas.identity`). A reference without a base is to the server that the
resource is from, as FHIR has it: that of its fullUrl, its meta.source or its notice, or the home
server. Without configured home bases every base stays, so that no two servers meet.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace

from agents.intake.shape import JsonObject, child, objects, string
from schemas.identity import at_home, base_of, canonical_base, qualified

MAX_ID_BYTES = 512
"""As long as `schemas.events.Identifier` allows; FHIR says 64, Epic sends 113."""

_TYPE = re.compile(r"[A-Z][A-Za-z]+")


@dataclass(frozen=True)
class Scope:
    """The Bundle around a resource, and the one around that."""

    by_url: dict[str, JsonObject] = field(default_factory=dict)
    """By fullUrl, and by type and id as relative references name them."""
    resources: tuple[JsonObject, ...] = ()
    outer: Scope | None = None
    urls: dict[int, str] = field(default_factory=dict)
    """The fullUrl of each resource, by its `id()`."""
    homes: Collection[str] = ()
    """Canonical bases of the one server whose ids stand alone."""
    base: str | None = None
    """The server of the resource that is read; None: the home server."""

    def find(self, url: str) -> JsonObject | None:
        found = self.by_url.get(url)
        return found if found or not self.outer else self.outer.find(url)

    def url_of(self, resource: JsonObject) -> str | None:
        """The fullUrl of the entry that holds `resource`, where it names a server."""
        url = self.urls.get(id(resource))
        if url is None and self.outer:
            return self.outer.url_of(resource)
        return url if url and url.startswith(("http://", "https://")) else None

    def of(self, resource: JsonObject, homes: Collection[str], base: str | None) -> Scope:
        """The scope in which `resource` is read; `base` is where its notice says it is."""
        source = string(child(resource, "meta", "source"))
        named = f"/{string(resource.get('resourceType'))}/{string(resource.get('id'))}"
        told = source if source and source.endswith(named) else None
        urls = (self.url_of(resource), told)
        found = next(filter(None, map(base_of, urls)), base and canonical_base(base))
        return replace(self, homes=homes, base=found)

    def name(self, local: str, base: str | None = None) -> str | None:
        """The id that says whose it is; `base`: when not the server of the resource itself."""
        return bounded(at_home(qualified(base or self.base, local), self.homes))

    def name_of(self, resource: JsonObject, base: str | None = None) -> str | None:
        """Of a resource in the Bundle. `base`: where the reference to it says so."""
        local = _id_of(resource)
        return self.name(local, base_of(self.url_of(resource)) or base) if local else None

    def all(self, resource_type: str) -> Iterator[JsonObject]:
        for resource in self.resources:
            if resource.get("resourceType") == resource_type:
                yield resource
        if self.outer:
            yield from self.outer.all(resource_type)


@dataclass(frozen=True)
class Target:
    """What a Reference points to. `id` is one that the server knows, else None."""

    type: str | None = None
    id: str | None = None
    how: str = "names no resource"
    """For messages: why there is no id, or where it is from. Never a value."""


def resolve(reference: object, resource: JsonObject, scope: Scope) -> Target:
    """`reference` is a Reference element of `resource`, which stands in the Bundle `scope`."""
    link = string(child(reference, "reference"))
    said_type = string(child(reference, "type"))
    if link is None:
        return _by_identifier(child(reference, "identifier"), said_type, scope)
    link = link.partition("/_history/")[0].rstrip("/")
    if link.startswith("#"):
        return _contained(link[1:], resource)
    found = scope.find(link)
    if found and (found_id := scope.name_of(found, base_of(link))):
        return Target(
            string(found.get("resourceType")), found_id, "leads to a resource of the Bundle"
        )
    if link.startswith("urn:"):
        return Target(said_type, None, "is a urn, and no resource of the Bundle gives its id")
    return _of_server(link, said_type, scope)


def _of_server(link: str, said_type: str | None, scope: Scope) -> Target:
    """Relative or absolute, an id or a search: what stands last in the path says which."""
    head, _, query = link.partition("?")
    *_, parent, last = ["", *head.split("/")]
    if query:
        return _conditional(last, query, scope)
    named = parent if _TYPE.fullmatch(parent) else None
    kind = named if "/" in head else said_type
    if kind is None:
        return Target(said_type, None, "does not have the form <type>/<id>")
    local = last.strip()
    # Also what is no plain base tells servers apart ("host/fhir/Patient/1").
    before = head.rpartition(f"/{parent}/")[0] if named else head.rpartition("/")[0]
    if local and (found_id := scope.name(local, base_of(head) or before)):
        return Target(kind, found_id, "refers to it by id")
    return Target(kind, None, "has an id that is empty or over 512 bytes")


def bounded(value: str | None) -> str | None:
    """None for an id that is empty or longer than the index can hold."""
    return value if value and len(value.encode()) <= MAX_ID_BYTES else None


def _id_of(resource: JsonObject) -> str | None:
    found = bounded(string(resource.get("id")))
    return found if found and "/" not in found else None


def _contained(local_id: str, resource: JsonObject) -> Target:
    for inner in objects(resource.get("contained")):
        if string(inner.get("id")) == local_id:
            kind = string(inner.get("resourceType"))
            return Target(kind, None, "is contained, so it has no id outside its document")
    return Target(how="is not among the contained resources")


def _conditional(resource_type: str, query: str, scope: Scope) -> Target:
    """`Patient?identifier=system|value`, as Synthea and transaction Bundles write it."""
    name, _, said = query.partition("=")
    system, bar, value = said.rpartition("|")
    if name != "identifier" or not value:
        return Target(resource_type, None, "is a search, not an id")
    identifier = {"value": value} | ({"system": system} if bar else {})
    return _by_identifier(identifier, resource_type, scope)


def _by_identifier(identifier: object, said_type: str | None, scope: Scope) -> Target:
    system, value = string(child(identifier, "system")), string(child(identifier, "value"))
    if value is None:
        return Target(said_type, None, "is absent or empty")
    found = {
        scope.name_of(candidate)
        for candidate in scope.all(said_type or "Patient")
        for known in objects(candidate.get("identifier"))
        if (string(known.get("system")), string(known.get("value"))) == (system, value)
    }
    if len(found) == 1 and (found_id := found.pop()):
        how = "has an identifier that one resource of the Bundle carries"
        return Target(said_type or "Patient", found_id, how)
    return Target(said_type, None, "has an identifier only, and no Patient here carries it")

"""Where a Reference leads: into the Bundle, into `contained`, or to a server, whose id it names.

A patient's identity is decided here, so what is doubtful leads nowhere: the id of a contained
Patient means nothing outside its document (every engine calls it `1`), an unresolved `urn:uuid:` is
not the id a server will give, and a bare number may be a record number.

Ids say whose they are (`schemas.identity`). A reference without a base is to the server that the
resource is from, as FHIR has it: that of its fullUrl, its meta.source or its notification, or the
home server. Without configured home bases every base stays, so that no two servers meet.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace

from agents.intake.shape import JsonObject, child, each, objects, string
from schemas.identity import at_home, base_of, canonical_base, qualified

MAX_ID_BYTES = 512
"""As long as `schemas.events.Identifier` allows; FHIR says 64, Epic sends 113."""

MAX_CONTAINED = 1000
"""Contained resources that a reference is looked for among."""

_TYPE = re.compile(r"[A-Z][A-Za-z]+")
SERVER_ID = re.compile(
    r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|(?=.*\d{4}).{8,}", re.IGNORECASE
)
"""What a server gave for an id, not what counts within a document: a UUID, a long number."""
_UUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.IGNORECASE)
MAX_CARRIERS = 8
"""Resources of a Bundle with one identifier that are told apart: more are not one patient."""

Carriers = dict[tuple[str, str | None, str], dict[tuple[str | None, str | None], JsonObject]]
"""By type, system and value of an identifier: the resources that have it, by id and server."""


@dataclass(frozen=True)
class Scope:
    """The Bundle around a resource, and the one around that."""

    by_url: dict[str, JsonObject] = field(default_factory=dict)
    """By fullUrl, and by type and id as relative references name them."""
    carriers: Carriers = field(default_factory=dict)
    outer: Scope | None = None
    urls: dict[int, str] = field(default_factory=dict)
    """The fullUrl of each resource, by its `id()`."""
    homes: Collection[str] = ()
    """Canonical bases of the one server whose ids stand alone."""
    base: str | None = None
    """The server of the resource that is read; None: the home server."""
    bundle: JsonObject = field(default_factory=dict)

    @classmethod
    def around(
        cls,
        entries: Iterable[tuple[str | None, JsonObject]],
        outer: Scope,
        bundle: JsonObject | None = None,
    ) -> Scope:
        """The scope of a Bundle's `entries`: their fullUrls and resources."""
        held = list(entries)
        by_url = {f"{r.get('resourceType')}/{r.get('id')}": r for _, r in held}
        by_url |= {_plain(url): resource for url, resource in held if url}
        carriers: Carriers = {}
        for url, resource in held:
            kind = string(resource.get("resourceType")) or ""
            named = string(resource.get("id")), base_of(url)
            for known in objects(resource.get("identifier")):
                if value := string(known.get("value")):
                    result = carriers.setdefault((kind, string(known.get("system")), value), {})
                    if len(result) <= MAX_CARRIERS:
                        result.setdefault(named, resource)
        urls = {id(resource): url for url, resource in held if url}
        return cls(by_url, carriers, outer, urls, bundle=bundle or {})

    def find(self, url: str) -> JsonObject | None:
        result = self.by_url.get(_plain(url))
        return result if result or not self.outer else self.outer.find(url)

    def url_of(self, resource: JsonObject) -> str | None:
        """The fullUrl of the entry that holds `resource`, where it names a server."""
        url = self.urls.get(id(resource))
        if url is None and self.outer:
            return self.outer.url_of(resource)
        return url if url and url.startswith(("http://", "https://")) else None

    def of(self, resource: JsonObject, homes: Collection[str], base: str | None) -> Scope:
        """The scope in which `resource` is read; `base` is where its notification says it is."""
        source = string(child(resource, "meta", "source"))
        named = f"/{string(resource.get('resourceType'))}/{string(resource.get('id'))}"
        known = source if source and source.endswith(named) else None
        urls = (self.url_of(resource), known)
        result = next(filter(None, map(base_of, urls)), base and canonical_base(base))
        return replace(self, homes=homes, base=result)

    def name(self, local: str, base: str | None = None) -> str | None:
        """The id that says whose it is; `base`: when not the server of the resource itself."""
        return bounded(at_home(qualified(base or self.base, local), self.homes))

    def name_of(self, resource: JsonObject, base: str | None = None) -> str | None:
        """Of a resource in the Bundle. `base`: where the reference to it says so."""
        local = _id_of(resource)
        return self.name(local, base_of(self.url_of(resource)) or base) if local else None

    def carrying(self, resource_type: str, system: str | None, value: str) -> list[JsonObject]:
        outer = self.outer.carrying(resource_type, system, value) if self.outer else []
        return [*self.carriers.get((resource_type, system, value), {}).values(), *outer]


def only_patient(scope: Scope) -> str | None:
    """The Patient of a Bundle that has one, and no document there names another."""
    resources = [child(entry, "resource") for entry in objects(scope.bundle.get("entry"))]
    patients = [r for r in resources if isinstance(r, dict) and r.get("resourceType") == "Patient"]
    ids = {scope.name_of(patient) for patient in patients}
    subjects = {
        resolve(r["subject"], r, scope).id
        for r in resources
        if isinstance(r, dict) and r.get("subject")
    }
    (only,) = ids if len(ids) == 1 else (None,)
    return only if subjects - {None} <= {only} else None


@dataclass(frozen=True)
class Target:
    """What a Reference points to. `id` is one that the server knows, else None."""

    type: str | None = None
    id: str | None = None
    how: str = "names no resource"
    """For messages: why there is no id, or where it is from. Never a value."""


def resolve(reference: object, resource: JsonObject, scope: Scope) -> Target:
    """`reference` is a Reference element of `resource`, which stands in the Bundle `scope`.

    Some write the reference itself in place of the element.
    """
    link = link_of(reference)
    said_type = string(child(reference, "type"))
    if link is None:
        return _by_identifier(child(reference, "identifier"), said_type, scope)
    link = link.partition("/_history/")[0].rstrip("/")
    if link.startswith("#"):
        return _contained(link, resource, scope)
    result = scope.find(link)
    if result is None and (inner := _contained_without_mark(link, resource)):
        return _contained(f"#{string(inner.get('id'))}", resource, scope)
    if result and (found_id := scope.name_of(result, base_of(link))):
        return Target(
            string(result.get("resourceType")), found_id, "leads to a resource of the Bundle"
        )
    if link.startswith("urn:"):
        return Target(said_type, None, "is a urn, and no resource of the Bundle gives its id")
    return _of_server(link, said_type, scope)


def _of_server(link: str, said_type: str | None, scope: Scope) -> Target:
    """Relative or absolute, an id or a search: what stands last in the path says which."""
    head, _, query = link.partition("?")
    *_, parent, last = ["", *head.split("/")]
    if query:
        return _conditional(last, link, scope)
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
    result = bounded(string(resource.get("id")))
    return result if result and "/" not in result else None


def link_of(reference: object) -> str | None:
    return string(reference if isinstance(reference, str) else child(reference, "reference"))


def held(link: str, resource: JsonObject, scope: Scope) -> JsonObject | None:
    """The resource that a link leads to in the record: contained, or in the Bundle."""
    if not link.startswith("#"):
        plain = link.partition("/_history/")[0].rstrip("/")
        return scope.find(plain) or _contained_without_mark(plain, resource)
    inner = objects(each(resource.get("contained"))[:MAX_CONTAINED])
    return next((one for one in inner if string(one.get("id")) == link[1:]), None)


def _contained_without_mark(link: str, resource: JsonObject) -> JsonObject | None:
    """The contained resource that `Patient/1` means where its `#` was forgotten.

    Its id is the document's own: engines call every contained Patient `1`, and all documents of
    such a sender would share one chart. A UUID is nobody's count; a server gave it.
    """
    kind, _, local = link.partition("/")
    if not local or _UUID.fullmatch(local):
        return None
    if kind == "DocumentReference" and SERVER_ID.fullmatch(local):
        return None
    inner = objects(each(resource.get("contained"))[:MAX_CONTAINED])
    return next(
        (r for r in inner if (r.get("resourceType"), string(r.get("id"))) == (kind, local)), None
    )


def searched(link: str | None) -> JsonObject | None:
    """The identifier in `Patient?identifier=system|value`, as transaction Bundles write it."""
    query = (link or "").partition("?")[2]
    name, _, given = query.partition("=")
    system, bar, value = given.rpartition("|")
    if name != "identifier" or not value:
        return None
    return {"value": value} | ({"system": system} if bar else {})


def _plain(url: str) -> str:
    """A urn is the same in upper and lower case (RFC 8141; UUIDs: RFC 9562)."""
    return url.lower() if url[:4].lower() == "urn:" else url


def _contained(link: str, resource: JsonObject, scope: Scope) -> Target:
    inner = held(link, resource, scope)
    if inner is None:
        return Target(how="is not among the contained resources")
    kind = string(inner.get("resourceType"))
    return Target(kind, None, "is contained, so it has no id outside its document")


def _conditional(resource_type: str, link: str, scope: Scope) -> Target:
    identifier = searched(link)
    if identifier is None:
        return Target(resource_type, None, "is a search, not an id")
    return _by_identifier(identifier, resource_type, scope)


def _by_identifier(identifier: object, said_type: str | None, scope: Scope) -> Target:
    system, value = string(child(identifier, "system")), string(child(identifier, "value"))
    if value is None:
        return Target(said_type, None, "is absent or empty")
    carriers = scope.carrying(said_type or "Patient", system, value)
    result = {scope.name_of(candidate) for candidate in carriers}
    if len(result) == 1 and len(carriers) <= MAX_CARRIERS and (found_id := result.pop()):
        how = "has an identifier that one resource of the Bundle carries"
        return Target(said_type or "Patient", found_id, how)
    return Target(said_type, None, "has an identifier only, and no Patient here carries it")

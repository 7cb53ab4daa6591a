"""What a document says of other documents, and its business identifiers.

R4 has `relatesTo.code` as a string, R5 as a CodeableConcept; DSTU2 and STU3 as R4; a Composition
has `targetReference` or `targetIdentifier`, in R5 `type` and `resourceReference`. A target is a
reference to the server, into the Bundle or into `contained`, a urn, or an identifier alone. `signs`
changes nothing; a relation of another kind, or to nobody, is counted and reported, for it may have
been one that matters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from agents.intake.references import SERVER_ID, Scope, bounded, held, link_of, resolve, searched
from agents.intake.shape import JsonObject, child, codes, codings, each, objects, string
from schemas.notes import Relation, RelationKind

MAX_RELATIONS = 64
MAX_IDENTIFIERS = 16
"""More are not kept: the index has 64 KB for both."""

_KINDS = {
    "replaces": RelationKind.REPLACES,
    "replace": RelationKind.REPLACES,
    "supersedes": RelationKind.REPLACES,
    "appends": RelationKind.APPENDS,
    "append": RelationKind.APPENDS,
    "amends": RelationKind.APPENDS,
    "addendum": RelationKind.APPENDS,
    "transforms": RelationKind.TRANSFORMS,
    "transform": RelationKind.TRANSFORMS,
    # IHE XDS (ITI TF-3 4.2.2): MHD 3 wrote these before it said `transforms`. A document that
    # transforms and replaces another leaves nothing of that one in force.
    "xfrm": RelationKind.TRANSFORMS,
    "rplc": RelationKind.REPLACES,
    "apnd": RelationKind.APPENDS,
    "xfrmrplc": RelationKind.REPLACES,
    "transformreplace": RelationKind.REPLACES,
    "transformandreplace": RelationKind.REPLACES,
}
_NO_CHANGE = frozenset({"signs", "sign", "isnapshotwith", "issnapshotwith"})
_DOCUMENTS = ("DocumentReference", "DiagnosticReport", "Composition")
# HL7 v2-0203: numbers of orders, visits and people, which many documents share.
_SHARED = frozenset({"PLAC", "FILL", "ACSN", "VN", "AN", "MR", "PI", "PT", "SB", "PGN", "SID"})
_URN_SYSTEM = "urn:ietf:rfc3986"
_OID = re.compile(r"(?:urn:oid:)?[0-2](?:\.\d+){3,}")


def read_relations(resource: JsonObject, scope: Scope) -> tuple[Relation, ...]:
    """The relations of a document, in its order, each once."""
    kept = dict.fromkeys(relation for relation in _relations(resource, scope) if relation)
    return tuple(kept)[:MAX_RELATIONS]


def relations_not_understood(resource: JsonObject, scope: Scope) -> int:
    """How many say something that is not among what `RelationKind` has, or name no document."""
    return sum(relation is None for relation in _relations(resource, scope))


def _relations(resource: JsonObject, scope: Scope) -> Iterator[Relation | None]:
    for element in objects(resource.get("relatesTo"))[: 4 * MAX_RELATIONS]:
        written = [*codes(element.get("code")), *codes(element.get("type"))]
        names = [re.sub(r"[^a-z]", "", code.lower()) for code in written]
        kind = next((_KINDS[name] for name in names if name in _KINDS), None)
        if kind is None and not _NO_CHANGE.isdisjoint(names):
            continue
        target = _target(element, resource, scope) if kind else None
        yield Relation(kind=kind, target=target) if kind and target else None


def business_identifiers(resource: JsonObject, bundle: JsonObject | None = None) -> tuple[str, ...]:
    """As `system|value`; `masterIdentifier` (R4) is one too. Without numbers of other things."""
    elements = [
        *objects(resource.get("identifier")),
        *objects(resource.get("masterIdentifier")),
        *objects((bundle or {}).get("identifier")),
    ]
    kept = dict.fromkeys(
        named
        for element in elements
        if _SHARED.isdisjoint(string(coding.get("code")) for coding in codings(element.get("type")))
        and (named := as_text(element))
    )
    return tuple(kept)[:MAX_IDENTIFIERS]


def as_text(identifier: object) -> str | None:
    """`system|value`; None without a value, or where it is too long to be kept.

    A urn is its own system (FHIR R4 datatypes, Identifier), however it was written down.
    """
    value = string(child(identifier, "value"))
    system = string(child(identifier, "system")) or ""
    if value and value[:4].lower() == "urn:" and system in ("", _URN_SYSTEM):
        return bounded(f"{_URN_SYSTEM}|{value.lower()}")
    if value and system == _URN_SYSTEM and _OID.fullmatch(value):
        return bounded(f"{_URN_SYSTEM}|urn:oid:{value}")
    return bounded(f"{system}|{value}") if value else None


def _target(element: JsonObject, resource: JsonObject, scope: Scope) -> str | None:
    places = ("target", "targetReference", "resourceReference", "targetIdentifier")
    reference = next((element[place] for place in places if element.get(place)), None)
    reference = next(iter(each(reference)), None)
    target = resolve(reference, resource, scope)
    if target.id and target.type in _DOCUMENTS:
        # Ids are unique for each type only: see `fields`.
        base, bar, local = target.id.rpartition("|")
        kind = "" if target.type == _DOCUMENTS[0] else f"{target.type}/"
        return bounded(f"{base}{bar}{kind}{local}")
    link = link_of(reference)
    inner = held(link, resource, scope) if link else None
    own = string(child(inner, "id")) or ""
    if inner and inner.get("resourceType") == _DOCUMENTS[0] and SERVER_ID.fullmatch(own):
        return scope.name(own)
    named = [*business_identifiers(inner)] if inner else []
    alone = (as_text(child(reference, "identifier")), as_text(searched(link)), as_text(reference))
    urn = as_text({"value": link}) if link and link[:4].lower() == "urn:" else None
    return next(filter(None, (*named, *alone, urn)), None)

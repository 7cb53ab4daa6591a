"""What a document says of other documents, and its business identifiers.

R4 has `relatesTo.code` as a string, R5 as a CodeableConcept; DSTU2 and STU3 as R4. A target is a
reference to the server, into the Bundle or into `contained`, or an identifier alone. What cannot be
resolved to an id or an identifier is left out: a relation to nobody changes nothing. Codes other
than the three that `RelationKind` has (`signs`, IHE's and vendors' own) change nothing either.
"""

from __future__ import annotations

from agents.intake.references import Scope, bounded, held, link_of, resolve
from agents.intake.shape import JsonObject, child, codes, codings, objects, string
from schemas.notes import Relation, RelationKind

MAX_RELATIONS = 64
MAX_IDENTIFIERS = 16
"""More are not kept: the index has 64 KB for both."""

_KINDS = {
    **{kind.value: kind for kind in RelationKind},
    # IHE XDS, as MHD 3 wrote it before it said `transforms`.
    "xfrm": RelationKind.TRANSFORMS,
    "rplc": RelationKind.REPLACES,
    "apnd": RelationKind.APPENDS,
}
_DOCUMENTS = ("DocumentReference", "DiagnosticReport")
# HL7 v2-0203: numbers of orders, visits and people, which many documents share.
_SHARED = frozenset({"PLAC", "FILL", "ACSN", "VN", "AN", "MR", "PI", "PT", "SB"})


def read_relations(resource: JsonObject, scope: Scope) -> tuple[Relation, ...]:
    """The relations of a DocumentReference, in its order, each once."""
    found: dict[Relation, None] = {}
    for element in objects(resource.get("relatesTo"))[: 4 * MAX_RELATIONS]:
        kinds = [kind for code in codes(element.get("code")) if (kind := _KINDS.get(code.lower()))]
        target = _target(element, resource, scope) if kinds else None
        if target:
            found[Relation(kind=kinds[0], target=target)] = None
    return tuple(found)[:MAX_RELATIONS]


def business_identifiers(resource: JsonObject) -> tuple[str, ...]:
    """As `system|value`; `masterIdentifier` (R4) is one too. Without numbers of other things."""
    elements = [*objects(resource.get("identifier")), *objects(resource.get("masterIdentifier"))]
    found = dict.fromkeys(
        named
        for element in elements
        if _SHARED.isdisjoint(string(coding.get("code")) for coding in codings(element.get("type")))
        and (named := as_text(element))
    )
    return tuple(found)[:MAX_IDENTIFIERS]


def as_text(identifier: object) -> str | None:
    """`system|value`; None without a value, or where it is too long to be kept."""
    value = string(child(identifier, "value"))
    system = string(child(identifier, "system")) or ""
    return bounded(f"{system}|{value}") if value else None


def _target(element: JsonObject, resource: JsonObject, scope: Scope) -> str | None:
    reference = element.get("target") or element.get("targetReference")
    found = resolve(reference, resource, scope)
    if found.id and found.type in _DOCUMENTS:
        # Ids are unique for each type only: see `fields`.
        base, bar, local = found.id.rpartition("|")
        kind = "" if found.type == _DOCUMENTS[0] else f"{found.type}/"
        return bounded(f"{base}{bar}{kind}{local}")
    link = link_of(reference)
    inner = held(link, resource, scope) if link else None
    named = [*business_identifiers(inner)] if inner else []
    return next(iter(named), None) or as_text(child(reference, "identifier"))

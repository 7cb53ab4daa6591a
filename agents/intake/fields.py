"""What a resource says, in one shape whatever its FHIR version: found by shape, never by a claim.

R4 `context` is an object with an `encounter` list, DSTU2 and STU3 have one object there, R5 makes
`context` a list; `indexed` became `date`, `created` became `attachment.creation`. Messages do not
name their version, and one feed can mix them, so every field is read from wherever it may stand.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from agents.intake.shape import JsonObject, child, codes, codings, each, objects, string
from schemas.notes import AuthorCategory

TimeSource = Literal["date", "period", "creation", "event"]

LOINC = "http://loinc.org"
_DRAFTS = {"preliminary", "registered", "partial", "cancelled"}
_IN_ERROR = "entered-in-error"
_NULL_FLAVOR = "NullFlavor"
_LABEL_LENGTH = 256
"""Longest note type and title kept, in characters."""

# HL7 v3 ObservationValue: "Artificial Intelligence asserted".
_AI_LABEL = "AIAST"
_AUTHORS = {
    "Practitioner": AuthorCategory.CLINICIAN,
    "PractitionerRole": AuthorCategory.CLINICIAN,
    "CareTeam": AuthorCategory.CLINICIAN,
    "Patient": AuthorCategory.PATIENT,
    "RelatedPerson": AuthorCategory.PATIENT,
    "Device": AuthorCategory.DEVICE,
}


@dataclass(frozen=True)
class Fields:
    """What a resource that carries notes says. References are elements, not yet resolved."""

    resource_type: str
    resource_id: str | None
    identifiers: tuple[str, ...]
    version_id: str | None
    last_updated: object
    entered_in_error: bool
    draft: bool
    subject: object
    encounters: tuple[object, ...]
    authors: tuple[object, ...]
    labels: frozenset[str]
    note_type: str | None
    times: tuple[tuple[TimeSource, object], ...]
    """In order of preference; the attachment's own creation comes after them."""
    attachments: tuple[JsonObject, ...]
    title: str | None


def read_fields(resource: JsonObject) -> Fields | None:
    """None when resources of this type carry no note."""
    if resource.get("resourceType") == "DocumentReference":
        return _document_reference(resource)
    if resource.get("resourceType") == "DiagnosticReport" and resource.get("presentedForm"):
        return _diagnostic_report(resource)
    return None


def _document_reference(resource: JsonObject) -> Fields:
    statuses = {*codes(resource.get("status")), *codes(resource.get("docStatus"))}
    context = resource.get("context")
    contents = objects(resource.get("content"))
    period = child(context, "period", "start") or child(resource, "period", "start")
    return Fields(
        resource_type="DocumentReference",
        resource_id=string(resource.get("id")),
        identifiers=_identifiers(resource),
        version_id=string(child(resource, "meta", "versionId")),
        last_updated=child(resource, "meta", "lastUpdated"),
        entered_in_error=_IN_ERROR in statuses,
        draft=not _DRAFTS.isdisjoint(codes(resource.get("docStatus"))),
        subject=next(iter(each(resource.get("subject"))), None),
        encounters=tuple(_encounters(context)),
        authors=tuple(each(resource.get("author"))),
        labels=_labels(resource),
        note_type=note_type(resource.get("type")) or note_type(resource.get("class")),
        times=(
            ("date", resource.get("date")),
            ("date", resource.get("indexed")),
            ("period", period),
            ("creation", resource.get("created")),
        ),
        attachments=tuple(a for c in contents for a in objects(c.get("attachment"))),
        title=short(string(resource.get("description"))),
    )


def _diagnostic_report(resource: JsonObject) -> Fields:
    """A report whose `presentedForm` is the note. Its `status` is also what docStatus is there."""
    statuses = codes(resource.get("status"))
    resource_id = string(resource.get("id"))
    return Fields(
        resource_type="DiagnosticReport",
        # Ids are unique for each type only; a DocumentReference may have the same one.
        resource_id=resource_id and f"DiagnosticReport/{resource_id}",
        identifiers=_identifiers(resource),
        version_id=string(child(resource, "meta", "versionId")),
        last_updated=child(resource, "meta", "lastUpdated"),
        entered_in_error=_IN_ERROR in statuses,
        draft=not _DRAFTS.isdisjoint(statuses),
        subject=next(iter(each(resource.get("subject"))), None),
        encounters=tuple(each(resource.get("encounter"))),
        authors=(*each(resource.get("resultsInterpreter")), *each(resource.get("performer"))),
        labels=_labels(resource),
        note_type=note_type(resource.get("code")),
        times=(
            ("date", resource.get("effectiveDateTime")),
            ("period", child(resource, "effectivePeriod", "start")),
            ("creation", resource.get("issued")),
        ),
        attachments=tuple(objects(resource.get("presentedForm"))),
        title=None,
    )


def note_type(concept: object) -> str | None:
    """A name for people: LOINC's display, the concept's text, any display, and last any code.

    Vendor codes and NullFlavors stand beside LOINC, in any order, so all codings are looked at.
    """
    known = [c for c in codings(concept) if _NULL_FLAVOR not in (string(c.get("system")) or "")]
    loinc = [c for c in known if string(c.get("system")) == LOINC]
    names = (
        *(string(c.get("display")) for c in loinc),
        *(string(c.get("text")) for c in objects(concept)),
        *(string(c.get("display")) for c in known),
        *(string(c.get("code")) for c in (*loinc, *known)),
    )
    return short(next(filter(None, names), None))


def author_category(types: set[str | None], labels: frozenset[str]) -> AuthorCategory:
    """Who wrote the note. `types` are the resource types of its authors.

    A label "AI asserted" decides. A device beside a clinician is the clinician's tool.
    """
    if any(label.startswith(_AI_LABEL) for label in labels):
        return AuthorCategory.AI
    found = {_AUTHORS[kind] for kind in types if kind in _AUTHORS}
    for category in (AuthorCategory.CLINICIAN, AuthorCategory.PATIENT, AuthorCategory.DEVICE):
        if category in found:
            return category
    return AuthorCategory.UNKNOWN


def _identifiers(resource: JsonObject) -> tuple[str, ...]:
    """Business identifiers as `system|value`; `masterIdentifier`, which names a version, last."""
    found = [*each(resource.get("identifier")), *each(resource.get("masterIdentifier"))]
    return tuple(
        f"{string(one.get('system')) or ''}|{value}"
        for one in objects(found)
        if (value := string(one.get("value")))
    )


def _encounters(context: object) -> list[object]:
    """R4 `context.encounter` (a list), DSTU2/STU3 (an object), R5 `context` (of several types)."""
    if isinstance(context, list):
        return context
    return each(child(context, "encounter"))


def _labels(resource: JsonObject) -> frozenset[str]:
    meta = resource.get("meta")
    places = (child(meta, "security"), child(meta, "tag"), resource.get("securityLabel"))
    return frozenset(code for place in places for code in codes(place))


def short(value: str | None) -> str | None:
    """A label of bounded length."""
    return value[:_LABEL_LENGTH] if value else None

"""What a resource says, in one shape whatever its FHIR version: found by shape, never by a claim.

R4 `context` is an object with an `encounter` list, DSTU2 and STU3 have one object there, R5 makes
`context` a list; `indexed` became `date`, `created` became `attachment.creation`. Messages do not
name their version, and one feed can mix them, so every field is read from wherever it may stand.

A note is evidence from its time on, so that is never earlier than the note can have been known.
`date` (before R4 `indexed`; `issued` of a report) says it. Without it the latest of the others
counts: a discharge summary of 1 to 9 March tells of the 9th although its file, or its stay, began
on the 1st. A time that is too late hides a note from texts of the days between; one that is too
early would let it support what nobody could know.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from itertools import islice
from types import MappingProxyType
from typing import Literal, NamedTuple

from agents.intake.narratives import is_document, narrative_attachments, report_forms
from agents.intake.references import Scope
from agents.intake.shape import JsonObject, child, codes, codings, each, objects, string
from agents.intake.statuses import DRAFT, IN_ERROR, Statuses, meaning_of, statuses_of
from agents.intake.times import parse_time
from schemas.notes import AuthorCategory

TimeSource = Literal["date", "period", "creation", "event"]

NO_STATUSES: Statuses = MappingProxyType({})
LOINC = "http://loinc.org"
_NULL_FLAVOR = "NullFlavor"
MAX_REFERENCES = 256
"""Authors, and encounters, that are looked at."""
MAX_ATTACHMENTS = 32
"""That are looked at: more are not several formats of one note."""
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


class SaidTime(NamedTuple):
    source: TimeSource
    place: str
    """Where in the resource it stands."""
    said: object


@dataclass(frozen=True)
class Fields:
    """What a resource that carries notes says. References are elements, not yet resolved."""

    resource_type: str
    resource_id: str | None
    identifiers: tuple[str, ...]
    version_id: str | None
    last_updated: object
    statuses: frozenset[str]
    """Of status and docStatus, in one spelling (`statuses`)."""
    meanings: frozenset[str]
    """What they mean."""
    subject: object
    encounters: tuple[object, ...]
    authors: tuple[object, ...]
    labels: frozenset[str]
    note_type: str | None
    dates: tuple[SaidTime, ...]
    """The first that can be read is the note's time."""
    times: tuple[SaidTime, ...]
    """Else the latest of these and of the attachment's own creation."""
    attachments: tuple[JsonObject, ...]
    title: str | None

    @property
    def entered_in_error(self) -> bool:
        return IN_ERROR in self.meanings

    @property
    def draft(self) -> bool:
        return DRAFT in self.meanings


def read_fields(
    resource: JsonObject, scope: Scope | None = None, site: Statuses = NO_STATUSES
) -> Fields | None:
    """None when resources of this type carry no note. `site`: what a site's own statuses mean."""
    kind = resource.get("resourceType")
    fields: Fields | None = None
    if kind == "DocumentReference":
        fields = _document_reference(resource)
    elif kind == "DiagnosticReport" and (forms := report_forms(resource)):
        fields = _diagnostic_report(resource, forms)
    elif kind == "Composition" and is_document(resource):
        fields = _composition(resource, scope or Scope())
    if fields is None:
        return None
    return replace(fields, meanings=frozenset(meaning_of(s, site) for s in fields.statuses))


def _document_reference(resource: JsonObject) -> Fields:
    context = resource.get("context")
    contents = objects(resource.get("content"))
    attachments = (one for content in contents for one in objects(content.get("attachment")))
    return Fields(
        resource_type="DocumentReference",
        resource_id=string(resource.get("id")),
        identifiers=_identifiers(resource),
        version_id=string(child(resource, "meta", "versionId")),
        last_updated=child(resource, "meta", "lastUpdated"),
        statuses=statuses_of(resource.get("status"), resource.get("docStatus")),
        meanings=frozenset(),
        subject=next(iter(each(resource.get("subject"))), None),
        encounters=tuple(_encounters(context)[:MAX_REFERENCES]),
        authors=tuple(each(resource.get("author"))[:MAX_REFERENCES]),
        labels=_labels(resource),
        note_type=note_type(resource.get("type")) or note_type(resource.get("class")),
        dates=tuple(SaidTime("date", name, resource.get(name)) for name in ("date", "indexed")),
        times=(
            SaidTime("creation", "created", resource.get("created")),
            *_period("context.period", child(context, "period")),
            *_period("period", resource.get("period")),
        ),
        attachments=tuple(islice(attachments, MAX_ATTACHMENTS)),
        title=short(string(resource.get("description"))),
    )


def _diagnostic_report(resource: JsonObject, forms: list[JsonObject]) -> Fields:
    """A report with its note in `forms`. Its `status` is also what docStatus is there."""
    resource_id = string(resource.get("id"))
    return Fields(
        resource_type="DiagnosticReport",
        # Ids are unique for each type only; a DocumentReference may have the same one.
        resource_id=resource_id and f"DiagnosticReport/{resource_id}",
        identifiers=_identifiers(resource),
        version_id=string(child(resource, "meta", "versionId")),
        last_updated=child(resource, "meta", "lastUpdated"),
        statuses=statuses_of(resource.get("status")),
        meanings=frozenset(),
        subject=next(iter(each(resource.get("subject"))), None),
        # STU3 calls it context.
        encounters=(*each(resource.get("encounter")), *each(resource.get("context")))[
            :MAX_REFERENCES
        ],
        authors=tuple(_performers(resource)[:MAX_REFERENCES]),
        labels=_labels(resource),
        note_type=note_type(resource.get("code")),
        dates=(SaidTime("creation", "issued", resource.get("issued")),),
        times=(
            SaidTime("date", "effectiveDateTime", resource.get("effectiveDateTime")),
            *_period("effectivePeriod", resource.get("effectivePeriod")),
        ),
        attachments=tuple(forms[:MAX_ATTACHMENTS]),
        title=None,
    )


def _composition(resource: JsonObject, scope: Scope) -> Fields:
    """A FHIR document: the narratives of its sections are the note."""
    resource_id = string(resource.get("id"))
    bundle = scope.bundle if scope.bundle.get("type") == "document" else {}
    return Fields(
        resource_type="Composition",
        resource_id=resource_id and f"Composition/{resource_id}",
        identifiers=(*_identifiers(resource), *_identifiers(bundle)),
        version_id=string(child(resource, "meta", "versionId")),
        last_updated=child(resource, "meta", "lastUpdated") or child(bundle, "meta", "lastUpdated"),
        statuses=statuses_of(resource.get("status")),
        meanings=frozenset(),
        subject=next(iter(each(resource.get("subject"))), None),
        encounters=tuple(each(resource.get("encounter"))[:MAX_REFERENCES]),
        authors=tuple(each(resource.get("author"))[:MAX_REFERENCES]),
        labels=_labels(resource),
        note_type=note_type(resource.get("type")) or note_type(resource.get("class")),
        dates=(SaidTime("date", "date", resource.get("date")),),
        times=tuple(
            time
            for event in objects(resource.get("event"))[:MAX_REFERENCES]
            for time in _period("event.period", event.get("period"))
        ),
        attachments=tuple(narrative_attachments(resource, scope)),
        title=short(string(resource.get("title"))),
    )


def _performers(report: JsonObject) -> list[object]:
    """Those who interpreted it, else performed it; in STU3 `performer` is a role and an `actor`."""
    result = [*each(report.get("resultsInterpreter")), *each(report.get("performer"))]
    return [child(one, "actor") or one for one in result]


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
    result = {_AUTHORS[kind] for kind in types if kind in _AUTHORS}
    for category in (AuthorCategory.CLINICIAN, AuthorCategory.PATIENT, AuthorCategory.DEVICE):
        if category in result:
            return category
    return AuthorCategory.UNKNOWN


def note_time(fields: Fields, creation: object, zone: tzinfo) -> tuple[datetime, SaidTime] | None:
    """The note's time and where it is from; `creation` is the attachment's. See the module.

    Whether it lies after the record was received is not asked here (`read`).
    """

    def read(times: Iterable[SaidTime]) -> list[tuple[datetime, SaidTime]]:
        # A stay until the 9th lasts to the end of that day.
        result = ((parse_time(t.said, zone, end_of_day=t.place.endswith(".end")), t) for t in times)
        return [(at, time) for at, time in result if at]

    for dated in read(fields.dates):
        return dated
    others = (SaidTime("creation", "attachment.creation", creation), *fields.times)
    return max(read(others), key=lambda one: one[0], default=None)


def unread_times(fields: Fields, creation: object, zone: tzinfo) -> int:
    """How many of the resource's times are in no form that is known."""
    times = (
        *(time.said for time in (*fields.dates, *fields.times)),
        *(creation, fields.last_updated),
    )
    return sum(time not in (None, "") and parse_time(time, zone) is None for time in times)


def _period(place: str, period: object) -> Iterator[SaidTime]:
    for end in ("end", "start"):
        yield SaidTime("period", f"{place}.{end}", child(period, end))


def _identifiers(resource: JsonObject) -> tuple[str, ...]:
    """Business identifiers as `system|value`; `masterIdentifier`, which names a version, last."""
    result = [*each(resource.get("identifier")), *each(resource.get("masterIdentifier"))]
    return tuple(
        f"{string(one.get('system')) or ''}|{value}"
        for one in objects(result)
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

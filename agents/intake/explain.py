"""Which rule decided what, in plain words: for `chartproof inspect --explain`.

It reads each resource as intake does and then says where every part of the outcome is from. Values
and identifiers are shown, since the file is the caller's own; the note's text is not.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo

from agents.intake.decisions import Decision, of_fields
from agents.intake.envelope import Item
from agents.intake.fields import NO_STATUSES, read_fields
from agents.intake.patient_events import PatientIds, PatientLinks
from agents.intake.read import Reader, Reading, read_items
from agents.intake.reasons import Reason
from agents.intake.statuses import Statuses
from schemas.identity import canonical_base

_ACCEPTED = (
    "Its facts enter the index, unless the index has the same content (unchanged), a newer version "
    "(stale), or a document that counts in its place (replaced, duplicate, other_form)."
)
_MERGE = "The chart of the merged record moves, and what comes under its id later follows."
_DELETION = "The index is asked whose document it is; just one patient must have it. If not: "


@dataclass(frozen=True)
class Explanation:
    """How one resource rejected, and the decisions on the way, in the order they were made."""

    reading: Reading
    decisions: tuple[Decision, ...]


def explain_bytes(  # noqa: PLR0913 - what a site sets
    value: bytes,
    *,
    default_zone: tzinfo = UTC,
    patient_ids: PatientIds | None = None,
    home_bases: Collection[str] = (),
    statuses: Statuses = NO_STATUSES,
    bundle_patient: bool = False,
) -> Iterator[Explanation]:
    """One explanation a resource. Offline; never raises. Parameters as of `read_documents`."""
    items = read_items(value)
    homes = frozenset(map(canonical_base, home_bases))
    now = datetime.now(UTC)
    reader = Reader(now, default_zone, patient_ids or {}, homes, statuses, bundle_patient)
    for number, item in enumerate(items):
        reading = reader.read(item, number, len(items))
        opened = reader.scoped(_opened(item))
        fields = None if item.fault else read_fields(opened.resource, opened.scope, statuses)
        decisions = list(_of_item(item, reading))
        if fields is not None:
            decisions += of_fields(opened, fields, reading, default_zone)
        if reading.partial:
            left = ", ".join(f"{kind}: {count}" for kind, count in sorted(reading.partial.items()))
            decisions.append(Decision("left out", left, "of the resource, not in the note's text"))
        if reading.missing_reference:
            why = "a worker asks its FHIR server; inspect is offline"
            decisions.append(Decision("to fetch", reading.missing_reference, why))
        yield Explanation(reading, (*decisions, _end(reading)))


def _opened(item: Item) -> Item:
    """A notification of a deletion may hold what was deleted."""
    held = item.notification.held if item.notification else None
    return replace(item, resource=held) if held else item


def _of_item(item: Item, reading: Reading) -> Iterator[Decision]:
    notification = item.notification
    if notification is None:
        if item.fault is None:
            known = reading.links is not None or read_fields(item.resource) is not None
            why = "" if known else "carries no note"
            yield Decision("resource", reading.resource_type or "none", why)
        if reading.links:
            yield from _of_patient(reading.links)
        return
    what = "its deletion" if notification.deleted else "its change"
    version = f", version {notification.version}" if notification.version else ""
    yield Decision(
        "resource",
        f"{notification.resource_type}/{notification.id}{version}",
        f"a notification of {what}, without it",
    )


def _of_patient(links: PatientLinks) -> Iterator[Decision]:
    yield Decision("patient", links.patient_id, "id")
    if links.into:
        yield Decision("merged into", links.into, "link replaced-by; active does not say otherwise")
    for other in links.replaces:
        yield Decision("stands for", other, "link replaces")


def _end(reading: Reading) -> Decision:
    if reading.links and reading.reason is None:
        return Decision("ends as", "merge", _MERGE)
    if reading.reason is Reason.DELETION and reading.document_id:
        return Decision("ends as", "retracted, or dead letter", _DELETION + (reading.detail or ""))
    answer = reading.outcome.value.replace("_", " ")
    if reading.reason is None:
        return Decision("ends as", answer, _ACCEPTED)
    return Decision("ends as", f"{answer}: {reading.reason}", reading.detail or "")

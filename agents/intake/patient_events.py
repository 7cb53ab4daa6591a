"""Patient resources: merges, and identifiers that stand for a patient.

A merged record says so by `link`: R4 and STU3 `replaced-by`, DSTU2 and STU3's first drafts
`replace`, both to the record to use instead; the surviving one may say `replaces`. A record that is
`active` again, or has no such link any more, stands on its own. `active: false` alone says nothing
of a merge.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import tzinfo
from pathlib import Path

import orjson

from agents.errors import InvalidEvent
from agents.intake.json import loads
from agents.intake.reasons import Reason, RecordRejected
from agents.intake.references import Scope, Target, bounded, held, link_of, resolve, searched
from agents.intake.relations import as_text
from agents.intake.shape import JsonObject, child, objects, string
from agents.intake.times import parse_time
from schemas.identity import at_home, base_of, canonical_base, qualified
from schemas.notes import DocumentVersion

_REPLACED_BY = frozenset({"replaced-by", "replace"})
MAX_LINKS = 1000
"""Of one Patient that are looked at."""

PatientIds = Mapping[str, str]
"""`system|value` -> the id of the patient who has that identifier."""


@dataclass(frozen=True)
class PatientLinks:
    """What a Patient resource says of merges; ids are as `Scope.name` has them."""

    patient_id: str
    into: str | None
    replaces: tuple[str, ...]
    version: DocumentVersion


def read_patient(
    resource: JsonObject, scope: Scope, zone: tzinfo, known: PatientIds
) -> PatientLinks | None:
    """None for what is no Patient, or one without an id that the server knows.

    Raises `RecordRejected` where it is merged, but nothing says with whom: that is no patient who
    stands alone.
    """
    if resource.get("resourceType") != "Patient":
        return None
    local = string(resource.get("id"))
    patient_id = scope.name(local) if local and "/" not in local else None
    if patient_id is None:
        return None
    result: dict[bool, list[str]] = {True: [], False: []}
    lost: str | None = None
    for link in objects(resource.get("link"))[:MAX_LINKS]:
        kind = string(link.get("type")) or ""
        other = _other(link.get("other"), resource, scope, known)
        if kind not in _REPLACED_BY | {"replaces"} or other.id == patient_id:
            continue
        if other.id:
            result[kind in _REPLACED_BY].append(other.id)
        elif kind in _REPLACED_BY and other.type == "Patient":
            lost = other.how
    into, replaces = result[True], tuple(sorted(set(result[False])))
    active = resource.get("active") is True
    if lost and not into and not active:
        raise RecordRejected(Reason.NO_PATIENT, f"The link replaced-by {lost}.")
    # A record with two successors is a fault that nobody can resolve; the first is taken.
    merged = into[0] if into and not active else None
    given = orjson.dumps([patient_id, merged, sorted(replaces)])
    return PatientLinks(
        patient_id=patient_id,
        into=merged,
        replaces=replaces,
        version=DocumentVersion(
            version_id=string(child(resource, "meta", "versionId")),
            last_updated=parse_time(child(resource, "meta", "lastUpdated"), zone),
            content_hash=hashlib.sha256(given).hexdigest(),
        ),
    )


def _other(reference: object, resource: JsonObject, scope: Scope, known: PatientIds) -> Target:
    result = resolve(reference, resource, scope)
    if result.id or result.type not in (None, "Patient"):
        return result if result.type == "Patient" else Target(result.type)  # a RelatedPerson may be
    return Target("Patient", named_by_identifier(reference, resource, scope, known), result.how)


def named_by_identifier(
    reference: object, resource: JsonObject, scope: Scope, known: PatientIds
) -> str | None:
    """The patient whose identifier a reference of `resource` gives: itself, as a search, or by
    leading to a Patient without an id, contained or new in the Bundle. None where it gives those
    of two patients."""
    if not known:
        return None
    link = link_of(reference)
    inner = held(link, resource, scope) if link else None
    given = [child(reference, "identifier"), searched(link)]
    if child(inner, "resourceType") == "Patient":
        given += objects(child(inner, "identifier"))
    names = filter(None, map(as_text, given))
    result = {known[name] for name in names if name in known}
    return result.pop() if len(result) == 1 else None


def read_identifier_map(path: Path, home_bases: Collection[str] = ()) -> dict[str, str]:
    """`system|value` -> patient id, from a file of Patient resources or of pairs.

    NDJSON of Patient resources (a bulk export's), a Bundle, a list, one Patient, or one object
    `{"system|value": "id", ...}`. An identifier that two patients have is left out: it names
    nobody for certain. An id keeps the base of its entry's fullUrl, as `references` says. Raises
    `InvalidEvent` (reason `not_json`) where the file is none of these.
    """
    body = path.read_bytes()
    try:
        given = [loads(body)]
    except ValueError:
        try:
            given = [loads(line) for line in body.splitlines() if line.strip()]
        except ValueError:
            raise InvalidEvent("not_json", f"{path} is neither JSON nor NDJSON.") from None
    result: dict[str, set[str]] = {}
    homes = frozenset(map(canonical_base, home_bases))
    for node in given:
        for name, patient_id in _pairs(node):
            result.setdefault(name, set()).add(at_home(patient_id, homes))
    return {name: ids.pop() for name, ids in result.items() if len(ids) == 1}


def _pairs(node: object, base: str | None = None) -> list[tuple[str, str]]:
    if isinstance(node, list):
        return [pair for each in node for pair in _pairs(each)]
    if not isinstance(node, dict):
        return []
    kind = node.get("resourceType")
    if kind == "Bundle":
        entries = objects(node.get("entry"))
        urls = [string(entry.get("fullUrl")) for entry in entries]
        return [
            pair
            for entry, url in zip(entries, urls, strict=True)
            for pair in _pairs(entry.get("resource"), base_of(url))
        ]
    if kind == "Patient":
        local = string(node.get("id"))
        patient_id = bounded(qualified(base, local)) if local else None
        names = map(as_text, objects(node.get("identifier")))
        return [(name, patient_id) for name in names if name and patient_id]
    if kind is None:
        return [
            (name, result) for name, given in node.items() if (result := bounded(string(given)))
        ]
    return []

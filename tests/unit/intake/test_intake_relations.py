"""relatesTo, business identifiers and Patient links, in every shape in which they come."""

from __future__ import annotations

import orjson
import pytest

from agents.errors import InvalidEvent
from agents.intake.patient_events import read_identifier_map
from agents.intake.read import read_documents
from agents.intake.reasons import Disposition, Reason
from agents.intake.receive import Intake
from schemas.notes import DocumentDeleted, NoteChanged, NoteRetracted, Relation
from schemas.outcomes import OutcomeRecorded
from schemas.patients import PatientMerged

URN = "urn:uuid:0c3151bd-1cbf-4d64-b04d-cd9187a4c6e0"


def said(relations: tuple[Relation, ...]) -> list[tuple[str, str]]:
    return [(each.kind.value, each.target) for each in relations]


def relates(document, *elements):
    return document | {
        "relatesTo": [
            {"code": code, "target": {"reference": target} if isinstance(target, str) else target}
            for code, target in elements
        ]
    }


@pytest.mark.parametrize("code", [
    pytest.param("replaces", id="R4"),
    pytest.param({"coding": [{"code": "replaces"}]}, id="R5"),
    pytest.param({"coding": [{"code": "x"}, {"code": "RPLC"}]}, id="IHE among others"),
])  # fmt: skip
def test_a_relation_in_each_version(document, read_one, code):
    reading = read_one(relates(document, (code, "DocumentReference/old")))
    assert said(reading.relations) == [("replaces", "old")]


@pytest.mark.parametrize(
    ("target", "name"),
    [
        ("DocumentReference/old", "old"),
        ("DocumentReference/old/_history/3", "old"),
        ("https://e.org/fhir/DocumentReference/old/_history/3", "https://e.org/fhir|old"),
        ("https://e.org/fhir/DiagnosticReport/old", "https://e.org/fhir|DiagnosticReport/old"),
        ("DiagnosticReport/old", "DiagnosticReport/old"),
        ({"type": "DocumentReference", "identifier": {"system": "urn:x", "value": "7"}}, "urn:x|7"),
        ({"identifier": {"value": "7"}}, "|7"),
    ],
)
def test_a_relations_target(document, read_one, target, name):
    assert said(read_one(relates(document, ("appends", target))).relations) == [("appends", name)]


@pytest.mark.parametrize("target", ["Observation/1", "#none", "", {}, None, 7, "x" * 600])
def test_a_target_that_is_no_document_changes_nothing(document, read_one, target):
    reading = read_one(relates(document, ("replaces", target)))
    assert (reading.outcome, reading.relations) == (Disposition.ACCEPTED, ())


@pytest.mark.parametrize("code", ["signs", "xyz", None, 5, {}, {"coding": "replaces"}])
def test_a_signature_or_an_unknown_code_changes_nothing(document, read_one, code):
    assert read_one(relates(document, (code, "DocumentReference/old"))).relations == ()


def test_a_target_in_the_bundle_or_contained(document, read):
    new = {"resourceType": "DocumentReference", "identifier": [{"system": "urn:x", "value": "8"}]}
    document["contained"] = [new | {"id": "in"}]
    document = relates(document, ("replaces", URN), ("transforms", "#in"), ("appends", "urn:b"))
    bundle = {
        "resourceType": "Bundle",
        "entry": [
            {"fullUrl": URN, "resource": {"resourceType": "DocumentReference", "id": "old"}},
            {"fullUrl": "urn:b", "resource": new},
            {"resource": document},
        ],
    }
    reading = read(bundle)[-1]
    assert said(reading.relations) == [
        ("replaces", "old"), ("transforms", "urn:x|8"), ("appends", "urn:x|8"),
    ]  # fmt: skip


def test_many_relations_and_identifiers_are_bounded(document, read_one):
    many = [("appends", f"DocumentReference/{n}") for n in range(500)]
    document["identifier"] = [{"system": "urn:x", "value": str(n)} for n in range(500)]
    reading = read_one(relates(document, *many, *many))
    assert (len(reading.relations), len(reading.identifiers)) == (64, 16)


def test_business_identifiers_without_numbers_of_orders_and_people(document, read_one):
    document["identifier"] = [
        {"system": "urn:x", "value": "7"},
        {"system": "urn:x", "value": "7"},
        {"system": "urn:acc", "value": "A1", "type": {"coding": [{"code": "ACSN"}]}},
        {"system": "urn:y"},
    ]
    document["masterIdentifier"] = {"system": "urn:ietf:rfc:3986", "value": "urn:oid:1.2"}
    assert read_one(document).identifiers == ("urn:x|7", "urn:ietf:rfc:3986|urn:oid:1.2")


async def test_what_is_read_stands_in_the_events(document, clock, record, emitted):
    document["identifier"] = [{"system": "urn:x", "value": "7"}]
    document = relates(document, ("replaces", "DocumentReference/old"))
    lines = [document, document | {"id": "doc-2", "status": "entered-in-error"}]
    await Intake(clock).documents(record(b"\n".join(map(orjson.dumps, lines))), emitted)
    changed, gone = emitted
    assert isinstance(changed, NoteChanged)
    assert isinstance(gone, NoteRetracted)
    for event in (changed, gone):
        assert (said(event.relations), event.identifiers) == ([("replaces", "old")], ("urn:x|7",))
    assert changed.resource_type == "DocumentReference"


async def test_superseded_alone_changes_nothing(document, clock, record, emitted):
    raw = orjson.dumps(document | {"status": "superseded"})
    await Intake(clock).documents(record(raw), emitted)
    assert isinstance(emitted[0], NoteChanged)


@pytest.mark.parametrize("kind", ["DocumentReference", "DiagnosticReport"])
async def test_a_deletion_entry_names_its_document(kind, clock, record, emitted):
    entry = {
        "request": {"method": "DELETE", "url": f"{kind}/9"},
        "response": {"etag": 'W/"4"', "lastModified": "2024-05-01T08:30:00Z"},
    }
    raw = orjson.dumps({"resourceType": "Bundle", "type": "history", "entry": [entry]})
    await Intake(clock).documents(record(raw), emitted)
    [event] = emitted
    assert isinstance(event, DocumentDeleted)
    assert event.document_id == ("9" if kind == "DocumentReference" else "DiagnosticReport/9")
    assert (event.version.version_id, event.reason) == ("4", "deleted")
    assert event.version.last_updated is not None


def patient(*links, **said):
    return {
        "resourceType": "Patient",
        "id": "p",
        "meta": {"versionId": "3"},
        "link": [{"type": kind, "other": {"reference": other}} for kind, other in links],
        **said,
    }


@pytest.mark.parametrize(("resource", "into", "replaces"), [
    pytest.param(patient(("replaced-by", "Patient/q"), active=False), "q", (), id="R4"),
    pytest.param(patient(("replaced-by", "https://e.org/fhir/Patient/q/_history/2")),
                 "https://e.org/fhir|q", (),
                 id="absolute and versioned"),
    pytest.param(patient(("replace", "Patient/q"), active=False), "q", (), id="DSTU2"),
    pytest.param(patient(("replaces", "Patient/r"), ("replaces", "Patient/q"), active=True), None,
                 ("q", "r"), id="the surviving side"),
])  # fmt: skip
def test_a_merge_in_each_shape(read_one, resource, into, replaces):
    reading = read_one(resource)
    assert reading.outcome is Disposition.ACCEPTED
    assert reading.links is not None
    assert (reading.links.into, reading.links.replaces) == (into, replaces)
    assert reading.links.version.version_id == "3"


@pytest.mark.parametrize("resource", [
    pytest.param(patient(), id="no link"),
    pytest.param(patient(active=False), id="inactive alone"),
    pytest.param(patient(("replaced-by", "Patient/q"), active=True), id="active again"),
    pytest.param(patient(("seealso", "Patient/q"), ("refer", "Patient/q")), id="other links"),
    pytest.param(patient(("replaced-by", "Patient/p")), id="to itself"),
    pytest.param(patient(("replaced-by", "RelatedPerson/q")), id="to a relative"),
])  # fmt: skip
async def test_a_patient_that_stands_on_its_own(read_one, clock, record, emitted, resource):
    """It is told to the chart all the same: that is how a merge is undone."""
    reading = read_one(resource)
    assert (reading.outcome, reading.reason) == (Disposition.SKIPPED, Reason.NO_MERGE)
    await Intake(clock).documents(record(orjson.dumps(resource)), emitted)
    [event] = emitted
    assert isinstance(event, PatientMerged)
    assert (event.patient_id, event.into, event.replaces) == ("p", None, ())


def test_a_merge_into_a_patient_of_the_bundle(read):
    bundle = {
        "resourceType": "Bundle",
        "entry": [
            {"fullUrl": URN, "resource": {"resourceType": "Patient", "id": "q"}},
            {"resource": patient(("replaced-by", URN))},
        ],
    }
    assert read(bundle)[-1].links.into == "q"


@pytest.mark.parametrize(
    "other",
    [
        pytest.param({"identifier": {"system": "mrn", "value": "7"}}, id="by identifier"),
        pytest.param({"reference": "Patient?identifier=mrn|7"}, id="conditional"),
    ],
)
def test_a_merge_by_identifier_goes_by_the_map(clock, other):
    merged = patient(active=False, link=[{"type": "replaced-by", "other": other}])
    [reading] = read_documents(
        orjson.dumps(merged), received_at=clock.now(), patient_ids={"mrn|7": "q"}
    )
    assert (reading.outcome, reading.links.into) == (Disposition.ACCEPTED, "q")


@pytest.mark.parametrize(
    "other",
    [
        pytest.param({"identifier": {"system": "mrn", "value": "7"}}, id="by identifier"),
        pytest.param({"reference": URN}, id="a urn of nowhere"),
        pytest.param({"display": "the other one"}, id="nothing"),
    ],
)
async def test_a_merge_into_nobody_is_a_dead_letter_and_undoes_no_merge(
    read_one, clock, record, emitted, other
):
    merged = patient(active=False, link=[{"type": "replaced-by", "other": other}])
    reading = read_one(merged)
    assert (reading.outcome, reading.reason) == (Disposition.DEAD_LETTER, Reason.NO_PATIENT)
    assert "replaced-by" in reading.detail
    with pytest.raises(InvalidEvent, match="replaced-by"):
        await Intake(clock).documents(record(orjson.dumps(merged)), emitted)
    assert emitted == []


@pytest.mark.parametrize(
    ("more", "active", "into"),
    [
        pytest.param([], True, None, id="of one who is active"),
        pytest.param([("replaced-by", "Patient/q")], False, "q", id="beside one that leads on"),
    ],
)
def test_a_link_to_nobody_that_decides_nothing_is_passed_over(read_one, more, active, into):
    nobody = {"type": "replaced-by", "other": {"display": "the other one"}}
    links = [nobody, *patient(*more)["link"]]
    assert read_one(patient(active=active, link=links)).links.into == into


PATIENTS = [
    {"resourceType": "Patient", "id": "p-7", "identifier": [{"system": "mrn", "value": "7"}]},
    {"resourceType": "Patient", "id": "p-8", "identifier": [{"system": "mrn", "value": "8"}]},
    {"resourceType": "Patient", "id": "p-9", "identifier": [{"system": "mrn", "value": "8"}]},
]
FILES = {
    "ndjson": b"\n".join(map(orjson.dumps, PATIENTS)),
    "list": orjson.dumps(PATIENTS),
    "bundle": orjson.dumps(
        {"resourceType": "Bundle", "entry": [{"resource": each} for each in PATIENTS]}
    ),
    "pairs": orjson.dumps({"mrn|7": "p-7"}),
}


@pytest.mark.parametrize("form", FILES)
def test_an_identifier_map(tmp_path, form):
    """An identifier of two patients names nobody."""
    path = tmp_path / "patients"
    path.write_bytes(FILES[form])
    assert read_identifier_map(path) == {"mrn|7": "p-7"}


async def test_a_subject_by_identifier_goes_by_the_map(document, clock, record, emitted):
    known = {"mrn|7": "p-7"}
    document["subject"] = {"identifier": {"system": "mrn", "value": "7"}}
    await Intake(clock, patient_ids=known).documents(record(orjson.dumps(document)), emitted)
    assert emitted[0].patient_id == "p-7"
    document["subject"] = {"identifier": {"system": "mrn", "value": "8"}}
    [reading] = read_documents(orjson.dumps(document), received_at=clock.now(), patient_ids=known)
    assert reading.reason is Reason.NO_PATIENT


def test_a_map_that_is_no_json_is_refused(tmp_path):
    path = tmp_path / "patients.csv"
    path.write_bytes(b"mrn,id\n7,p-7\n")
    with pytest.raises(InvalidEvent, match="neither JSON nor NDJSON"):
        read_identifier_map(path)


async def test_a_draft_after_the_final_version_is_a_skip(document, clock, record, emitted):
    lines = [document | {"docStatus": "final"}, document | {"docStatus": "preliminary"}]
    await Intake(clock).documents(record(b"\n".join(map(orjson.dumps, lines))), emitted)
    final, draft = emitted
    assert isinstance(final, NoteChanged)
    assert isinstance(draft, OutcomeRecorded)
    assert draft.reason == Reason.DRAFT

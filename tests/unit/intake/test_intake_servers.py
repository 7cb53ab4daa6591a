"""Two servers count their ids each for themselves: no two people, or documents, become one."""

from __future__ import annotations

import orjson
import pytest

from agents.intake.patient_events import read_identifier_map
from agents.intake.read import Reading, read_documents
from agents.intake.reasons import Reason
from agents.intake.receive import Intake

A, B = "https://a.example/fhir", "https://b.example/fhir"


def bundle(*entries: dict, kind: str = "searchset") -> dict:
    return {"resourceType": "Bundle", "type": kind, "entry": list(entries)}


def entry(resource: dict, base: str, **more: object) -> dict:
    url = f"{base}/{resource['resourceType']}/{resource['id']}"
    return {"fullUrl": url, "resource": resource, **more}


def ids(reading: Reading) -> tuple[str | None, str | None]:
    return reading.patient_id, reading.document_id


@pytest.fixture
def read_at(received):
    def _read(value: object, *homes: str) -> list[Reading]:
        return read_documents(orjson.dumps(value), received_at=received, home_bases=homes)

    return _read


@pytest.mark.parametrize(
    "reference",
    [f"{B}/Patient/1", f"{B}/Patient/1/_history/2", "HTTPS://B.example:443/fhir/Patient/1/"],
)
def test_a_patient_of_another_server_is_another_patient(document, read_at, reference):
    document["subject"] = {"reference": reference}
    assert read_at(document)[0].patient_id == f"{B}|1"
    assert read_at(document, A)[0].patient_id == f"{B}|1"
    assert read_at(document, A, B)[0].patient_id == "1"
    assert read_at(document, f"{B}/")[0].patient_id == "1"


def test_equal_ids_of_two_servers_in_one_bundle_do_not_meet(document, read_at):
    document["subject"] = {"reference": "Patient/1"}
    both = bundle(entry(document, A), entry(document, B))
    found = [ids(one) for one in read_at(both, A)]
    assert found == [("1", "doc-1"), (f"{B}|1", f"{B}|doc-1")]
    assert [ids(one) for one in read_at(both)] == [
        (f"{A}|1", f"{A}|doc-1"),
        (f"{B}|1", f"{B}|doc-1"),
    ]


def test_a_patient_in_the_bundle_is_of_its_own_server(document, read_at):
    patient = {"resourceType": "Patient", "id": "1", "identifier": [{"value": "77"}]}
    for subject in ({"reference": "Patient/1"}, {"identifier": {"value": "77"}}):
        note = document | {"subject": subject}
        held = bundle({"fullUrl": "urn:uuid:5", "resource": note}, entry(patient, B))
        assert ids(read_at(held)[0]) == (f"{B}|1", "doc-1")


@pytest.mark.parametrize("reference", ["b.example/fhir/Patient/1", "//b.example/fhir/Patient/1"])
def test_a_base_without_a_scheme_is_a_base(document, read_at, reference):
    document["subject"] = {"reference": reference}
    assert read_at(document)[0].patient_id not in (None, "1")


def test_meta_source_says_whose_a_document_is(document, read_at):
    document["meta"] = {"source": f"{B}/DocumentReference/doc-1"}
    assert ids(read_at(document)[0]) == (f"{B}|p-1", f"{B}|doc-1")
    document["meta"] = {"source": "https://b.example/feed#42"}
    assert ids(read_at(document)[0]) == ("p-1", "doc-1")


def test_relations_and_encounters_are_of_the_same_server(document, read_at):
    document["context"] = {"encounter": [{"reference": "Encounter/3"}]}
    document["relatesTo"] = [
        {"code": "replaces", "target": {"reference": "DocumentReference/0"}},
        {"code": "appends", "target": {"reference": "DiagnosticReport/0"}},
    ]
    (found,) = read_at(bundle(entry(document, B)))
    assert found.note.encounter_id == f"{B}|3"
    targets = [one.target for one in found.relations]
    assert targets == [f"{B}|0", f"{B}|DiagnosticReport/0"]


def test_merges_are_between_patients_of_one_server(read_at):
    patient = {
        "resourceType": "Patient",
        "id": "1",
        "link": [{"type": "replaced-by", "other": {"reference": "Patient/2"}}],
    }
    (found,) = read_at(bundle(entry(patient, B)))
    assert (found.patient_id, found.links.into) == (f"{B}|1", f"{B}|2")
    (found,) = read_at(bundle(entry(patient, B)), B)
    assert (found.patient_id, found.links.into) == ("1", "2")


async def test_a_deletion_names_the_document_of_its_server(
    document, read_at, clock, record, emitted
):
    gone = {"fullUrl": f"{B}/DocumentReference/doc-1", "request": {"method": "DELETE"}}
    raw = orjson.dumps(bundle(entry(document, B), gone, kind="history"))
    await Intake(clock, home_bases=[A]).documents(record(raw), emitted)
    assert {one.document_id for one in emitted} == {f"{B}|doc-1"}


def test_an_id_too_long_with_its_base_names_no_patient(document, read_at):
    document["subject"] = {"reference": f"{B}/Patient/" + "x" * 500}
    assert read_at(document)[0].reason is Reason.NO_PATIENT


def test_identifiers_in_a_bundle_lead_to_the_patient_of_its_server(tmp_path):
    patient = {"resourceType": "Patient", "id": "1", "identifier": [{"value": "77"}]}
    path = tmp_path / "patients.json"
    path.write_bytes(orjson.dumps(bundle(entry(patient, B))))
    assert read_identifier_map(path) == {"|77": f"{B}|1"}
    assert read_identifier_map(path, [B]) == {"|77": "1"}

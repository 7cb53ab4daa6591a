"""Whose note it is: references in all their forms, and those that must lead nowhere."""

from __future__ import annotations

from datetime import UTC, datetime

import orjson
import pytest

from agents.intake.read import read_documents
from agents.intake.reasons import Disposition, Reason

RECEIVED = datetime(2024, 6, 1, 12, tzinfo=UTC)

URN = "urn:uuid:0b1f4c1e-0000-4000-8000-000000000001"


@pytest.mark.parametrize(
    "subject",
    [
        {"reference": "Patient/p-1"},
        {"reference": "Patient/p-1/_history/2"},
        {"reference": " Patient/p-1 "},
        {"reference": "p-1", "type": "Patient"},
        [{"reference": "Patient/p-1"}],
        pytest.param("Patient/p-1", id="the reference in place of the element"),
    ],
)
def test_a_patient_reference_in_any_form(document, read_one, subject):
    document["subject"] = subject
    assert read_one(document).patient_id == "p-1"


@pytest.mark.parametrize(
    "subject",
    [
        pytest.param(None, id="absent"),
        pytest.param({}, id="empty"),
        pytest.param("p-1", id="a string that names no type"),
        pytest.param({"display": "Jane"}, id="only a name"),
        pytest.param({"reference": "Patient/"}, id="no id"),
        pytest.param({"reference": "Patient"}, id="only a type"),
        pytest.param({"reference": "12345"}, id="a bare number, which may be a record number"),
        pytest.param({"reference": "Group/1"}, id="a group"),
        pytest.param({"reference": "https://ehr.example"}, id="a server"),
        pytest.param({"reference": URN}, id="a urn that is not in a Bundle"),
        pytest.param({"reference": "#1"}, id="a contained Patient"),
        pytest.param({"reference": "#2"}, id="a contained Patient that is not there"),
        pytest.param({"identifier": {"system": "mrn", "value": "77"}}, id="only an identifier"),
        pytest.param({"reference": "Patient?identifier=mrn|77"}, id="a conditional reference"),
        pytest.param({"reference": "Patient?name=x"}, id="a search"),
        pytest.param({"reference": "Patient/" + "x" * 513}, id="an id too long for the index"),
    ],
)
def test_a_subject_that_leads_to_no_patient_id_is_a_dead_letter(document, read_one, subject):
    document["contained"] = [{"resourceType": "Patient", "id": "1"}]
    document["subject"] = subject
    reading = read_one(document)
    assert (reading.outcome, reading.reason) == (Disposition.DEAD_LETTER, Reason.NO_PATIENT)


@pytest.mark.parametrize(
    "subject",
    [
        pytest.param({"reference": URN}, id="urn"),
        pytest.param({"reference": URN.upper()}, id="urn in upper case"),
        pytest.param({"reference": "Patient?identifier=mrn|77"}, id="conditional"),
        pytest.param({"identifier": {"system": "mrn", "value": "77"}}, id="identifier only"),
        pytest.param(
            {"type": "Patient", "identifier": {"system": "mrn", "value": "77"}}, id="typed"
        ),
    ],
)
def test_a_subject_is_resolved_in_the_bundle(document, read, subject):
    document["subject"] = subject
    patient = {
        "resourceType": "Patient",
        "id": "85",
        "identifier": [{"system": "mrn", "value": "77"}],
    }
    bundle = {
        "resourceType": "Bundle",
        "type": "transaction",
        "entry": [{"resource": document}, {"fullUrl": URN, "resource": patient}],
    }
    assert read(bundle)[0].patient_id == "85"


def test_an_identifier_that_two_patients_carry_resolves_to_neither(document, read):
    document["subject"] = {"identifier": {"system": "mrn", "value": "77"}}
    patients = [
        {"resourceType": "Patient", "id": i, "identifier": [{"system": "mrn", "value": "77"}]}
        for i in ("1", "2")
    ]
    entries = [{"resource": resource} for resource in (document, *patients)]
    assert read({"resourceType": "Bundle", "entry": entries})[0].reason is Reason.NO_PATIENT


def test_a_subject_that_resolves_to_something_else_is_no_patient(document, read):
    document["subject"] = {"reference": URN}
    group = {"resourceType": "Group", "id": "g"}
    entries = [{"resource": document}, {"fullUrl": URN, "resource": group}]
    assert read({"resourceType": "Bundle", "entry": entries})[0].reason is Reason.NO_PATIENT


def test_encounter_and_author_are_resolved_in_the_bundle_too(document, read):
    document |= {
        "context": {"encounter": [{"reference": URN}]},
        "author": [{"reference": "urn:uuid:a"}],
    }
    entries = [
        {"resource": document},
        {"fullUrl": URN, "resource": {"resourceType": "Encounter", "id": "e-5"}},
        {"fullUrl": "urn:uuid:a", "resource": {"resourceType": "Practitioner", "id": "x"}},
    ]
    note = read({"resourceType": "Bundle", "entry": entries})[0].note
    assert (note.encounter_id, note.author_category) == ("e-5", "clinician")


def test_a_resource_in_an_inner_bundle_sees_the_outer_one(document, read):
    document["subject"] = {"reference": URN}
    inner = {"resourceType": "Bundle", "type": "searchset", "entry": [{"resource": document}]}
    outer = {
        "resourceType": "Bundle",
        "type": "batch-response",
        "entry": [
            {"fullUrl": URN, "resource": {"resourceType": "Patient", "id": "85"}},
            {"resource": inner},
        ],
    }
    assert read(outer)[1].patient_id == "85"


@pytest.mark.parametrize(
    ("url", "full_url"),
    [
        ("urn:uuid:b", "urn:uuid:b"),
        ("Binary/b-1", "https://h/fhir/Binary/b-1"),
        ("https://h/fhir/Binary/b-1/_history/1", "https://h/fhir/Binary/b-1"),
        ("https://h/fhir/Binary/b-1", None),
    ],
)
@pytest.mark.parametrize("field", ["data", "content"])
def test_an_attachment_url_to_a_binary_of_the_bundle_is_read(document, read, url, full_url, field):
    binary = {"resourceType": "Binary", "id": "b-1", "contentType": "text/plain", field: "TmEgMTM4"}
    document["content"] = [{"attachment": {"url": url}}]
    entries = [{"resource": document}, {"fullUrl": full_url, "resource": binary}]
    assert read({"resourceType": "Bundle", "entry": entries})[0].note.text == "Na 138"


def test_an_attachment_url_to_a_contained_binary_is_read(document, read_one):
    document["contained"] = [{"resourceType": "Binary", "id": "b", "data": "TmEgMTM4"}]
    document["content"] = [{"attachment": {"url": "#b"}}]
    assert read_one(document).note.text == "Na 138"


@pytest.mark.parametrize("url", ["Binary/other", "Patient/b-1", "b-1"])
def test_an_attachment_url_to_anything_else_stays_a_url(document, read, url):
    binary = {"resourceType": "Binary", "id": "b-1", "data": "TmEgMTM4"}
    document["content"] = [{"attachment": {"url": url}}]
    entries = [
        {"resource": document},
        {"resource": binary},
        {"fullUrl": "urn:uuid:p", "resource": {"resourceType": "Patient", "id": "p"}},
    ]
    assert read({"resourceType": "Bundle", "entry": entries})[0].reason is Reason.URL_ONLY


NEW = {"resourceType": "Patient", "identifier": [{"system": "mrn", "value": "77"}]}


@pytest.mark.parametrize(
    ("changes", "patients"),
    [
        pytest.param(
            {"subject": {"reference": "#p"}, "contained": [NEW | {"id": "p"}]}, (), id="contained"
        ),
        pytest.param({"subject": {"reference": URN}}, (NEW,), id="new in the Bundle"),
        pytest.param({"subject": {"reference": "Patient?identifier=mrn|77"}}, (), id="conditional"),
        pytest.param(
            {"subject": {"type": "Patient", "identifier": {"system": "mrn", "value": "77"}}},
            (),
            id="logical",
        ),
    ],
)
def test_a_patient_without_an_id_is_found_by_the_map_of_identifiers(document, changes, patients):
    entries = [
        {"resource": document | changes},
        *({"fullUrl": URN, "resource": p} for p in patients),
    ]
    raw = orjson.dumps({"resourceType": "Bundle", "type": "transaction", "entry": entries})
    known = {"mrn|77": "p-77", "mrn|78": "p-78"}
    assert read_documents(raw, received_at=RECEIVED, patient_ids=known)[0].patient_id == "p-77"
    without = read_documents(raw, received_at=RECEIVED)[0]
    assert without.reason is Reason.NO_PATIENT
    assert "CHARTPROOF_PATIENT_IDENTIFIERS" in without.detail


def test_identifiers_of_two_patients_of_the_map_name_neither(document):
    both = [{"system": "mrn", "value": "77"}, {"system": "mrn", "value": "78"}]
    document |= {
        "subject": {"reference": "#p"},
        "contained": [NEW | {"id": "p", "identifier": both}],
    }
    known = {"mrn|77": "p-77", "mrn|78": "p-78"}
    (reading,) = read_documents(orjson.dumps(document), received_at=RECEIVED, patient_ids=known)
    assert reading.reason is Reason.NO_PATIENT


def test_the_identifiers_of_a_contained_organization_name_no_patient(document):
    organization = NEW | {"id": "p", "resourceType": "Organization"}
    document |= {"subject": {"reference": "#p"}, "contained": [organization]}
    known = {"mrn|77": "p-77"}
    (reading,) = read_documents(orjson.dumps(document), received_at=RECEIVED, patient_ids=known)
    assert reading.reason is Reason.NO_PATIENT


@pytest.mark.timeout(60)
def test_records_of_many_references_take_no_square_of_their_time(document, read):
    """Seconds for what took minutes: identifiers in a Bundle, contained resources, long urls."""
    patients = [
        {
            "resourceType": "Patient",
            "id": f"{n}",
            "identifier": [{"system": "mrn", "value": f"{n}"}],
        }
        for n in range(8_000)
    ]
    one = document | {"subject": {"identifier": {"system": "mrn", "value": "7"}}, "content": []}
    entries = [{"resource": each} for each in (*patients, *([one] * 8_000))]
    assert read({"resourceType": "Bundle", "entry": entries})[-1].patient_id == "7"
    far = [{"reference": "#x"}] * 20_000
    crowd = {"contained": [{"id": "y"}] * 20_000, "author": far, "context": {"encounter": far}}
    relations = [{"code": "replaces", "target": each} for each in far]
    assert read(document | crowd | {"relatesTo": relations})[0].note
    url = "https://h/" + "AA/1/_history/" * 50_000 + "\nx"
    assert read(document | {"subject": {"reference": url}})[0].reason is Reason.NO_PATIENT
    entry = {"fullUrl": url, "resource": document}
    assert read({"resourceType": "Bundle", "entry": [entry]})[0].document_id == "doc-1"


def test_authors_and_contained_resources_are_looked_for_among_so_many(document, read_one):
    one = {"resourceType": "Practitioner", "id": "p"}
    far = {"author": [{"reference": "#p"}], "contained": [{"id": "x"}] * 1000 + [one]}
    near = far | {"contained": [{"id": "x"}] * 999 + [one]}
    assert read_one(document | far).note.author_category == "unknown"
    assert read_one(document | near).note.author_category == "clinician"
    crowd = [{"display": "x"}] * 256 + [{"reference": "Practitioner/1"}]
    assert read_one(document | {"author": crowd}).note.author_category == "unknown"
    assert read_one(document | {"author": crowd[1:]}).note.author_category == "clinician"
    stays = [{"reference": "EpisodeOfCare/1"}] * 256 + [{"reference": "Encounter/1"}]
    assert read_one(document | {"context": stays}).note.encounter_id is None
    assert read_one(document | {"context": stays[1:]}).note.encounter_id == "1"


@pytest.mark.timeout(60)
def test_one_identifier_of_many_patients_takes_no_square_of_their_time(document, read):
    same = [{"system": "mrn", "value": "7"}]
    patients = [
        {"resourceType": "Patient", "id": f"{n}", "identifier": same} for n in range(20_000)
    ]
    one = {"resourceType": "DocumentReference", "subject": {"identifier": same[0]}}
    entries = [{"resource": each} for each in (*patients, *([one] * 20_000))]
    readings = read({"resourceType": "Bundle", "entry": entries})
    assert readings[-1].reason is Reason.NO_PATIENT


def test_a_patient_who_is_in_the_bundle_many_times_is_one(document, read):
    same = {"system": "mrn", "value": "7"}
    patient = {"resource": {"resourceType": "Patient", "id": "85", "identifier": [same]}}
    entry = {"resource": document | {"subject": {"identifier": same}}}
    bundle = {"resourceType": "Bundle", "entry": [entry, *([patient] * 50)]}
    assert read(bundle)[0].patient_id == "85"


@pytest.mark.timeout(60)
def test_long_urls_of_many_entries_take_no_square_of_their_time(document, read):
    url = "https://h/" + "AA/1/_history/" * 580 + "\nx"
    entries = [{"fullUrl": url, "resource": document}] * 1_700
    assert len(read({"resourceType": "Bundle", "entry": entries})) == len(entries)


@pytest.mark.timeout(60)
def test_links_of_a_patient_are_looked_for_among_so_many(read_one):
    crowd = {"contained": [{"id": "y"}] * 1000, "resourceType": "Patient", "id": "1"}
    far = [{"type": "replaces", "other": {"reference": "#x"}}] * 200_000
    assert read_one(crowd | {"link": far}).reason is Reason.NO_MERGE
    last = {"type": "replaces", "other": {"reference": "Patient/2"}}
    near = read_one(crowd | {"link": [*far[:999], last]})
    assert near.links.replaces == ("2",)

"""The conformance report says what FHIR would say, without values, and gates nothing."""

import json

import pytest

from agents.intake.conformance import conformance
from agents.intake.inspect import conformance_report
from schemas.json_schemas import document_reference_example

R5 = {
    "resourceType": "DocumentReference",
    "status": "current",
    "subject": {"reference": "Patient/p"},
    "context": [{"reference": "Encounter/e"}],
    "relatesTo": [{"code": {"text": "replaces"}, "target": {"reference": "DocumentReference/1"}}],
    "content": [{"attachment": {"contentType": "text/plain", "data": "aGk="}}],
}


@pytest.mark.parametrize(
    ("resource", "release"), [(document_reference_example(), "R4B"), (R5, "R5")]
)
def test_a_resource_that_conforms_to_its_release_has_no_faults(resource, release) -> None:
    found = conformance(resource)
    assert found is not None
    assert (found.release, found.faults) == (release, "")


def test_faults_name_elements_and_kinds_and_no_values() -> None:
    wrong = document_reference_example() | {"date": "Secretvale", "surprise": "Secretvale"}
    found = conformance(wrong)
    assert found is not None
    assert "date" in found.faults
    assert "surprise" in found.faults
    assert "Secretvale" not in found.faults


@pytest.mark.parametrize(
    "resource", [{}, {"resourceType": 7}, {"resourceType": "Gossip"}, {"resourceType": ["x"]}]
)
def test_what_is_no_fhir_resource_has_no_release(resource) -> None:
    assert conformance(resource) is None


def test_each_resource_of_a_bundle_has_its_line() -> None:
    bundle = {
        "resourceType": "Bundle",
        "type": "collection",
        "entry": [
            {"resource": document_reference_example()},
            {"resource": {"resourceType": "DocumentReference"}},
        ],
    }
    good, bad = conformance_report(json.dumps(bundle).encode())
    assert (good["release"], good["conforms"]) == ("R4B", True)
    assert bad["conforms"] is False
    assert bad["faults"]


def test_a_record_that_cannot_be_read_has_a_line_too() -> None:
    [line] = conformance_report(b"not json")
    assert line["release"] is None

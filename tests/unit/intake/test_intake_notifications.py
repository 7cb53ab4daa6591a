"""Notices without a resource, as each sender writes them: what would be fetched, and the ends
without a server."""

from __future__ import annotations

import base64

import orjson
import pytest

from agents.intake.reasons import Disposition, Reason

NAME = "projects/p/locations/eu/datasets/d/fhirStores/s/fhir/DocumentReference/doc-1"


def event_grid(version: object = 2, kind: str = "DocumentReference", what: str = "Updated"):
    return {
        "id": "8b0f",
        "topic": "/subscriptions/s/resourceGroups/g",
        "subject": f"a.fhir.azurehealthcareapis.com/{kind}/doc-1",
        "data": {
            "resourceType": kind,
            "resourceFhirAccount": "a.fhir.azurehealthcareapis.com",
            "resourceFhirId": "doc-1",
            "resourceVersionId": version,
        },
        "eventType": f"Microsoft.HealthcareApis.FhirResource{what}",
        "eventTime": "2026-03-02T09:30:04.5613214Z",
    }


def cloud_event(what: str = "Updated"):
    said = event_grid(what=what)
    return {
        "specversion": "1.0",
        "type": said["eventType"],
        "time": said["eventTime"],
        "data": said["data"],
    }


def pub_sub(data: str = NAME, **attributes: str):
    return {
        "message": {
            "attributes": {"payloadType": "NameOnly", **attributes},
            "data": base64.b64encode(data.encode()).decode(),
            "messageId": "1",
        },
        "subscription": "projects/p/subscriptions/s",
    }


def hapi(operation: str = "UPDATE", payload: str | None = None):
    name = "DocumentReference/doc-1/_history/2"
    inner = {"operationType": operation, "payloadId": name, "payload": payload}
    return {"headers": {"retryCount": 0}, "payload": inner}


def ibm(operation: str = "update", **more: object):
    said = {"location": "DocumentReference/doc-1/_history/2", "resourceId": "doc-1"}
    when = {"lastUpdated": "2026-03-02T09:30:04.561-05:00", "tenantId": "default"}
    return said | when | {"operationType": operation} | more


def status(*focus: str):
    part = [
        {"name": "event-number", "valueString": "7"},
        *({"name": "focus", "valueReference": {"reference": one}} for one in focus),
    ]
    return {
        "resourceType": "Parameters",
        "parameter": [
            {"name": "type", "valueCode": "event-notification"},
            {"name": "notification-event", "part": part},
        ],
    }


def bundle(*entries: dict, bundle_type: str = "history"):
    return {"resourceType": "Bundle", "type": bundle_type, "entry": list(entries)}


def entry(method: str | None = "PUT", url: str = "DocumentReference/doc-1", **more):
    return {"request": {"method": method, "url": url}, **more}


@pytest.mark.parametrize(
    ("value", "missing_reference"),
    [
        pytest.param(
            [event_grid()], "DocumentReference/doc-1/_history/2", id="Azure, version is a number"
        ),
        pytest.param(event_grid("7"), "DocumentReference/doc-1/_history/7", id="Azure, one event"),
        pytest.param(event_grid(None), "DocumentReference/doc-1", id="Azure, no version"),
        pytest.param(cloud_event(), "DocumentReference/doc-1/_history/2", id="Azure, CloudEvents"),
        pytest.param(
            event_grid(kind="DiagnosticReport"), "DiagnosticReport/doc-1/_history/2", id="report"
        ),
        pytest.param(
            pub_sub(action="CreateResource", versionId="MTc0"),
            "DocumentReference/doc-1/_history/MTc0",
            id="Google, name in base64",
        ),
        pytest.param(pub_sub()["message"], "DocumentReference/doc-1", id="Google, pulled"),
        pytest.param(NAME.encode(), "DocumentReference/doc-1", id="Google, the bare name"),
        pytest.param(NAME + "/_history/3", "DocumentReference/doc-1/_history/3", id="JSON string"),
        pytest.param(hapi(), "DocumentReference/doc-1/_history/2", id="HAPI message"),
        pytest.param(
            {"payload": {"payloadId": "DocumentReference/doc-1", "payloadVersion": "4"}},
            "DocumentReference/doc-1/_history/4",
            id="HAPI message, its version beside",
        ),
        pytest.param(hapi()["payload"], "DocumentReference/doc-1/_history/2", id="HAPI, unwrapped"),
        pytest.param(
            bundle(entry(fullUrl="https://h/fhir/DocumentReference/doc-1", response={})),
            "https://h/fhir/DocumentReference/doc-1",
            id="entry with an absolute fullUrl",
        ),
        pytest.param(
            bundle(entry(response={"etag": 'W/"4"'})),
            "DocumentReference/doc-1/_history/4",
            id="entry with an etag",
        ),
        pytest.param(
            bundle({"response": {"location": "DocumentReference/doc-1/_history/5"}}),
            "DocumentReference/doc-1/_history/5",
            id="response with a location",
        ),
        pytest.param(status("DocumentReference/doc-1"), "DocumentReference/doc-1", id="Parameters"),
        pytest.param(
            bundle({"resource": status("DocumentReference/doc-1")}),
            "DocumentReference/doc-1",
            id="a status alone in its Bundle",
        ),
        pytest.param(
            {
                "resourceType": "SubscriptionStatus",
                "notificationEvent": [{"focus": {"reference": "DocumentReference/doc-1"}}],
            },
            "DocumentReference/doc-1",
            id="R5 SubscriptionStatus",
        ),
        pytest.param(
            {
                "resourceType": "AidboxSubscriptionStatus",
                "notificationEvent": [{"focus": {"reference": "DocumentReference/doc-1"}}],
            },
            "DocumentReference/doc-1",
            id="Aidbox' own status",
        ),
        pytest.param(ibm(), "DocumentReference/doc-1/_history/2", id="IBM FHIR Server"),
        pytest.param(
            {"resourceType": "DocumentReference", "id": "doc-1", "meta": {"versionId": "2"}},
            "DocumentReference/doc-1/_history/2",
            id="a resource of id and meta alone",
        ),
    ],
)
def test_a_notice_names_what_to_fetch_and_is_a_skip_without_a_server(
    read_one, value, missing_reference
):
    reading = read_one(value)
    assert (reading.outcome, reading.reason) == (Disposition.SKIPPED, Reason.NO_RESOURCE)
    assert reading.missing_reference == missing_reference
    assert "CHARTPROOF_FHIR_BASES" in reading.detail


@pytest.mark.parametrize(
    ("value", "missing_reference"),
    [
        (event_grid(3, what="Deleted"), "DocumentReference/doc-1/_history/2"),
        (event_grid(1, what="Deleted"), None),
        (event_grid("x" * 5000, what="Deleted"), None),
        (event_grid("9" * 5000, what="Deleted"), None),
        (cloud_event("Deleted"), "DocumentReference/doc-1/_history/1"),
        (pub_sub(action="DeleteResource", versionId="MTc0"), None),
        (hapi("DELETE"), "DocumentReference/doc-1/_history/1"),
        (ibm("delete"), "DocumentReference/doc-1/_history/1"),
        (bundle(entry("DELETE")), None),
        (bundle(entry("DELETE", response={"etag": 'W/"3"'})), "DocumentReference/doc-1/_history/2"),
    ],
)
def test_a_deletion_of_an_unknown_patient_is_a_dead_letter(read_one, value, missing_reference):
    """The version before it would say whose it was."""
    reading = read_one(value)
    assert (reading.outcome, reading.reason) == (Disposition.DEAD_LETTER, Reason.DELETION)
    assert (reading.document_id, reading.missing_reference) == ("doc-1", missing_reference)


def test_a_patient_is_fetched_for_its_merges_and_a_deleted_one_is_not(read_one):
    for value, missing_reference in (
        (event_grid(kind="Patient"), "Patient/doc-1/_history/2"),
        (bundle(entry(url="Patient/1")), "Patient/1"),
    ):
        reading = read_one(value)
        assert (reading.reason, reading.missing_reference) == (
            Reason.NO_RESOURCE,
            missing_reference,
        )
    deleted = read_one(event_grid(kind="Patient", what="Deleted"))
    assert (deleted.reason, deleted.missing_reference) == (Reason.UNSUPPORTED_RESOURCE, None)


@pytest.mark.parametrize("kind", ["Observation", "Binary", "Encounter"])
def test_other_resources_are_not_fetched(read_one, kind):
    for value in (
        event_grid(kind=kind),
        event_grid(kind=kind, what="Deleted"),
        pub_sub(NAME.replace("DocumentReference", kind)),
        bundle(entry(url=f"{kind}/1")),
    ):
        reading = read_one(value)
        assert (reading.reason, reading.missing_reference) == (Reason.UNSUPPORTED_RESOURCE, None)


def test_every_event_of_an_array_has_its_outcome(read):
    found = read([event_grid(1), event_grid(2), event_grid(kind="Binary")])
    assert [r.missing_reference for r in found] == [
        "DocumentReference/doc-1/_history/1",
        "DocumentReference/doc-1/_history/2",
        None,
    ]


def test_a_full_resource_in_a_message_is_read_as_it_is(document, read_one):
    text = orjson.dumps(document).decode()
    for value in (
        pub_sub(text, payloadType="FullResource"),
        hapi(payload=text),
        ibm(resource=document),
    ):
        reading = read_one(value)
        assert (reading.outcome, reading.document_id) == (Disposition.ACCEPTED, "doc-1")


def test_a_deletion_with_the_last_resource_is_a_retraction(document, read_one):
    """Google's sendPreviousResourceOnDelete."""
    text = orjson.dumps(document | {"meta": {"versionId": "old"}}).decode()
    when = "Mon, 02 Mar 2026 09:30:04 GMT"
    reading = read_one(
        pub_sub(text, action="DeleteResource", versionId="new", lastUpdatedTime=when)
    )
    assert (reading.outcome, reading.reason) == (Disposition.RETRACTED, Reason.DELETED)
    assert (reading.patient_id, reading.document_id) == ("p-1", "doc-1")
    assert reading.version.version_id == "new"
    assert reading.version.last_updated.isoformat() == "2026-03-02T09:30:04.999999+00:00"


def test_a_deletion_by_ibms_server_is_of_its_time(document, read_one):
    reading = read_one(ibm("delete", resource=document))
    assert (reading.outcome, reading.reason) == (Disposition.RETRACTED, Reason.DELETED)
    assert reading.version.last_updated.isoformat() == "2026-03-02T14:30:04.561000+00:00"


def test_a_status_beside_the_entries_that_it_tells_of_is_no_notice(document, read):
    entries = ({"resource": status("DocumentReference/doc-1")}, {"resource": document})
    found = read(bundle(*entries, bundle_type="subscription-notification"))
    assert [r.reason for r in found] == [Reason.UNSUPPORTED_RESOURCE, None]


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (bundle(entry("GET")), Reason.NO_RESOURCE),
        (bundle(entry("POST", "DocumentReference")), Reason.NO_RESOURCE),
        (bundle(entry("DELETE", "DocumentReference?identifier=a|b")), Reason.DELETION),
        ({"message": {"data": "not a name"}}, Reason.NOT_FHIR),
        ({"message": {"data": base64.b64encode(b"hello/world").decode()}}, Reason.NOT_FHIR),
        ({"payload": {"payloadId": "x"}}, Reason.NOT_FHIR),
        (b"documents/1", Reason.NOT_JSON),
        (
            {"resourceType": "Binary", "data": base64.b64encode(NAME.encode()).decode()},
            Reason.UNSUPPORTED_RESOURCE,
        ),
    ],
)
def test_what_only_looks_like_a_notice_is_none(read_one, value, reason):
    reading = read_one(value)
    assert (reading.reason, reading.missing_reference) == (reason, None)


def test_a_document_with_content_is_never_a_notice(document, read_one):
    assert read_one(document | {"meta": {"versionId": "2"}}).outcome is Disposition.ACCEPTED

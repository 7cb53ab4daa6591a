"""Attachments by url: what the record itself holds is read, the rest is named to be fetched."""

from __future__ import annotations

import base64

import orjson
import pytest

from agents.adapters.fhir import AttachmentReason
from agents.intake.inspect import inspect_bytes
from agents.intake.reasons import Disposition, Reason

TEXT = "Wound clean and dry. Sutures out on day ten."
BINARY = {
    "resourceType": "Binary",
    "id": "b-1",
    "contentType": "text/plain",
    "data": base64.b64encode(TEXT.encode()).decode(),
}
OLD_BINARY = {name: value for name, value in BINARY.items() if name != "data"} | {
    "content": BINARY["data"]
}


def by_url(document: dict, url: str, **more: object) -> dict:
    return document | {"content": [{"attachment": {"url": url, **more}}]}


def bundle(*entries: dict) -> dict:
    return {"resourceType": "Bundle", "type": "collection", "entry": list(entries)}


@pytest.mark.parametrize("binary", [BINARY, OLD_BINARY], ids=["R4", "STU3"])
@pytest.mark.parametrize(
    ("url", "full_url"),
    [
        ("urn:uuid:0b6c2a5e-6f0f-4a58-9a0a-3b1b6f8c1f11", None),
        ("https://h/fhir/Binary/b-1", None),
        ("https://h/fhir/Binary/b-1/_history/1", "https://h/fhir/Binary/b-1"),
        ("Binary/b-1", "https://h/fhir/Binary/b-1"),
        ("Binary/b-1", "urn:uuid:1"),
    ],
)
def test_a_binary_of_the_bundle_is_read_without_fetching(document, read, binary, url, full_url):
    note = {"resource": by_url(document, url), "fullUrl": "https://h/fhir/DocumentReference/doc-1"}
    held = {"resource": binary, "fullUrl": full_url or url}
    for entries in ((note, held), (held, note)):
        found = {r.resource_type: r for r in read(bundle(*entries))}
        assert found["DocumentReference"].note.text == TEXT
        assert found["Binary"].reason is Reason.UNSUPPORTED_RESOURCE


def test_a_contained_binary_is_read(document, read_one):
    document["contained"] = [BINARY]
    assert read_one(by_url(document, "#b-1")).note.text == TEXT


def test_another_resource_of_the_bundle_is_no_note(document, read):
    url = "urn:uuid:0b6c2a5e-6f0f-4a58-9a0a-3b1b6f8c1f11"
    patient = {"resourceType": "Patient", "id": "p-1"}
    note, _ = read(
        bundle(
            {"resource": by_url(document, url, contentType="text/plain")},
            {"resource": patient, "fullUrl": url},
        )
    )
    assert (note.reason, note.missing_reference) == (Reason.UNSUPPORTED_CONTENT_TYPE, None)


def test_a_data_url_is_read(document, read_one):
    assert read_one(by_url(document, f"data:text/plain;base64,{BINARY['data']}")).note.text == TEXT


@pytest.mark.parametrize("url", ["#none", "urn:uuid:none", "urn:oid:1.2.3"])
def test_a_link_into_the_record_that_leads_nowhere_is_never_fetched(document, read_one, url):
    reading = read_one(by_url(document, url))
    assert (reading.reason, reading.missing_reference) == (Reason.ATTACHMENT_NOT_FOUND, None)


def test_another_servers_binary_of_the_same_id_is_not_taken(document, read):
    note, _ = read(
        bundle(
            {"resource": by_url(document, "https://other/fhir/Binary/b-1")},
            {"resource": BINARY, "fullUrl": "https://h/fhir/Binary/b-1"},
        )
    )
    assert (note.reason, note.missing_reference) == (
        Reason.URL_ONLY,
        "https://other/fhir/Binary/b-1",
    )


@pytest.mark.parametrize(
    ("url", "full_url", "missing_reference"),
    [
        ("Binary/9", None, "Binary/9"),
        ("/fhir/Binary/9", None, "/fhir/Binary/9"),
        ("https://h/fhir/Binary/9?sig=1", None, "https://h/fhir/Binary/9?sig=1"),
        ("Binary/9", "urn:uuid:5", "Binary/9"),
        ("Binary/9", "https://h/fhir/DocumentReference/doc-1", "https://h/fhir/Binary/9"),
    ],
)
def test_a_relative_url_is_relative_to_the_server_of_the_entry(
    document, read_one, url, full_url, missing_reference
):
    reading = read_one(bundle({"resource": by_url(document, url), "fullUrl": full_url}))
    assert (reading.outcome, reading.reason) == (Disposition.SKIPPED, Reason.URL_ONLY)
    assert reading.missing_reference == missing_reference


def test_nothing_is_fetched_where_something_at_hand_can_be_read(document, read_one):
    document["content"].insert(0, {"attachment": {"url": "Binary/1", "contentType": "text/plain"}})
    reading = read_one(document)
    assert (reading.outcome, reading.missing_reference) == (Disposition.ACCEPTED, None)


def test_of_several_urls_the_one_that_loses_least_is_fetched_first(document, read_one):
    kinds = ["application/pdf", "application/rtf", "text/plain; charset=utf-8", "text/html"]
    document["content"] = [
        {"attachment": {"url": f"Binary/{number}", "contentType": kind}}
        for number, kind in enumerate(kinds)
    ]
    assert read_one(document).missing_reference == "Binary/2"


def test_data_that_cannot_be_read_beside_a_url_wants_the_url(document, read_one):
    document["content"].insert(0, {"attachment": {"url": "Binary/1"}})
    document["content"][1]["attachment"]["data"] = "%%%"
    reading = read_one(document)
    assert (reading.reason, reading.missing_reference) == (Reason.BAD_BASE64, "Binary/1")


def test_a_retraction_that_only_its_text_identifies_wants_the_text(document, read_one):
    del document["id"]
    reading = read_one(by_url(document, "Binary/1") | {"status": "entered-in-error"})
    assert (reading.reason, reading.missing_reference) == (Reason.NO_IDENTITY, "Binary/1")


def test_inspect_says_offline_that_it_would_be_fetched(document):
    (row,) = inspect_bytes(orjson.dumps(by_url(document, "https://h/fhir/Binary/1")))
    assert row["reason"] == "url_only"
    assert "would be fetched" in row["detail"]


def test_every_end_of_a_fetch_is_a_reason():
    for code in AttachmentReason:
        skipped = code in {AttachmentReason.NOT_FOUND, AttachmentReason.URL_NOT_ALLOWED}
        expected = Disposition.SKIPPED if skipped else Disposition.DEAD_LETTER
        (reason,) = [one for one in Reason if one.value == code.value]
        assert reason.entry.disposition is expected

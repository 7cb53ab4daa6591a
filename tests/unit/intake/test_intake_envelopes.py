"""What one record may hold: a resource, a Bundle of any type, NDJSON, a list, an envelope."""

from __future__ import annotations

import codecs

import orjson
import pytest

from agents.intake.reasons import Disposition, Reason
from schemas.topics import MAX_INBOUND_BYTES

OTHER = {"resourceType": "Observation", "id": "o"}
BUNDLE_TYPES = [
    "document", "message", "transaction", "transaction-response", "batch", "batch-response",
    "history", "searchset", "collection", "subscription-notification", "nonsense", None,
]  # fmt: skip


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (None, Reason.EMPTY),
        (b"", Reason.EMPTY),
        (b" \r\n\t ", Reason.EMPTY),
        (codecs.BOM_UTF8, Reason.EMPTY),
        (b"MSH|^~\\&|SRC|HOSP", Reason.NOT_JSON),
        (b"<ClinicalDocument/>", Reason.NOT_JSON),
        (b'{"resourceType": "DocumentReference", ', Reason.NOT_JSON),
        (b'{"a": 1}\n{"b": 2}\n', Reason.NOT_JSON),
        (b"\x00\x01\x02\xff", Reason.NOT_JSON),
        (b"[" * 5000, Reason.NOT_JSON),
        (b"[" * 900 + b"]" * 900, Reason.NOT_FHIR),
        (b"{}", Reason.NOT_FHIR),
        (b'"text"', Reason.NOT_FHIR),
        (b"12", Reason.NOT_FHIR),
        (b"null", Reason.NOT_FHIR),
        (b'{"resourceType": 7}', Reason.UNSUPPORTED_RESOURCE),
        (b'{"resourceType": ["DocumentReference"]}', Reason.NOT_FHIR),
        (b"[]", Reason.NO_DOCUMENTS),
        (b'{"resourceType": "Bundle"}', Reason.NO_DOCUMENTS),
        (b'{"resourceType": "Bundle", "entry": []}', Reason.NO_DOCUMENTS),
        (b'{"resourceType": "Bundle", "entry": null}', Reason.NO_DOCUMENTS),
        (b'{"resourceType": "Bundle", "entry": [7]}', Reason.NOT_FHIR),
        (b'{"resourceType": "Bundle", "entry": [{"resource": "x"}]}', Reason.NOT_FHIR),
        (b'{"resourceType": "Observation"}', Reason.UNSUPPORTED_RESOURCE),
        (b'{"resourceType": "Nonsense"}', Reason.UNSUPPORTED_RESOURCE),
    ],
)
def test_a_record_without_a_document_ends_with_its_reason(read_one, value, reason):
    reading = read_one(value)
    assert (reading.reason, reading.outcome) == (reason, reason.said.disposition)


def test_a_record_of_20_megabytes_is_too_large(read_one):
    assert read_one(b" " * 20_000_000).reason is Reason.TOO_LARGE
    assert read_one(b" " * MAX_INBOUND_BYTES).reason is Reason.EMPTY


@pytest.mark.parametrize(
    "encode",
    [
        pytest.param(lambda raw: codecs.BOM_UTF8 + raw, id="UTF-8 with a mark"),
        pytest.param(lambda raw: raw.decode().encode("utf-16"), id="UTF-16 with a mark"),
        pytest.param(lambda raw: raw.decode().encode("utf-16-le"), id="UTF-16 without a mark"),
        pytest.param(lambda raw: raw.decode().encode("cp1252"), id="Windows-1252"),
        pytest.param(lambda raw: b"\r\n  " + raw + b"\r\n", id="white space around"),
        pytest.param(lambda raw: orjson.dumps(orjson.loads(raw), option=orjson.OPT_INDENT_2)),
    ],
)
def test_json_in_any_encoding(document, read_one, encode):
    document["description"] = "Größe"
    reading = read_one(encode(orjson.dumps(document)))
    assert reading.note.title == "Größe"


def test_half_an_emoji_does_not_lose_the_note(document, read_one):
    raw = orjson.dumps(document | {"description": "cut HERE"}).replace(b"HERE", rb"\ud83d")
    assert read_one(raw).note.title == "cut �"


def test_an_escaped_backslash_before_u_is_no_escape(document, read_one):
    raw = orjson.dumps(document | {"description": "HERE"}).replace(b"HERE", rb"\\ud83d \udc00")
    assert read_one(raw).note.title == r"\ud83d �"


@pytest.mark.parametrize("bundle_type", BUNDLE_TYPES)
def test_a_bundle_of_any_type_gives_each_resource_its_outcome(document, read, bundle_type):
    bundle = {
        "resourceType": "Bundle",
        "type": bundle_type,
        "entry": [{"resource": OTHER}, {"resource": document}, {"response": {"status": "201"}}],
    }
    readings = read(bundle)
    assert {r.place: r.reason for r in readings} == {
        "entry 0": Reason.UNSUPPORTED_RESOURCE,
        "entry 1": None,
        "entry 2": Reason.NO_RESOURCE,
    }
    assert [(r.item, r.items) for r in readings] == [(0, 3), (1, 3), (2, 3)]


def test_a_history_is_applied_oldest_first(document, read):
    newer = document | {"meta": {"versionId": "2"}}
    older = document | {"meta": {"versionId": "1"}}
    entries = [{"resource": newer}, {"resource": older}]
    history = {"resourceType": "Bundle", "type": "history", "entry": entries}
    assert [r.version.version_id for r in read(history)] == ["1", "2"]


@pytest.mark.parametrize("bad", [7, None, {"resource": []}, {"resource": {}}, []])
def test_an_entry_that_cannot_be_read_does_not_lose_its_neighbours(document, read, bad):
    bundle = {"resourceType": "Bundle", "entry": [{"resource": document}, bad, {"resource": OTHER}]}
    first, second, third = read(bundle)
    assert first.outcome is Disposition.ACCEPTED
    assert second.outcome in (Disposition.DEAD_LETTER, Disposition.SKIPPED)
    assert third.outcome is Disposition.SKIPPED


def test_a_deletion_entry_is_not_passed_over_in_silence(read_one):
    request = {"method": "DELETE", "url": "DocumentReference/doc-1"}
    bundle = {"resourceType": "Bundle", "type": "transaction", "entry": [{"request": request}]}
    assert read_one(bundle).reason is Reason.DELETION
    request["url"] = "Observation/1"
    assert read_one(bundle).reason is Reason.UNSUPPORTED_RESOURCE


def test_bundles_nest_only_so_far_and_beyond_nothing_is_lost(document, read_one):
    nested = document
    for depth in range(60):
        nested = {"resourceType": "Bundle", "entry": [{"resource": nested}]}
        expected = None if depth < 8 else Reason.NOT_FHIR
        assert read_one(nested).reason is expected


@pytest.mark.parametrize("newline", [b"\n", b"\r\n"])
def test_ndjson_gives_each_line_its_outcome(document, read, newline):
    lines = [orjson.dumps(document), b"", orjson.dumps(OTHER), b'{"cut": ', b"[1]", b""]
    readings = read(newline.join(lines))
    assert [(r.place, r.reason) for r in readings] == [
        ("line 1", None),
        ("line 3", Reason.UNSUPPORTED_RESOURCE),
        ("line 4", Reason.NOT_JSON),
        ("line 5, element 0", Reason.NOT_FHIR),
    ]


def test_ndjson_with_a_mark_and_a_line_in_another_charset(document, read):
    line = orjson.dumps(document | {"description": "Größe"})
    raw = codecs.BOM_UTF8 + line + b"\n" + line.decode().encode("cp1252") + b"\n"
    assert [r.note.title for r in read(raw)] == ["Größe", "Größe"]


@pytest.mark.parametrize(
    "wrap",
    [
        lambda document: [document],
        lambda document: {"resource": document, "fullUrl": "x"},
        lambda document: {"specversion": "1.0", "type": "t", "data": document},
        lambda document: {"schema": None, "payload": document},
    ],
)
def test_envelopes_are_opened(document, read_one, wrap):
    assert read_one(wrap(document)).outcome is Disposition.ACCEPTED


def test_a_notice_without_a_resource_says_so(read_one):
    notice = {
        "eventType": "FhirResourceCreated",
        "data": {"resourceType": "DocumentReference", "resourceFhirId": "1"},
    }
    assert read_one([notice]).reason is Reason.NO_RESOURCE

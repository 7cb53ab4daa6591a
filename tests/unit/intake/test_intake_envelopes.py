"""What one record may hold: a resource, a Bundle of any type, NDJSON, a list, an envelope."""

from __future__ import annotations

import base64
import codecs
import gzip

import orjson
import pytest

from agents.intake import body, envelope
from agents.intake.reasons import Disposition, Reason
from schemas.topics import MAX_INBOUND_BYTES

X = b'{"resourceType":"X"}'
OTHER = {"resourceType": "Observation", "id": "o"}
BUNDLE_TYPES = [
    "document", "message", "transaction", "transaction-response", "batch", "batch-response",
    "history", "searchset", "collection", "subscription-notification", "nonsense", None,
]  # fmt: skip


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (None, Reason.TOMBSTONE),
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
    assert (reading.reason, reading.outcome) == (reason, reason.entry.disposition)


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


@pytest.mark.parametrize(
    "shape",
    [
        pytest.param(lambda n: b"[" + b",".join([b"7"] * n) + b"]", id="list"),
        pytest.param(lambda n: b'{"data":[' + b",".join([X] * n) + b"]}", id="envelope"),
        pytest.param(lambda n: X + b"\nx" * (n - 1), id="lines"),
        pytest.param(lambda n: X * n, id="values"),
        pytest.param(lambda n: X + b"\n[" + b"7," * (n - 2) + b"7]", id="line"),
    ],
)
def test_a_record_of_too_many_resources_is_too_large(read, shape, monkeypatch):
    monkeypatch.setattr(envelope, "MAX_ITEMS", 100)
    monkeypatch.setattr(body, "MAX_ITEMS", 100)
    assert len(read(shape(100))) in (1, 100)
    assert [r.reason for r in read(shape(101))] == [Reason.TOO_LARGE]


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
    notification = {
        "eventType": "FhirResourceCreated",
        "data": {"resourceType": "DocumentReference", "resourceFhirId": "1"},
    }
    assert read_one([notification]).reason is Reason.NO_RESOURCE


@pytest.mark.parametrize(
    "wrap",
    [
        pytest.param(
            lambda said: {"schema": {"type": "string"}, "payload": orjson.dumps(said).decode()},
            id="Kafka Connect, JSON as a string",
        ),
        pytest.param(
            lambda said: {"payload": {"before": None, "after": {"id": 7, "body": said}, "op": "u"}},
            id="Debezium",
        ),
        pytest.param(
            lambda said: {
                "specversion": "1.0",
                "data_base64": base64.b64encode(orjson.dumps(said)).decode(),
            },
            id="CloudEvents, base64",
        ),
        pytest.param(lambda said: {"detail-type": "note", "detail": said}, id="EventBridge"),
        pytest.param(
            lambda said: {"Type": "Notification", "Message": orjson.dumps(said).decode()}, id="SNS"
        ),
        pytest.param(
            lambda said: {"Records": [{"messageId": "1", "body": orjson.dumps(said).decode()}]},
            id="SQS",
        ),
        pytest.param(lambda said: {"records": [{"key": "k", "value": said}]}, id="REST Proxy"),
        pytest.param(lambda said: orjson.dumps(said).decode(), id="a string that is JSON"),
        pytest.param(lambda said: {"payload": {"data": {"payload": said}}}, id="three of them"),
    ],
)
def test_an_envelope_of_each_carrier_is_opened(document, read_one, wrap):
    reading = read_one(wrap(document))
    assert (reading.outcome, reading.document_id) == (Disposition.ACCEPTED, "doc-1")


def test_all_places_of_an_envelope_that_hold_a_resource_are_read(document, read):
    patient = {"resourceType": "Patient", "id": "p-1"}
    readings = read({"resource": patient, "value": {"unit": "mg"}, "data": document})
    assert [r.document_id for r in readings] == [None, "doc-1"]


def test_parameters_of_a_bundle_that_hold_resources_are_read(document, read):
    held = [
        {
            "resourceType": "Parameters",
            "parameter": [{"name": "r", "resource": document | {"id": i}}],
        }
        for i in ("a", "b")
    ]
    bundle = {"resourceType": "Bundle", "entry": [{"resource": each} for each in held]}
    assert [r.document_id for r in read(bundle)] == ["a", "b"]


def test_what_a_sender_calls_a_parameter_is_not_said(document, read_one):
    named = {"name": "Jane Roe", "resource": document | {"subject": None}}
    reading = read_one({"resourceType": "Parameters", "parameter": [named]})
    assert (reading.reason, reading.place) == (Reason.NO_PATIENT, "parameter 0")


def test_of_a_row_before_and_after_its_change_the_one_after_counts(document, read_one):
    change = {"before": document | {"id": "old"}, "after": document}
    assert read_one({"payload": change}).document_id == "doc-1"


def test_a_notice_in_an_envelope_is_a_notice(read_one):
    notification = {
        "eventType": "Microsoft.HealthcareApis.FhirResourceUpdated",
        "data": {"resourceType": "DocumentReference", "resourceFhirId": "1"},
    }
    sent = {"schema": {}, "payload": orjson.dumps(notification).decode()}
    assert read_one(sent).missing_reference == "DocumentReference/1"


@pytest.mark.parametrize("value", [{"message": "hello"}, {"data": "e30="}, {"payload": {"a": []}}])
def test_an_envelope_around_no_resource_is_not_fhir(read_one, value):
    assert read_one(value).reason is Reason.NOT_FHIR


def test_envelopes_nest_only_so_far(document, read_one):
    nested = document
    for depth in range(200):
        nested = {"payload": nested}
        assert (read_one(nested).reason is None) == (depth < 8)


@pytest.mark.parametrize(
    "encode",
    [
        pytest.param(gzip.compress, id="gzip"),
        pytest.param(lambda raw: b"\0\0\0\0\x07" + raw, id="schema registry"),
    ],
)
def test_what_a_producer_puts_around_a_value_is_taken_off(document, read_one, encode):
    assert read_one(encode(orjson.dumps(document))).outcome is Disposition.ACCEPTED


def test_a_gzipped_value_is_bounded_and_named_when_damaged(document, read_one):
    packed = gzip.compress(orjson.dumps(document))
    damaged = read_one(packed[:-12])
    assert (damaged.reason, "gzip" in damaged.detail) == (Reason.NOT_JSON, True)
    for size in (MAX_INBOUND_BYTES + 1, 40 * 1024 * 1024):
        assert read_one(gzip.compress(bytes(size))).reason is Reason.TOO_LARGE


@pytest.mark.parametrize(
    ("said", "field"),
    [
        pytest.param(b'"size": NaN, "hash": -Infinity', "cut", id="NaN"),
        pytest.param(b'"_a": "1\n\t2"', "cut", id="a line break as it is in a string"),
    ],
)
def test_json_that_only_its_writer_thinks_valid(document, read_one, said, field):
    raw = orjson.dumps(document | {"description": field})[:-1] + b"," + said + b"}"
    assert read_one(raw).note.title == field


def test_the_last_of_two_equal_keys_counts(document, read_one):
    raw = orjson.dumps(document)[:-1] + b',"id":"doc-9"}'
    assert read_one(raw).document_id == "doc-9"


def test_json_that_could_mean_two_things_is_refused_with_its_place(document, read_one):
    raw = orjson.dumps(document)[:-1] + b",}"
    reading = read_one(raw)
    assert reading.reason is Reason.NOT_JSON
    assert f"at byte {len(raw) - 2}" in reading.detail
    assert "too deep" in read_one(b'{"a":' + b"[" * 200_000 + b"]" * 200_000 + b"}").detail


@pytest.mark.parametrize(
    ("between", "indent", "places"),
    [
        pytest.param(b"", 0, ["line 1, value 1", "line 1, value 2"], id="nothing between"),
        pytest.param(b"\n", orjson.OPT_INDENT_2, ["value 1", "value 2"], id="over many lines"),
        pytest.param(b"\n\x1e", orjson.OPT_INDENT_2, ["value 1", "value 2"], id="RFC 7464"),
    ],
)
def test_json_values_one_behind_the_other(document, read, between, indent, places):
    one, two = (orjson.dumps(document | {"id": name}, option=indent) for name in ("a", "b"))
    readings = read(between.lstrip(b"\n") + one + between + two)
    assert [(r.document_id, r.place) for r in readings] == list(zip("ab", places, strict=True))


def test_a_reference_on_a_line_of_a_broken_record_is_no_notice(document, read_one):
    broken = orjson.dumps({"a": ["DocumentReference/5"]}, option=orjson.OPT_INDENT_2)[:-1] + b",}"
    assert read_one(broken).reason is Reason.NOT_JSON
    assert read_one(b'"DocumentReference/5"').reason is Reason.NO_RESOURCE


@pytest.mark.timeout(30)
def test_a_body_of_broken_lines_is_given_up_early(read_one):
    assert read_one(b'{"a\n' * 1_000_000).reason is Reason.NOT_JSON


def test_wide_text_is_no_wire_format(document, read_one):
    raw = ("  " + orjson.dumps(document).decode()).encode("utf-16-be")
    assert raw[5:6] == b"{"
    assert read_one(raw).outcome is Disposition.ACCEPTED


def test_values_before_a_cut_are_kept(document, read):
    raw = orjson.dumps(document, option=orjson.OPT_INDENT_2)
    readings = read(raw + b"\n" + raw[:-20])
    assert [(r.place, r.reason) for r in readings] == [
        ("value 1", None),
        ("value 2", Reason.NOT_JSON),
    ]


def test_lines_of_notices_and_envelopes_are_lines(document, read):
    notification = {
        "eventType": "Microsoft.HealthcareApis.FhirResourceUpdated",
        "data": {"resourceType": "DocumentReference", "resourceFhirId": "1"},
    }
    lines = [orjson.dumps(notification), b"{", orjson.dumps({"payload": document})]
    assert [r.reason for r in read(b"\n".join(lines))] == [
        Reason.NO_RESOURCE,
        Reason.NOT_JSON,
        None,
    ]
    assert [r.missing_reference for r in read(lines[0] + b"\n" + lines[0])] == [
        "DocumentReference/1"
    ] * 2


@pytest.mark.parametrize("inside", ["parameter", "part"])
def test_what_parameters_hold_is_read(document, read_one, inside):
    held = {"name": "note", "resource": document}
    parameter = held if inside == "parameter" else {"name": "input", "part": [held]}
    reading = read_one({"resourceType": "Parameters", "parameter": [parameter]})
    assert (reading.outcome, reading.place) == (Disposition.ACCEPTED, "parameter 0")


@pytest.mark.parametrize(
    "patch",
    [
        {"resourceType": "Binary", "contentType": "application/json-patch+json", "data": "W10="},
        {"resourceType": "Parameters", "parameter": [{"name": "operation"}]},
    ],
)
def test_a_patched_document_is_fetched_as_it_is_now(read_one, patch):
    entry = {"resource": patch, "request": {"method": "PATCH", "url": "DocumentReference/doc-1"}}
    reading = read_one({"resourceType": "Bundle", "type": "transaction", "entry": [entry]})
    assert (reading.reason, reading.missing_reference) == (
        Reason.NO_RESOURCE,
        "DocumentReference/doc-1",
    )
    entry["request"]["url"] = "DocumentReference?identifier=a|b"
    reading = read_one({"resourceType": "Bundle", "type": "transaction", "entry": [entry]})
    assert (reading.reason, reading.missing_reference) == (Reason.NO_RESOURCE, None)


@pytest.mark.parametrize("response", [{"etag": 'W/"3"'}, {}])
def test_a_deletion_that_holds_what_was_deleted_is_no_note(document, read_one, response):
    entry = {
        "resource": document | {"meta": {"versionId": "3"}},
        "request": {"method": "DELETE", "url": "DocumentReference/doc-1"},
        "response": response,
    }
    reading = read_one({"resourceType": "Bundle", "type": "history", "entry": [entry]})
    assert (reading.outcome, reading.reason) == (Disposition.RETRACTED, Reason.DELETED)
    assert (reading.document_id, reading.version.version_id) == ("doc-1", "3")

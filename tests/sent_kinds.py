"""The table "what you send, what happens, what you see" of docs/intake.md, with a message each.

`sees` is what a person wrote and agrees with; `test_sent_kinds.py` runs each message through intake
and the chart agent and compares.
"""

from __future__ import annotations

import gzip
from dataclasses import dataclass

import orjson

from tests.sent import (
    PATIENT,
    TEXT,
    Json,
    attached,
    azure,
    b64,
    bundle,
    by_url,
    ccda,
    ccda_around,
    deletion,
    google,
    hapi,
    html,
    ibm,
    lines,
    merged,
    note,
    other,
    patient,
    pdf,
    relates,
    report,
    rtf,
    subscription_notice,
    version,
    with_data,
    zipped,
)

OTHER_TEXT = "Walks without help. Home tomorrow."


@dataclass(frozen=True)
class Kind:
    """`records` are published one after the other; bytes as they are, anything else as JSON.

    `fetches`: with a FHIR server configured, which holds `doc-1` and `Binary/1`.
    """

    send: str
    happens: str
    sees: str
    records: tuple[object, ...]
    fetches: bool = False


def _urn_bundle() -> Json:
    patient = {"resourceType": "Patient", "id": "p-1"}
    return bundle(
        "transaction",
        {"fullUrl": "urn:uuid:5d0e", "resource": patient},
        {"fullUrl": "urn:uuid:77aa", "resource": note(subject={"reference": "urn:uuid:5d0e"})},
    )


def _dstu2() -> Json:
    return note(
        date=None,
        indexed="2016-03-02T09:30:00Z",
        docStatus={"coding": [{"code": "final"}]},
        context={"encounter": {"reference": "Encounter/e-1"}},
    )


def _binary_beside() -> Json:
    binary = {"resourceType": "Binary", "id": "b-1", "contentType": "text/plain", "data": b64(TEXT)}
    return bundle("collection", by_url("Binary/b-1"), binary)


def _patch() -> Json:
    patch = {"resourceType": "Binary", "contentType": "application/json-patch+json", "data": "W10="}
    request = {"method": "PATCH", "url": "DocumentReference/doc-1"}
    return bundle("transaction", {"resource": patch, "request": request})


def _deletion_with_resource() -> Json:
    request = {"method": "DELETE", "url": "DocumentReference/doc-1"}
    return bundle("history", {"resource": version(4), "request": request})


_NEW = {"resourceType": "Patient", "identifier": [{"system": "urn:mrn", "value": "9"}]}

SHAPES = (
    Kind(
        "DocumentReference, R4 or R4B, text inline",
        "its facts enter the index",
        "`indexed`",
        (note(),),
    ),
    Kind(
        "DocumentReference, R5 (`context` is a list)",
        "told by its shape, read the same",
        "`indexed`",
        (note(date=None, context=[{"reference": "Encounter/e-1"}], period={"start": "2026-03"}),),
    ),
    Kind(
        "DocumentReference, STU3 or DSTU2 (`indexed`, `created`, one `encounter`)",
        "told by its shape, read the same",
        "`indexed`",
        (_dstu2(),),
    ),
    Kind(
        "DiagnosticReport with `presentedForm`",
        "the form is the note; id `DiagnosticReport/<id>`",
        "`indexed`",
        (report(),),
    ),
    Kind(
        "DiagnosticReport that says nothing in words, Encounter, Observation …",
        "carries no note that is read",
        "skipped: `unsupported_resource`",
        (report(presentedForm=None),),
    ),
    Kind(
        "Bundle: transaction, batch, message, document, collection, searchset",
        "an outcome an entry; `urn:uuid` references lead to the Bundle's own Patient",
        "skipped: `no_merge`; `indexed`",
        (_urn_bundle(),),
    ),
    Kind(
        "Bundle: history",
        "read from its end: the oldest version first",
        "`indexed`; `indexed`",
        (bundle("history", version(2, OTHER_TEXT), version(1)),),
    ),
    Kind("Bundle without entries", "nothing to do", "skipped: `no_documents`", (bundle("batch"),)),
    Kind(
        "NDJSON, one line damaged",
        "its neighbours go on; the record's bytes are kept",
        "`indexed`; dead letter: `not_json`",
        (lines(note(), b"{"),),
    ),
    Kind(
        "JSON values one behind the other, on a line or over many",
        "each is read",
        "`indexed`; `indexed`",
        (orjson.dumps(note()) + orjson.dumps(other()),),
    ),
    Kind(
        "a resource in an envelope (CloudEvents, Kafka Connect, Debezium, EventBridge, SNS, SQS), "
        "as an object, a string or base64",
        "taken out of it",
        "`indexed`; `unchanged`; `unchanged`",
        (
            {"specversion": "1.0", "type": "note", "data": note()},
            {"schema": {"type": "string"}, "payload": orjson.dumps(note()).decode()},
            {"specversion": "1.0", "type": "note", "data_base64": b64(orjson.dumps(note()))},
        ),
    ),
    Kind(
        "a value that is gzipped, or behind a schema registry's five bytes",
        "taken out of it",
        "`indexed`; `unchanged`",
        (gzip.compress(orjson.dumps(note())), bytes(4) + b"\7" + orjson.dumps(note())),
    ),
    Kind(
        "Parameters that hold resources",
        "each is read",
        "`indexed`",
        ({"resourceType": "Parameters", "parameter": [{"name": "note", "resource": note()}]},),
    ),
    Kind(
        "JSON with NaN, line breaks in strings, halves of characters, a key twice",
        "read as it can be meant in one way only; of two keys the last counts",
        "`indexed`",
        (orjson.dumps(note(description="HERE")).replace(b'"HERE"', b'"a\n\\ud83d", "size": NaN'),),
    ),
    Kind("HL7 v2, FHIR XML", "not JSON", "dead letter: `not_json`", (b"MSH|^~\\&|ADT|",)),
    Kind("JSON of another kind", "not FHIR", "dead letter: `not_fhir`", ({"note": "hello"},)),
    Kind(
        "`subject` that leads to no Patient's id (contained, a `urn` of nowhere)",
        "a chart must not be guessed",
        "dead letter: `no_patient`",
        (note(subject={"reference": "#patient"}),),
    ),
)

ATTACHMENTS = (
    Kind(
        "several `content` entries",
        "one note in several formats: text before html, rtf, C-CDA, gzip, pdf",
        "`indexed`",
        (note(content=[attached(pdf(), "application/pdf"), attached()]),),
    ),
    Kind(
        "html, xhtml",
        "text as it looks: cells and list items apart, hidden text left out",
        "`indexed`",
        (note(html(), "text/html"),),
    ),
    Kind("rtf", "its text; deleted and hidden text left out", "`indexed`", (note(rtf()),)),
    Kind(
        "C-CDA with sections",
        "narratives with their titles",
        "`indexed`",
        (note(ccda(), "text/xml"),),
    ),
    Kind(
        "C-CDA around rtf, html, pdf or text (`nonXMLBody`)",
        "decoded again",
        "`indexed`",
        (note(ccda_around(rtf(), "application/rtf"), "text/xml"),),
    ),
    Kind("pdf with a text layer", "its text", "`indexed`", (note(pdf(), "application/pdf"),)),
    Kind(
        "pdf of scanned pages",
        "no text to read",
        "skipped: `no_text_layer`",
        (note(pdf(None), "application/pdf"),),
    ),
    Kind(
        "a MIME message (mail, a web archive of one file)",
        "its text part, or its html; what is attached to it is another document",
        "`indexed`",
        (
            note(
                b"MIME-Version: 1.0\nContent-Type: text/plain\n\n" + TEXT.encode(), "message/rfc822"
            ),
        ),
    ),
    Kind("gzip of any of these", "unpacked, within bounds", "`indexed`", (note(zipped()),)),
    Kind(
        "images",
        "not read",
        "skipped: `unsupported_content_type`",
        (note(b"\x89PNG\r\n\x1a\n" + bytes(40), "image/png"),),
    ),
    Kind(
        "a wrong `contentType`, `size` or `hash`",
        "the bytes decide",
        "`indexed`",
        (note(html(), "application/pdf"),),
    ),
    Kind(
        "base64 with line breaks (also escaped ones), URL-safe, unpadded, behind `data:`, twice",
        "all dialects are read",
        "`indexed`",
        (with_data("data:text/plain;base64," + "\r\n".join((b64(TEXT)[:76], b64(TEXT)[76:]))),),
    ),
    Kind(
        "text in UTF-16, Windows-1252 or with a BOM",
        "told by its bytes, then by the charset declared beside or in it",
        "`indexed`",
        (note(TEXT.encode("utf-16")),),
    ),
    Kind(
        "`data` masked, absent or blank",
        "no text to read",
        "skipped: `no_text`",
        (with_data(b64("  \n")),),
    ),
    Kind("no attachment", "no text to read", "skipped: `no_attachment`", (note(content=[]),)),
    Kind(
        "not base64; a broken pdf, rtf, gzip or XML; bombs",
        "within their bounds of time and memory, and the next message goes on",
        "dead letter: `bad_base64`; dead letter: `damaged_attachment`",
        (with_data("%%%"), note(zipped()[:12])),
    ),
)

BY_REFERENCE = (
    Kind(
        "`url` of a Binary in the same Bundle, or contained",
        "read from there",
        "`indexed`; skipped: `unsupported_resource`",
        (_binary_beside(),),
    ),
    Kind(
        "`url`, with `CHARTPROOF_FHIR_BASES`",
        "fetched",
        "`indexed`",
        (by_url("Binary/1"),),
        fetches=True,
    ),
    Kind(
        "`url`, without it",
        "nothing is asked",
        "skipped: `url_only`",
        (by_url("Binary/1"),),
    ),
    Kind(
        "`url` under another base; one that the server does not have",
        "never asked; 404 is final",
        "skipped: `url_not_allowed`; skipped: `attachment_not_found`",
        (by_url("https://elsewhere.example/Binary/1"), by_url("Binary/2")),
        fetches=True,
    ),
    Kind(
        "notices without the resource (Azure, Google, HAPI, IBM, R5), with a FHIR base",
        "the version that they name is fetched; repeats do no work",
        "`indexed`; `unchanged`; `unchanged`; `unchanged`; `unchanged`",
        (azure(), google(), hapi(), ibm(), subscription_notice()),
        fetches=True,
    ),
    Kind(
        "the same, without one",
        "nothing is asked",
        "skipped: `no_resource`",
        (azure(),),
    ),
    Kind(
        "notices that hold the resource (HAPI message, Google full resource)",
        "read from there",
        "`indexed`",
        (hapi(note()),),
    ),
    Kind(
        "a patch in a Bundle, with a FHIR base",
        "the document is fetched as it is now",
        "`indexed`",
        (_patch(),),
        fetches=True,
    ),
    Kind(
        "notice of a deletion, with a FHIR base",
        "the version before it says whose it was; its facts go",
        "`indexed`; retracted: `deleted`",
        (azure(), azure("Deleted", 3)),
        fetches=True,
    ),
)

LIFE = (
    Kind("the same again", "no work", "`indexed`; `unchanged`", (note(), note())),
    Kind(
        "a newer version",
        "facts that went leave, new ones come, the rest stays",
        "`indexed`; `indexed`",
        (version(1), version(2, OTHER_TEXT)),
    ),
    Kind(
        "an older version, late",
        "changes nothing",
        "`indexed`; `stale`",
        (version(2, OTHER_TEXT), version(1)),
    ),
    Kind(
        "a newer version with the same content",
        "no work",
        "`indexed`; `unchanged`",
        (version(1), version(2)),
    ),
    Kind(
        "a draft (`docStatus` preliminary), then the final version",
        "a draft is no evidence",
        "skipped: `draft`; `indexed`",
        (version(1, docStatus="preliminary"), version(2, OTHER_TEXT)),
    ),
    Kind(
        "`entered-in-error`",
        "its facts go, and do not come back with older versions",
        "`indexed`; retracted: `entered_in_error`; `stale`",
        (version(1), version(3, status="entered-in-error"), version(2, OTHER_TEXT)),
    ),
    Kind(
        "`superseded` without a successor",
        "kept: some sources say so of notes that nothing replaced",
        "`indexed`",
        (note(status="superseded"),),
    ),
    Kind(
        "`relatesTo` replaces, before or after its target",
        "the target's facts go; they come back if the replacement was in error",
        "`indexed`; `indexed`; skipped: `replaced`",
        (version(1), other(relatesTo=relates("replaces")), version(2, "Seen on the ward, again.")),
    ),
    Kind(
        "`relatesTo` appends (addendum)",
        "both are evidence",
        "`indexed`; `indexed`",
        (note(), other(relatesTo=relates("appends"))),
    ),
    Kind(
        "`relatesTo` transforms",
        "another form of the same note: the original counts",
        "`indexed`; skipped: `other_form`",
        (note(), other(relatesTo=relates("transforms"))),
    ),
    Kind(
        "the same note under a second id",
        "evidence goes on citing the first",
        "`indexed`; skipped: `duplicate`",
        (note(), other(text=TEXT)),
    ),
    Kind(
        "a deletion in a history Bundle",
        "its resource, where it has one, or the index knows whose it was; its facts go",
        "`indexed`; retracted: `deleted`; retracted: `deleted`",
        (version(1), deletion(), _deletion_with_resource()),
    ),
    Kind(
        "a deletion of a document that no patient has",
        "nothing to take away",
        "dead letter: `deletion`",
        (deletion("doc-9"),),
    ),
    Kind(
        "AI-authored (label `AIAST`)",
        "indexed, and never evidence",
        "`indexed`",
        (note(meta={"security": [{"code": "AIAST"}]}, subject=PATIENT),),
    ),
)

PATIENTS = (
    Kind("Patient without links", "nothing to merge", "skipped: `no_merge`", (patient(),)),
    Kind(
        "Patient with `link` replaced-by",
        "the chart moves to the other patient, and so does what still comes under the old id",
        "`indexed`; `merged`; `indexed`",
        (note(), merged(), other()),
    ),
    Kind(
        "the same Patient without the link again",
        "its own notes come back",
        "`indexed`; `merged`; `unmerged`",
        (note(), merged(), patient("p-1", 3, active=True)),
    ),
    Kind(
        "`subject` by identifier only, with `CHARTPROOF_PATIENT_IDENTIFIERS`",
        "the file says whose it is",
        "`indexed`",
        (note(subject={"identifier": {"system": "urn:mrn", "value": "9"}}),),
    ),
    Kind(
        "`subject` that leads to a Patient without an id (contained, new in the Bundle), with it",
        "the file says whose it is by that Patient's identifiers",
        "`indexed`",
        (note(subject={"reference": "#p"}, contained=[_NEW | {"id": "p"}]),),
    ),
    Kind(
        "Patient with `link` replaced-by that leads to nobody",
        "a merge that cannot be made, and none is undone",
        "dead letter: `no_patient`",
        (patient(link=[{"type": "replaced-by", "other": {"display": "Other record"}}]),),
    ),
)

KINDS = SHAPES + ATTACHMENTS + BY_REFERENCE + LIFE + PATIENTS


def markdown() -> str:
    """The table in docs/intake.md."""
    rows = [f"| {kind.send} | {kind.happens} | {kind.sees} |" for kind in KINDS]
    head = ["| what you send | what happens | what you see |", "|---|---|---|"]
    return "\n".join([*head, *rows])

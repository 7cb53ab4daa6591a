"""Inputs that failed in the field: each file of `../shared/data/field-faults`, and its kind.

The table says what a person who has read the file wants of it; the tests below it hold the kinds.
"""

from __future__ import annotations

import base64
import io
import subprocess
import sys
import zipfile
import zlib
from datetime import UTC, datetime

import orjson
import pytest

from agents.errors import InvalidEvent
from agents.intake.read import read_documents
from agents.intake.reasons import Disposition, Reason
from agents.intake.receive import Intake
from schemas.notes import DocumentDeleted

ARRIVED = datetime(2026, 11, 30, tzinfo=UTC)
ACCEPTED, RETRACTED, SKIPPED, DEAD = (
    *(Disposition.ACCEPTED, Disposition.RETRACTED),
    *(Disposition.SKIPPED, Disposition.DEAD_LETTER),
)
FEVER = "No fever. K 5.9."

GOLDEN: dict[str, list[tuple[Disposition, Reason | None, str | None]]] = {
    "addendum-contained-original-lost": [
        (ACCEPTED, None, "Large numbers of bacteria"),
        (ACCEPTED, None, "Urinalysis positive for Proteus"),
    ],
    "cda-cdata-html": [(ACCEPTED, None, "Plan\nNo fever.\nBP 120/80")],
    "cda-embedded-second-section": [(ACCEPTED, None, "Problems\n- CHF\n\nProgress Note\n\nK 5.9")],
    "cda-pdf-over-10mb": [(SKIPPED, Reason.NO_TEXT, None)],  # read: 8 MB of zeros are no PDF
    "cda-stylecode-strike": [(ACCEPTED, None, "Allergies\nnone")],
    "charset-double-encoded": [(ACCEPTED, None, "Levothyroxine 75 µg daily, temp 38.5 °C, naïve.")],
    "charset-hl7-8859-2": [(ACCEPTED, None, "Pacjent zgłasza ból brzucha, gorączkę.")],
    "charset-utf8-one-bad-byte": [
        (ACCEPTED, None, "Levothyroxine 75 µg daily, temp 38.5 °C, naïve. Pt’s wife agrees.")
    ],
    "composition-document": [(ACCEPTED, None, "Course\nNo fever")],
    "content-two-parts-same-type": [
        (ACCEPTED, None, "Page 1: HPI. No fever.\n\nPage 2: Plan. K 5.9, kayexalate.")
    ],
    "converter-docref-without-subject": [
        (SKIPPED, Reason.UNSUPPORTED_RESOURCE, None),
        (SKIPPED, Reason.NO_MERGE, None),
        (DEAD, Reason.NO_PATIENT, None),
    ],
    "data-hex": [(ACCEPTED, None, FEVER)],
    "data-not-base64-word": [(DEAD, Reason.BAD_BASE64, None)],
    "delete-debezium-rewrite": [(RETRACTED, Reason.DELETED, None)],
    "delete-envelope-cloudevent": [(RETRACTED, Reason.DELETED, None)],
    "delete-envelope-op-d": [(RETRACTED, Reason.DELETED, None)],
    "delete-history-410": [(DEAD, Reason.DELETION, None)],  # the index is asked whose it is
    "delete-medplum-tombstone": [(DEAD, Reason.DELETION, None)],
    "dr-conclusion-only": [(ACCEPTED, None, "No PE.")],
    "draft-docstatus-IP": [(SKIPPED, Reason.DRAFT, None)],
    "draft-docstatus-PA": [(SKIPPED, Reason.DRAFT, None)],
    "draft-docstatus-draft": [(SKIPPED, Reason.DRAFT, None)],
    "draft-docstatus-in-progress": [(SKIPPED, Reason.DRAFT, None)],
    "draft-status-draft": [(SKIPPED, Reason.DRAFT, None)],
    "envelope-debezium-hapi-row": [(ACCEPTED, None, FEVER)],
    "envelope-debezium-medplum-row": [(ACCEPTED, None, FEVER)],
    "envelope-named-bundles": [(ACCEPTED, None, FEVER)],
    "html-pre-wrap": [(ACCEPTED, None, "Na 138\nK 4.1\nAllergies: none\nPlan: home")],
    "html-symbol-font": [(ACCEPTED, None, "Levothyroxine 75 µg daily")],
    "html-table-empty-cell": [(ACCEPTED, None, "Test Mon Tue\nK - 5.9")],
    "html-table-rowspan": [
        (ACCEPTED, None, "Drug Dose\nLisinopril 10 mg AM\nLisinopril 5 mg PM")
    ],
    "html-wingdings-checkbox": [(ACCEPTED, None, "[x] Fever [ ] Cough")],
    "identifier-visit-number-untyped": [(ACCEPTED, None, "Day 1"), (ACCEPTED, None, "Day 2")],
    "invisible-characters": [(ACCEPTED, None, "hypertension, metoprolol 25 mg")],
    "oracle-health-plain-preferred": [(ACCEPTED, None, "Discharge Instructions\n\nAllergies\n")],
    "pdf-acroform-values": [
        (
            ACCEPTED,
            None,
            "Allergies: penicillin - anaphylaxis\nAttempt CPR: [x]\nDNR confirmed with family",
        )
    ],
    "pdf-hyphen-line-end": [
        (ACCEPTED, None, "The patient has a history of hypertension and diabetes. Started on metop"
                         "rolol 25 mg. COVID-19 negative."),
    ],
    "pdf-scanned-pages-behind-cover": [(SKIPPED, Reason.NO_TEXT_LAYER, None)],
    "plain-hl7-escapes-without-br": [
        (ACCEPTED, None, "Na & K normal. CRITICAL K 6.8\n\nPlan: recheck\n\nECG")
    ],
    "plain-html-entities": [
        (ACCEPTED, None, "K < 3.0 on admission, pt's BP > 140/90 & HR 88 bpm.")
    ],
    "plain-json-string": [(ACCEPTED, None, "No fever.\r\nBP 120/80")],
    "plain-literal-backslash-n": [(ACCEPTED, None, "No fever.\nBP 120/80\nPlan: home")],
    "relatesto-xfrm-rplc": [(ACCEPTED, None, "No fever.")],
    "rtf-formcheckbox": [(ACCEPTED, None, "Smoker: [ ] Yes")],
    "rtf-header-footer": [(ACCEPTED, None, "Allergy: PENICILLIN\nNote body.")],
    "rtf-hl7-escaped": [(ACCEPTED, None, "No fever.\nBP 120/80.")],
    "rtf-nested-table-rows": [(ACCEPTED, None, "RCA 0\nLM 90\n\nAfter")],
    "rtf-pntext-numbers": [(ACCEPTED, None, "1.\tFever\n2.\tCough")],
    "rtf-symbol-field": [(ACCEPTED, None, "WBC ≥ 12")],
    "rtf-symbol-font": [(ACCEPTED, None, "Levothyroxine 75 µg; SpO2 ≥ 90; K ≤ 5")],
    "rtf-textbox": [(ACCEPTED, None, "Before.\nALLERGY: penicillin anaphylaxis\n After.")],
    "subject-names-contained-without-hash": [(DEAD, Reason.NO_PATIENT, None)],
    "text-nul-padded": [(ACCEPTED, None, FEVER)],
    "time-date-epoch-ms": [(ACCEPTED, None, FEVER)],
    "time-period-end-2099": [(ACCEPTED, None, FEVER)],
}  # fmt: skip


def readings(raw: bytes, **settings):
    return read_documents(raw, received_at=ARRIVED, **settings)


def raw_of(path) -> bytes:
    if path.suffix == ".json":
        return path.read_bytes()
    return subprocess.run([sys.executable, str(path)], capture_output=True, check=True).stdout


def test_every_file_ends_as_the_table_says(data_folder):
    files = {
        path.name.partition(".")[0]: path
        for path in (data_folder / "field-faults").iterdir()
        if path.suffix == ".json" or path.name.endswith(".py.txt")
    }
    assert files.keys() == GOLDEN.keys()
    for name, path in files.items():
        found = readings(raw_of(path))
        ends = [(reading.outcome, reading.reason) for reading in found]
        assert ends == [(outcome, reason) for outcome, reason, _ in GOLDEN[name]], name
        for reading, (_, _, text) in zip(found, GOLDEN[name], strict=True):
            assert text is None or reading.note.text.startswith(text), name


def test_times_relations_and_identities_of_the_files(data_folder):
    folder = data_folder / "field-faults"
    limit = datetime(2026, 1, 5, 10, tzinfo=UTC)
    for name in ("time-date-epoch-ms", "time-period-end-2099"):
        (reading,) = readings((folder / f"{name}.json").read_bytes())
        assert reading.note.note_time == limit
    (reading,) = readings((folder / "relatesto-xfrm-rplc.json").read_bytes())
    assert [(each.kind, each.target) for each in reading.relations] == [("replaces", "o")]
    raw = (folder / "addendum-contained-original-lost.json").read_bytes()
    original, addendum = readings(raw)
    assert addendum.relations[0].target == original.document_id
    raw = (folder / "converter-docref-without-subject.json").read_bytes()
    assert readings(raw, bundle_patient=True)[-1].patient_id == "p1"


@pytest.mark.parametrize(
    "wrap",
    [
        lambda d: {"op": "d", "before": d, "after": None},
        lambda d: {"before": d, "after": None},
        lambda d: {"payload": {"op": "d", "before": {"content": orjson.dumps(d).decode()}}},
        lambda d: {"resource": d, "__op": "d"},
        lambda d: {"doc": d | {"_deleted": True}},
        lambda d: {"row": {"res_text_vc": orjson.dumps(d).decode(), "res_deleted_at": 1767607200}},
        lambda d: {"type": "DELETE", "table": "notes", "record": None, "old_record": d},
        lambda d: {"event": {"op": "DELETE", "data": {"old": d, "new": None}}},
        lambda d: {"eventName": "REMOVE", "dynamodb": {"OldImage": d}},
        lambda d: {"action": "delete", "data": d},
        lambda d: {"eventType": "DocumentReferenceDeleted", "data": d},
        lambda d: {"request": {"method": "DELETE"}, "resource": d},
        lambda d: {"__$operation": 1, "doc": orjson.dumps(d).decode()},
        lambda d: d | {"meta": {"versionId": "2", "deleted": True}},
        lambda d: d | {"meta": {"tag": [{"code": "DELETED"}]}},
        lambda d: d | {"deleted": "true"},
    ],
)
def test_a_deletion_of_any_envelope_is_a_retraction(document, read_one, wrap):
    reading = read_one(wrap(document))
    assert (reading.outcome, reading.reason) == (RETRACTED, Reason.DELETED)
    assert (reading.document_id, reading.patient_id) == ("doc-1", "p-1")


@pytest.mark.parametrize(
    "wrap",
    [
        lambda d: {"op": "u", "before": d, "after": d},
        lambda d: {"type": "note.undeleted", "data": d},
        lambda d: {"action": "delete failed", "data": d},
        lambda d: {"deleted": False, "resource": d},
        lambda d: {"deleted_at": None, "resource": d},
    ],
)
def test_what_was_not_deleted_stays(document, read_one, wrap):
    assert read_one(wrap(document)).outcome is ACCEPTED


@pytest.mark.parametrize(
    "value",
    [
        {"type": "deleted", "subject": "DocumentReference/doc-1"},
        {"op": "d", "before": {"fhir_id": "doc-1", "res_type": "DocumentReference"}},
        {"operationType": "delete", "ns": {"coll": "document_reference"},
         "documentKey": {"id": "doc-1"}},
        {"resourceType": "Bundle", "type": "history",
         "entry": [{"fullUrl": "DocumentReference/doc-1", "response": {"status": "410"}}]},
        {"resourceType": "DocumentReference", "id": "doc-1", "status": "entered-in-error"},
    ],
)  # fmt: skip
async def test_a_deletion_by_name_asks_the_index(clock, record, emitted, value):
    await Intake(clock).documents(record(orjson.dumps(value)), emitted)
    (event,) = emitted
    assert isinstance(event, DocumentDeleted)
    assert event.document_id == "doc-1"


async def test_a_header_says_that_the_body_was_deleted(document, clock, record, emitted):
    headers = {"ce_type": b"org.example.note.deleted.v1"}
    await Intake(clock).documents(record(orjson.dumps(document), **headers), emitted)
    assert emitted[0].type == "chartproof.note-retracted.v1"


@pytest.mark.parametrize("key", [None, b"Patient/p1", b"n1", b'{"id": 12}'])
def test_a_tombstone_of_nothing_is_a_recorded_skip(key):
    (reading,) = read_documents(None, received_at=ARRIVED, key=key)
    assert (reading.outcome, reading.reason) == (SKIPPED, Reason.TOMBSTONE)


@pytest.mark.parametrize("key", [b"DocumentReference/n1", b'"DocumentReference/n1"'])
def test_a_tombstone_whose_key_names_a_document_deletes_it(key):
    (reading,) = read_documents(None, received_at=ARRIVED, key=key)
    assert (reading.reason, reading.document_id) == (Reason.DELETION, "n1")
    assert reading.cause is Reason.TOMBSTONE


@pytest.mark.parametrize(
    "wrap",
    [
        lambda d: {"documents": [d]},
        lambda d: {"a": {"b": {"c": d}}},
        lambda d: {"row": {"blob": base64.b64encode(orjson.dumps(d)).decode()}},
        lambda d: {"res_text": "\\x" + orjson.dumps(d).hex()},
        lambda d: {"first": {"resourceType": "Bundle", "entry": [{"resource": d}]}, "other": 1},
        lambda d: {"content": orjson.dumps(orjson.dumps(d).decode()).decode()},
    ],
)
def test_any_member_that_leads_to_a_resource_is_read(document, read_one, wrap):
    assert read_one(wrap(document)).document_id == "doc-1"


@pytest.mark.parametrize(
    "status",
    ["in-progress", "draft", "Unsigned", "DI", "DO", "IN", "IP", "PA", "Pended", "inProgress",
     "awaiting signature", "Incomplete", {"text": "Unsigned"}, "preliminary"],
)  # fmt: skip
def test_every_spelling_of_an_unfinished_note_is_a_draft(document, read_one, status):
    assert read_one(document | {"docStatus": status}).reason is Reason.DRAFT


@pytest.mark.parametrize("status", ["AU", "LA", "signed", "amended", "corrected", "pending cosign"])
def test_a_finished_note_is_evidence(document, read_one, status):
    assert read_one(document | {"docStatus": status}).outcome is ACCEPTED


def test_a_site_says_what_its_own_words_mean(document):
    raw = orjson.dumps(document | {"docStatus": "IP"})
    assert readings(raw, statuses={"ip": "final"})[0].outcome is ACCEPTED
    raw = orjson.dumps(document | {"docStatus": "Zwischenstand"})
    assert readings(raw, statuses={"zwischenstand": "draft"})[0].reason is Reason.DRAFT


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("Temp 38,5 °C".encode("cp1252"), "Temp 38,5 °C"),
        ("75 µg, 38.5 °C, na".encode() + b"\xc3", "75 µg, 38.5 °C, na\ufffd"),
        ("µg °C ï".encode() + b" \x93q\x94", "µg °C ï “q”"),
        (zlib.compress(b"No fever."), "No fever."),
        (b"No fever." + b"\0" * 40, "No fever."),
        ("ESPAÑA mañana".encode(), "ESPAÑA mañana"),
        ("„Spaß«".encode(), "„Spaß«"),
        ("Pt\u00e2\u20ac\u2122s".encode(), "Pt’s"),
    ],
)
def test_bytes_are_read_as_they_were_meant(attach, read_one, data, text):
    assert read_one(attach(data)).note.text == text


@pytest.mark.parametrize(
    "name", ["8859/5", "ISO IR144", "iso88595", "iso-8859-5", "csISOLatinCyrillic"]
)
def test_charsets_by_the_names_of_hl7_dicom_and_the_web(attach, read_one, name):
    note = "Жалобы: кашель"
    reading = read_one(attach(note.encode("iso8859-5"), f"text/plain; charset={name}"))
    assert reading.note.text == note


@pytest.mark.parametrize("data", ["Normal", "Stable", "None", "No fever today", "DISCHARGED"])
def test_words_in_place_of_base64_are_no_note(attach, read_one, data):
    assert read_one(attach(data)).reason is Reason.BAD_BASE64


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ('<ol start="4"><li>Furosemide</li><li value="9">Iron</li></ol>', "4. Furosemide\n9. Iron"),
        ('<style>.gone{display:none}</style><p>a</p><p class="gone">b</p>', "a"),
        ('<p><font face="Wingdings">o</font> Fever</p>', "[ ] Fever"),
        ('<p>5 <span style="font-family: Symbol">mg</span></p>', "5 µγ"),
        ('<p>K <img src="x.gif" alt="≥"/> 5</p>', "K ≥ 5"),
        ('<p><img alt="unchecked"/> Fever</p>', "[ ] Fever"),
        ('"<p>No fever.</p><p>Home</p>"', "No fever.\nHome"),
        ("<div style='white-space:pre-line'>a\nb</div><div>c\nd</div>", "a\nb\nc d"),
        ("<table><tr><th>Test</th><th>Mon</th><th>Tue</th><th>Wed</th></tr>"
         "<tr><td>K</td><td>5</td><td></td><td>4</td></tr></table>",
         "Test Mon Tue Wed\nK 5 - 4"),
        ("<table><tr><td rowspan=2>A</td><td>1</td></tr><tr><td>2</td></tr>"
         "<tr><td>B</td></tr></table>",
         "A 1\nA 2\nB"),
    ],
)  # fmt: skip
def test_html_keeps_what_it_shows(attach, read_one, markup, text):
    assert read_one(attach(markup.encode(), "text/html")).note.text == text


FONTS = r"{\fonttbl{\f0 Arial;}{\f1\fcharset2 Symbol;}{\f2\fcharset2 Wingdings;}}"


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (r"5 {\f1 m}g {\f2 \'fe} a {\f2 \'a8} b", "5 µg [x] a [ ] b"),
        (r"x{\field{\*\fldinst SYMBOL 163 \\f Symbol \\s 9}{\fldrslt}}y", "x≤y"),
        (r"{\field{\*\fldinst FORMCHECKBOX {\*\formfield{\fftype1\ffres1}}}{\fldrslt}} Yes",
         "[x] Yes"),
        (r"{\field{\*\fldinst FORMDROPDOWN {\*\formfield{\fftype2\ffres1{\*\ffl A}{\*\ffl B}}}}}",
         "B"),
        (r"a{\footnote\pard note}b\par", "ab\n\nnote"),
        (r"{\upr{a}{\*\ud{\u945?}}}", "α"),
        (r"{\header H\par}a\sect{\header H\par}b", "H\na\n\nb"),
        (r"{\listtext 7.\tab}Iron\par", "7.\tIron"),
    ],
)  # fmt: skip
def test_rtf_keeps_what_it_shows(attach, read_one, body, text):
    raw = (r"{\rtf1\ansi" + FONTS + r"\f0 " + body + "}").encode()
    assert read_one(attach(raw, "application/rtf")).note.text == text


def test_rtf_whose_backslashes_were_doubled(attach, read_one):
    raw = r"{\rtf1\ansi No fever.\par Home}".replace("\\", "\\\\").encode()
    assert read_one(attach(raw, "text/rtf")).note.text == "No fever.\nHome"


def docx(body: str, **parts: str) -> bytes:
    package = io.BytesIO()
    space = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    with zipfile.ZipFile(package, "w") as archive:
        kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
        archive.writestr(
            "[Content_Types].xml",
            (
                '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
                f'<Override PartName="/word/document.xml" ContentType="{kind}"/></Types>'
            ),
        )
        archive.writestr(
            "_rels/.rels",
            (
                '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
                '<Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/'
                'relationships/officeDocument" Target="word/document.xml"/></Relationships>'
            ),
        )
        archive.writestr(
            "word/document.xml",
            f'<w:document xmlns:w="{space}"><w:body>{body}</w:body></w:document>',
        )
        for name, text in parts.items():
            archive.writestr(
                f"word/{name}.xml",
                (f'<w:hdr xmlns:w="{space}"><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:hdr>'),
            )
    return package.getvalue()  # fmt: skip


def paragraph(text: str, properties: str = "") -> str:
    return f"<w:p><w:r><w:rPr>{properties}</w:rPr><w:t>{text}</w:t></w:r></w:p>"


def test_word_documents_are_read(attach, read_one):
    kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
    body = paragraph("Dear Dr. Lee") + paragraph("gone", "<w:strike/>") + paragraph("No fever.")
    reading = read_one(attach(docx(body, header1="St. Mary Hospital"), kind))
    assert reading.note.text == "St. Mary Hospital\n\nDear Dr. Lee\nNo fever."
    assert reading.format == "docx"
    cut = docx(body)[:200]
    assert read_one(attach(cut, kind)).outcome in (SKIPPED, DEAD)


def test_a_note_of_several_pages_says_what_is_not_read(document, read_one):
    def page(data: bytes, kind: str = "text/plain"):
        return {"attachment": {"contentType": kind, "data": base64.b64encode(data).decode()}}

    document["content"] = [page(b"one"), page(b"two"), page(b"\x89PNG\r\n", "image/png")]
    reading = read_one(
        document | {"relatesTo": [{"code": "mentions", "target": {"reference": "x"}}]}
    )
    assert reading.note.text == "one\n\ntwo"
    assert reading.partial == {"images": 1, "relations_not_understood": 1}


async def test_what_is_left_out_goes_with_the_note(document, clock, record, emitted):
    document["date"] = "next Tuesday"
    await Intake(clock).documents(record(orjson.dumps(document)), emitted)
    assert emitted[0].partial == {"times_not_understood": 1}


@pytest.mark.parametrize(
    ("subject", "contained"),
    [("Patient/1", "1"), ("Patient/pat", "pat"), ("Patient/example", "example")],
)
def test_a_contained_patients_id_is_no_patients_id(document, read_one, subject, contained):
    inner = [{"resourceType": "Patient", "id": contained}]
    reading = read_one(document | {"subject": {"reference": subject}, "contained": inner})
    assert reading.reason is Reason.NO_PATIENT


def test_a_report_without_a_form_says_its_conclusion_or_its_narrative(read_one):
    report = {
        "resourceType": "DiagnosticReport",
        "id": "d",
        "status": "final",
        "subject": {"reference": "Patient/p"},
    }
    div = {"status": "generated", "div": "<div><p>CT chest</p><p>No PE.</p></div>"}
    assert read_one(report | {"text": div}).note.text == "CT chest\nNo PE."
    both = read_one(report | {"text": div, "conclusion": "No PE."})
    assert both.note.text == "CT chest\nNo PE."
    assert read_one(report | {"text": {"status": "empty", "div": "<div/>"}}).reason is (
        Reason.UNSUPPORTED_RESOURCE
    )


def test_a_composition_alone_is_a_note_with_sections_in_sections(read_one):
    inner = {"title": "Allergies", "text": {"status": "generated", "div": "<div>None</div>"}}
    reading = read_one(
        {
            "resourceType": "Composition",
            "id": "c",
            "status": "final",
            "subject": {"reference": "Patient/p"},
            "date": "2026-01-05",
            "section": [{"title": "History", "section": [inner]}],
            "relatesTo": [{"code": "replaces", "targetReference": {"reference": "Composition/b"}}],
        }
    )
    assert reading.note.text == "History\n\nAllergies\nNone"
    assert [each.target for each in reading.relations] == ["Composition/b"]


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("☐ Fever ☑ Cough", "[ ] Fever [x] Cough"),
        ("( ) Yes (X) No", "[ ] Yes [x] No"),
        ("Smoker: __ Yes _x_ No", "Smoker: __ Yes [x] No"),
        ("■ CHF\n■ COPD", "■ CHF\n■ COPD"),
        ("■ CHF □ COPD", "[x] CHF [ ] COPD"),
        ("See [1] and (a)", "See [1] and (a)"),
    ],
)
def test_boxes_of_all_kinds_are_written_alike(attach, read_one, text, plain):
    assert read_one(attach(text.encode())).note.text == plain


async def test_a_refused_text_keeps_its_id(clock, record):
    for value in (
        {"text_id": "t-1", "patient_id": "p", "text": " ", "occurred_at": "2026-01-05T10:00:00Z"},
        {"text_id": "t-1", "patient_id": "p", "text": "x", "occurred_at": "2026-01-05", "asof": 1},
        {"text_id": "t-1", "type": "chartproof.text-generated.v9"},
    ):
        with pytest.raises(InvalidEvent) as caught:
            await Intake(clock).texts(record(orjson.dumps(value)), lambda _: None)
        assert caught.value.text_id == "t-1"

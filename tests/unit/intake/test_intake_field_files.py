"""Every file of `../shared/data/fhir`, and all of Synthea: outcomes that a person agrees with.

The table is the whole of what intake does with each file offline. Where it says `url_only` or
`no_resource` a worker with FHIR bases fetches; nothing ends without a reason.
"""

from __future__ import annotations

import base64
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import orjson
import pytest

from agents.intake.inspect import inspect_bytes

NOT_JSON = ("dead_letter", "not_json", 1)  # documents that are no FHIR JSON
NO_PATIENT = ("dead_letter", "no_patient", 1)  # FHIR-Converter's output names no subject
ACCEPTED = ("accepted", None)
DRAFT = ("skipped", "draft", 1)  # the specification's example is docStatus preliminary
NO_NOTE = ("skipped", "unsupported_resource")
NO_MERGE = ("skipped", "no_merge", 1)  # a Patient without links
NO_TEXT = ("skipped", "no_text")
URL_ONLY = ("skipped", "url_only", 1)

GOLDEN: dict[str, list[tuple[str, str | None, int]]] = {
    "SOURCES.md": [NOT_JSON],
    "au_core_docref_emptyreason.json": [URL_ONLY],
    # Offline: two are of Patients, which a worker would fetch; one is of another type.
    "azure_fhir_events_eventgrid.json": [("skipped", "no_resource", 2), (*NO_NOTE, 1)],
    "ccda_progress_note.xml": [NOT_JSON],
    "ccda_rtf_note.xml": [NOT_JSON],
    "ccda_unstructured_embedded_pdf.xml": [NOT_JSON],
    "cumulus_deid_full_input.json": [(*ACCEPTED, 1)],
    "cumulus_masked_data_absent.ndjson": [(*NO_TEXT, 2)],
    "cumulus_simple.ndjson": [(*ACCEPTED, 2)],
    "epic_dstu2_0.json": [URL_ONLY],
    "hl7_attachment-invalid-base64_Media.json": [(*NO_NOTE, 1)],
    "hl7_attachment-wrong-size_Media.json": [(*NO_NOTE, 1)],
    "hl7_r4_documentreference-example.json": [DRAFT],
    "hl7_r4b_documentreference-example.json": [DRAFT],
    "hl7_us-docref_data-absent-reason.json": [(*NO_TEXT, 1)],
    "ihe_mhd_comprehensive_medicationcard.json": [URL_ONLY],
    "ihe_mhd_provide_bundle_fhir_document.json": [
        (
            "skipped",
            "unsupported_content_type",
            1,
        ),  # the url leads to a FHIR document in the Bundle
        (*NO_NOTE, 7),
        (*ACCEPTED, 1),  # the FHIR document's Composition
        NO_MERGE,
    ],
    "inferno_synthea_patient85_bundle.json": [
        (*ACCEPTED, 24),
        ("dead_letter", "damaged_attachment", 2),  # PDFs that the file's maker cut short
        (*NO_NOTE, 4),
        NO_MERGE,
    ],
    "ms_r4_relatesTo_appends.json": [DRAFT],
    "ms_r4_relatesTo_transforms-replaces-target.json": [DRAFT],
    "ms_r4_relatesTo_transforms.json": [DRAFT],
    "ms_r4_with_base64.json": [DRAFT],
    "ms_r4b_with_base64.json": [DRAFT],
    "ms_r5_relatesTo_appends.json": [DRAFT],
    "ms_r5_relatesTo_transforms.json": [DRAFT],
    "ms_r5_with_base64.json": [DRAFT],
    "ms_stu3_relatesTo_appends.json": [DRAFT],
    "ms_stu3_relatesTo_transforms.json": [DRAFT],
    "ms_stu3_with_base64.json": [DRAFT],
    "msconv_ccda_embedded_pdf_gzip.json": [NO_PATIENT],
    "msconv_ccda_progress_gzip_as_textplain.json": [NO_PATIENT],
    "msconv_hl7v2_mdm_t02_bundle.json": [
        DRAFT,
        ("skipped", "no_attachment", 1),  # a DiagnosticReport whose form has only a contentType
        (*NO_NOTE, 23),
        NO_MERGE,
    ],
    "rtf_bytes.rtf": [NOT_JSON],
    "rtf_encoding.rtf": [NOT_JSON],
    "rtf_minimal_table.rtf": [NOT_JSON],
    "rtf_nbsp.rtf": [NOT_JSON],
    "rtf_unicode.rtf": [NOT_JSON],
    "uscore_documentreference-adi-dnr.json": [(*ACCEPTED, 1)],  # PDF
    "uscore_documentreference-discharge-summary.json": [(*ACCEPTED, 1)],
    "uscore_documentreference-episode-summary.json": [(*ACCEPTED, 1)],  # C-CDA
    "va_oraclehealth_single_note_bundle.json": [(*ACCEPTED, 1), (*NO_NOTE, 1), NO_MERGE],
}


def rows(path: Path) -> list[dict]:
    return list(inspect_bytes(path.read_bytes()))


def test_every_file_ends_as_the_table_says(data_folder):
    files = sorted((data_folder / "fhir").iterdir())
    assert {path.name for path in files} == set(GOLDEN)
    for path in files:
        found = Counter((row["outcome"], row["reason"]) for row in rows(path))
        assert found == {(o, r): n for o, r, n in GOLDEN[path.name]}, path.name


def finished(path: Path) -> dict:
    """A FHIR-Converter document with the subject that it lacks."""
    said = orjson.loads(path.read_bytes())
    return said | {"subject": {"reference": "Patient/p"}}


def test_gzip_over_ccda_that_says_text_is_read_to_its_sections(data_folder):
    path = data_folder / "fhir" / "msconv_ccda_progress_gzip_as_textplain.json"
    (row,) = inspect_bytes(orjson.dumps(finished(path)))
    assert (row["outcome"], row["format"]) == ("accepted", "gzip+xml")
    assert row["length"] > 1000


def test_gzip_over_ccda_over_pdf_is_read_to_its_text_layer(data_folder):
    path = data_folder / "fhir" / "msconv_ccda_embedded_pdf_gzip.json"
    (row,) = inspect_bytes(orjson.dumps(finished(path)))
    assert (row["outcome"], row["format"]) == ("accepted", "gzip+xml+pdf")
    assert row["length"] > 1000


@pytest.mark.parametrize("version", ["r4", "r4b", "r5", "stu3"])
def test_the_same_document_reads_alike_in_every_fhir_version(data_folder, version):
    """The specification's own example, as each version writes it; finished, so that it is read."""
    said = orjson.loads((data_folder / "fhir" / f"ms_{version}_with_base64.json").read_bytes())
    (row,) = inspect_bytes(orjson.dumps(said | {"docStatus": "final"}))
    expected = {
        "outcome": "accepted",
        "document_id": "example",
        "patient_id": "xcda",
        "encounter_id": "xcda",
        "note_time": "2005-12-23T22:43:41+00:00",
        "note_time_source": "date",
        "note_type": "Outpatient Note",
        "author_category": "clinician",
    }
    assert {name: row[name] for name in expected} == expected


def test_a_file_with_a_byte_order_mark_is_read(data_folder):
    path = data_folder / "fhir" / "ms_r4_relatesTo_appends.json"
    assert path.read_bytes().startswith(b"\xef\xbb\xbf")
    assert rows(path)[0]["document_id"] == "example"


def test_urn_references_of_a_real_bundle_lead_to_its_patient(data_folder):
    found = rows(data_folder / "fhir" / "inferno_synthea_patient85_bundle.json")
    assert {row["patient_id"] for row in found if row["outcome"] == "accepted"} == {"85"}


def test_all_1215_notes_of_synthea_are_accepted_with_their_patient_and_time(data_folder):
    raw = (data_folder / "synthea" / "DocumentReference.000.ndjson").read_bytes()
    said = [orjson.loads(line) for line in raw.splitlines()]
    found = list(inspect_bytes(raw))
    assert len(found) == len(said) == 1215
    for row, document in zip(found, said, strict=True):
        assert row["outcome"] == "accepted"
        assert row["document_id"] == document["id"]
        assert f"Patient/{row['patient_id']}" == document["subject"]["reference"]
        when = datetime.fromisoformat(document["date"]).astimezone(UTC)
        assert datetime.fromisoformat(row["note_time"]) == when
        data = document["content"][0]["attachment"]["data"]
        assert row["length"] == len(base64.b64decode(data).decode())
    assert len({row["patient_id"] for row in found}) == 13

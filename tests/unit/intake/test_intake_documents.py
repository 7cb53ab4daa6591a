"""What a DocumentReference says, found by shape in every FHIR version, and its lifecycle."""

from __future__ import annotations

import base64
from datetime import UTC, datetime

import orjson
import pytest

from agents.intake.build import document_reference
from agents.intake.read import read_documents
from agents.intake.reasons import Disposition, Reason
from schemas.notes import AuthorCategory

AI = "http://terminology.hl7.org/CodeSystem/v3-ObservationValue"


def test_our_own_sample_notes_round_trip(read_one):
    raw = document_reference(
        "d-9",
        "p-9",
        "Na 138",
        date=datetime(2024, 1, 2, 3, 4, tzinfo=UTC),
        encounter_id="e-9",
        author="Practitioner/7",
        version_id="3",
    )
    reading = read_one(raw)
    assert (reading.document_id, reading.document_id_source) == ("d-9", "id")
    assert (reading.patient_id, reading.version.version_id) == ("p-9", "3")
    note = reading.note
    assert (note.text, note.note_type, note.encounter_id) == ("Na 138", "Progress note", "e-9")
    assert note.note_time == datetime(2024, 1, 2, 3, 4, tzinfo=UTC)
    assert note.author_category is AuthorCategory.CLINICIAN


# --- lifecycle


@pytest.mark.parametrize("status", ["current", "superseded", None, "nonsense", 3])
def test_status_alone_drops_nothing_superseded_included(document, read_one, status):
    document["status"] = status
    assert read_one(document).outcome is Disposition.ACCEPTED


@pytest.mark.parametrize("doc_status", ["final", "amended", "corrected", "appended", None])
def test_finished_notes_are_accepted(document, read_one, doc_status):
    document["docStatus"] = doc_status
    assert read_one(document).outcome is Disposition.ACCEPTED


@pytest.mark.parametrize(
    "doc_status",
    [
        "preliminary",
        "partial",
        "registered",
        "cancelled",
        pytest.param({"coding": [{"code": "preliminary"}]}, id="CodeableConcept as in DSTU2"),
        pytest.param("Preliminary", id="in capitals"),
    ],
)
def test_drafts_are_kept_out_with_a_reason(document, read_one, doc_status):
    document["docStatus"] = doc_status
    reading = read_one(document)
    assert (reading.outcome, reading.reason) == (Disposition.SKIPPED, Reason.DRAFT)
    assert reading.document_id == "doc-1"


def test_a_status_that_belongs_to_docstatus_counts_there_too(document, read_one):
    document["status"] = "preliminary"
    assert read_one(document).reason is Reason.DRAFT


@pytest.mark.parametrize("said", ["Entered-In-Error", "entered_in_error", "ENTERED IN ERROR"])
@pytest.mark.parametrize("field", ["status", "docStatus"])
def test_a_retraction_is_one_however_it_is_written(document, read_one, field, said):
    document[field] = said
    assert read_one(document).reason is Reason.ENTERED_IN_ERROR


@pytest.mark.parametrize("field", ["status", "docStatus"])
@pytest.mark.parametrize("content", ["as it was", "absent", "damaged"])
def test_entered_in_error_retracts_whatever_the_attachment(document, read_one, field, content):
    document[field] = "entered-in-error"
    if content == "absent":
        del document["content"]
    if content == "damaged":
        document["content"] = [{"attachment": {"data": "%%%"}}]
    reading = read_one(document)
    assert (reading.outcome, reading.reason) == (Disposition.RETRACTED, Reason.ENTERED_IN_ERROR)
    assert (reading.patient_id, reading.document_id) == ("p-1", "doc-1")


def test_a_draft_that_is_in_error_is_retracted(document, read_one):
    """It may have been final before: a skip would leave its facts."""
    document |= {"status": "entered-in-error", "docStatus": "preliminary"}
    assert read_one(document).reason is Reason.ENTERED_IN_ERROR


def test_a_retraction_that_names_no_document_cannot_be_done(document, read_one):
    document |= {"status": "entered-in-error", "content": []}
    del document["id"]
    assert read_one(document).reason is Reason.NO_IDENTITY


def test_a_retraction_by_content_finds_the_document_by_content(document, read_one):
    del document["id"]
    accepted = read_one(document)
    retracted = read_one(document | {"status": "entered-in-error"})
    assert retracted.document_id == accepted.document_id
    assert retracted.outcome is Disposition.RETRACTED


# --- identity and versions


def test_without_an_id_the_business_identifier_names_the_document(document, read_one):
    del document["id"]
    document["identifier"] = [{"use": "official"}, {"system": "urn:s", "value": "A1"}]
    document["masterIdentifier"] = {"value": "version-specific"}
    reading = read_one(document)
    assert (reading.document_id, reading.document_id_source) == ("urn:s|A1", "identifier")


def test_without_id_and_identifier_the_content_names_the_document(document, read_one):
    del document["id"]
    first, again = read_one(document), read_one(document)
    assert first.document_id == again.document_id
    assert first.document_id_source == "content"
    elsewhere = read_one(document | {"subject": {"reference": "Patient/p-2"}})
    assert elsewhere.document_id != first.document_id


def test_ids_longer_than_fhir_allows_are_kept(document, read_one):
    document["id"] = "x" * 113
    assert read_one(document).document_id == "x" * 113


def test_an_id_longer_than_the_index_allows_becomes_its_hash(document, read_one):
    first = read_one(document | {"id": "é" * 300})
    other = read_one(document | {"id": "é" * 301})
    assert first.document_id.startswith("sha256:")
    assert first.document_id != other.document_id


def test_versions_are_read_as_sent(document, read_one):
    document["meta"] = {"versionId": 7, "lastUpdated": "2024-05-02T01:00:00.1234567+02:00"}
    version = read_one(document).version
    assert version.version_id == "7"
    assert version.last_updated == datetime(2024, 5, 1, 23, 0, 0, 123456, tzinfo=UTC)


def test_a_list_of_one_where_an_object_belongs_is_the_object(document, read_one):
    document |= {"meta": [{"versionId": "3"}], "date": None, "context": [{"period": []}]}
    document["context"] = [{"period": [{"end": "2024-05-09"}], "encounter": []}]
    reading = read_one(document)
    assert (reading.version.version_id, reading.note.note_time.day) == ("3", 9)


def test_no_meta_is_no_error(document, read_one):
    version = read_one(document).version
    assert (version.version_id, version.last_updated) == (None, None)


def test_a_no_op_update_and_a_presigned_url_leave_the_content_hash(document, read_one):
    before = read_one(document).version.content_hash
    document["meta"] = {"versionId": "2"}
    document["content"][0]["attachment"]["url"] = "https://h/b?sig=1234"
    document["content"].append({"attachment": {"url": "https://h/b.pdf?sig=5678"}})
    assert read_one(document).version.content_hash == before


@pytest.mark.parametrize(
    "changes",
    [
        {"type": {"text": "Discharge summary"}},
        {"date": "2024-05-02"},
        {"context": {"encounter": [{"reference": "Encounter/2"}]}},
        {"author": [{"reference": "Device/1"}]},
    ],
)
def test_the_content_hash_follows_what_the_index_keeps(document, read_one, changes):
    before = read_one(document).version.content_hash
    assert read_one(document | changes).version.content_hash != before


def test_a_note_without_any_time_hashes_alike_whenever_it_arrives(document):
    del document["date"]
    raw = orjson.dumps(document)
    (early,) = read_documents(raw, received_at=datetime(2024, 1, 1, tzinfo=UTC))
    (late,) = read_documents(raw, received_at=datetime(2024, 2, 1, tzinfo=UTC))
    assert early.version == late.version


# --- times


@pytest.mark.parametrize(
    ("said", "source", "day"),
    [
        pytest.param({"date": "2024-05-04"}, "date", 4, id="R4 date"),
        pytest.param({"indexed": "2024-05-05T00:00:00Z"}, "date", 5, id="STU3 indexed"),
        pytest.param({"context": {"period": {"start": "2024-05-06"}}}, "period", 6, id="R4 period"),
        pytest.param({"period": {"start": "2024-05-07"}, "context": []}, "period", 7, id="R5"),
        pytest.param({"created": "2024-05-08"}, "creation", 8, id="STU3 created"),
        pytest.param(
            {"context": {"period": {"start": "2024-05-01", "end": "2024-05-09"}}},
            "period",
            9,
            id="the end of a stay, not its start",
        ),
        pytest.param(
            {"context": {"period": {"start": "2024-05-09", "end": "2024-05"}}},
            "period",
            31,
            id="a stay until some day of May",
        ),
        pytest.param(
            {"created": "2024-05-01", "context": {"period": {"end": "2024-05-09"}}},
            "period",
            9,
            id="a file begun before the stay rejected",
        ),
        pytest.param(
            {"created": "2024-05-12", "context": {"period": {"end": "2024-05-09"}}},
            "creation",
            12,
            id="a file made after the stay",
        ),
        pytest.param(
            {"date": "2024-05-03", "context": {"period": {"end": "2024-05-09"}}},
            "date",
            3,
            id="its date decides",
        ),
        pytest.param({"date": "soon", "created": "2024-05-09"}, "creation", 9, id="bad date"),
        pytest.param({"date": "0001-01-01T00:00:00Z", "created": "2024-05-10"}, "creation", 10),
    ],
)
def test_the_note_time_comes_from_the_best_source_and_says_which(
    document, read_one, said, source, day
):
    del document["date"]
    note = read_one(document | said).note
    assert (note.note_time_source, note.note_time.day) == (source, day)


def test_the_attachment_creation_then_the_arrival_are_the_last_sources(document, read_one):
    del document["date"]
    note = read_one(document).note
    assert (note.note_time_source, note.note_time) == (
        "event",
        datetime(2027, 6, 1, 12, tzinfo=UTC),
    )
    document["content"][0]["attachment"]["creation"] = "2024-05-11T10:00:00+05:30"
    note = read_one(document).note
    assert note.note_time_source == "creation"
    assert note.note_time == datetime(2024, 5, 11, 4, 30, tzinfo=UTC)


# --- type, author, encounter


@pytest.mark.parametrize(
    ("concept", "expected"),
    [
        pytest.param(
            {
                "coding": [
                    {"system": "urn:vendor", "code": "4189669", "display": "Vendor name"},
                    {
                        "system": "http://loinc.org",
                        "code": "18842-5",
                        "display": "Discharge summary",
                    },
                ],
                "text": "D/C",
            },
            "Discharge summary",
            id="LOINC display before all",
        ),
        pytest.param(
            {
                "coding": [{"system": "http://loinc.org", "code": "96345-4"}],
                "text": "Visit summary",
            },
            "Visit summary",
            id="text before a code",
        ),
        pytest.param({"coding": [{"system": "urn:v", "code": "DI"}]}, "DI", id="any code at last"),
        pytest.param(
            {
                "coding": [
                    {
                        "system": "http://terminology.hl7.org/CodeSystem/v3-NullFlavor",
                        "code": "UNK",
                        "display": "unknown",
                    }
                ]
            },
            None,
            id="a NullFlavor is no type",
        ),
        pytest.param(None, None, id="absent"),
        pytest.param("Progress note", None, id="not a CodeableConcept"),
    ],
)
def test_the_note_type_is_found_among_all_codings(document, read_one, concept, expected):
    document["type"] = concept
    assert read_one(document).note.note_type == expected


def test_labels_are_of_bounded_length(document, read_one):
    document |= {"type": {"text": "x" * 5000}, "description": "y" * 5000}
    note = read_one(document).note
    assert (len(note.note_type), len(note.title)) == (256, 256)


@pytest.mark.parametrize(
    ("authors", "expected"),
    [
        ([{"reference": "Practitioner/1"}], AuthorCategory.CLINICIAN),
        ([{"reference": "Practitioner?identifier=npi|1"}], AuthorCategory.CLINICIAN),
        ([{"reference": "https://h/fhir/PractitionerRole/1"}], AuthorCategory.CLINICIAN),
        ([{"reference": "CareTeam/1"}], AuthorCategory.CLINICIAN),
        ([{"reference": "Patient/1"}], AuthorCategory.PATIENT),
        ([{"reference": "RelatedPerson/1"}], AuthorCategory.PATIENT),
        ([{"reference": "Device/s"}, {"reference": "Patient/1"}], AuthorCategory.PATIENT),
        ([{"reference": "Device/scribe"}], AuthorCategory.DEVICE),
        ([{"type": "Device", "display": "Scribe"}], AuthorCategory.DEVICE),
        ([{"reference": "Device/s"}, {"reference": "Practitioner/1"}], AuthorCategory.CLINICIAN),
        ([{"reference": "Organization/1"}], AuthorCategory.UNKNOWN),
        ([{"identifier": {"value": "7"}}], AuthorCategory.UNKNOWN),
        ({"reference": "Practitioner/1"}, AuthorCategory.CLINICIAN),
        (None, AuthorCategory.UNKNOWN),
    ],
)
def test_who_wrote_it(document, read_one, authors, expected):
    document["author"] = authors
    assert read_one(document).note.author_category is expected


def test_a_contained_author_is_looked_up(document, read_one):
    document |= {
        "contained": [{"resourceType": "Device", "id": "a2"}],
        "author": [{"reference": "#a2"}],
    }
    assert read_one(document).note.author_category is AuthorCategory.DEVICE


@pytest.mark.parametrize("place", ["security", "tag"])
def test_an_ai_label_decides_whoever_signed(document, read_one, place):
    document |= {
        "author": [{"reference": "Practitioner/1"}],
        "meta": {place: [{"system": AI, "code": "AIAST"}]},
    }
    assert read_one(document).note.author_category is AuthorCategory.AI


@pytest.mark.parametrize("label", [
    pytest.param([{"coding": [{"system": AI, "code": "AIAST"}]}], id="R4"),
    pytest.param({"coding": {"system": AI, "code": "AIAST"}}, id="objects"),
])  # fmt: skip
def test_an_ai_label_of_the_document_decides_too(document, read_one, label):
    document |= {"author": [{"reference": "Practitioner/1"}], "securityLabel": label}
    assert read_one(document).note.author_category is AuthorCategory.AI


@pytest.mark.parametrize(
    "context",
    [
        pytest.param({"encounter": [{"reference": "Encounter/e1"}]}, id="R4 list"),
        pytest.param({"encounter": {"reference": "Encounter/e1"}}, id="DSTU2 and STU3 object"),
        pytest.param([{"reference": "EpisodeOfCare/9"}, {"reference": "Encounter/e1"}], id="R5"),
        pytest.param({"encounter": [{"reference": "Encounter/e1/_history/4"}]}, id="versioned"),
    ],
)
def test_the_encounter_is_found_in_every_version(document, read_one, context):
    document["context"] = context
    assert read_one(document).note.encounter_id == "e1"


def test_unknown_elements_are_ignored(document, read_one):
    document |= {"_status": {"id": "x"}, "extension": [{"url": "u"}], "madeUp": {"a": [1, None]}}
    document["content"][0]["attachment"]["_data"] = {"extension": [{"url": "externalised"}]}
    assert read_one(document).outcome is Disposition.ACCEPTED


def test_of_duplicate_keys_the_last_counts(read_one):
    data = base64.b64encode(b"Na 138").decode()
    raw = (
        b'{"resourceType":"DocumentReference","id":"a","id":"b","subject":{"reference":"Patient/1"},'
        b'"content":[{"attachment":{"data":"%s"}}]}' % data.encode()
    )
    assert read_one(raw).document_id == "b"


def test_outcomes_carry_no_patient_and_no_text_in_their_detail(document, read_one):
    document["subject"] = {"reference": "urn:uuid:secret-patient", "display": "Jane Secret"}
    reading = read_one(document)
    assert reading.reason is Reason.NO_PATIENT
    assert "ecret" not in reading.detail

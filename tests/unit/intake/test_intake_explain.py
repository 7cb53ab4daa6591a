"""`inspect --explain`: every decision about a resource, with the place that it was read from."""

from __future__ import annotations

import base64
import io
import json
from zoneinfo import ZoneInfo

import orjson
import pytest
from rich.console import Console
from typer.testing import CliRunner

from agents.intake.decisions import Decision
from agents.intake.explain import explain_bytes
from agents.intake.inspect import inspect_bytes
from streams.cli.explain import explanation
from streams.cli.main import app


def decisions(value: object) -> list[dict[str, Decision]]:
    raw = value if isinstance(value, bytes) else orjson.dumps(value)
    return [{d.question: d for d in found.decisions} for found in explain_bytes(raw)]


def decided(value: object) -> dict[str, tuple[str, str]]:
    (found,) = decisions(value)
    return {question: (d.answer, d.why) for question, d in found.items()}


def test_an_accepted_note_says_where_every_part_is_from(document):
    document["meta"] = {"versionId": "4"}
    found = decided(document)
    assert found["document"] == ("doc-1", "id")
    assert found["patient"] == ("p-1", "subject refers to it by id")
    assert found["status"][0] == "final"
    assert found["version"] == ("4", "meta.versionId")
    assert found["content[0]"][0] == "taken: text, utf-8, 22 characters"
    assert "contentType says text/plain" in found["content[0]"][1]
    assert found["note time"] == ("2024-05-01T08:30:00+00:00", "date")
    assert found["ends as"][0] == "accepted"


@pytest.mark.parametrize(
    ("changes", "question", "answer", "why"),
    [
        ({"id": None, "identifier": [{"system": "s", "value": "9"}]}, "document", "s|9", "no id"),
        ({"id": None}, "document", "sha256:", "hash of patient and content"),
        ({"id": "x" * 600}, "document", "sha256:", "over 512 bytes"),
        ({"subject": {"reference": "#p"}}, "patient", "unknown", "not among the contained"),
        ({"subject": {"reference": "Group/1"}}, "patient", "unknown", "is not a Patient"),
        ({"docStatus": "preliminary"}, "status", "draft", "docStatus"),
        ({"status": "entered-in-error"}, "status", "entered in error", "docStatus"),
        ({}, "version", "none", "last to arrive"),
        ({"meta": {"lastUpdated": "2024-05-02"}}, "version", "2024-05-02", "meta.lastUpdated"),
        ({"date": None, "indexed": "2024-05-03"}, "note time", "2024-05-03", "indexed"),
        (
            {"date": None, "context": {"period": {"start": "2024-05-04"}}},
            "note time",
            "2024-05-04",
            "context.period.start",
        ),
        ({"date": None, "created": "2024-05-05"}, "note time", "2024-05-05", "created"),
        (
            {"date": "soon", "created": "2024-05-05"},
            "note time",
            "2024-05-05",
            "since date cannot be read",
        ),
        ({"date": None}, "note time", "the record's own", "names no time"),
        ({"date": "2190-01-01"}, "note time", "20", "after the record was received"),
        ({"status": "superseded"}, "status", "superseded", "alone takes nothing away"),
        ({"docStatus": "deprecated"}, "status", "deprecated", "alone takes nothing away"),
        ({"date": "soon"}, "note time", "the record's own", "date: cannot be read"),
        ({"content": []}, "text", "none", "no content"),
        ({"docStatus": "registered"}, "content[0]", "left: text", "before its text"),
    ],
)
def test_each_rule_is_named(document, changes, question, answer, why):
    said = {name: part for name, part in (document | changes).items() if part is not None}
    found = decided(said)[question]
    assert found[0].startswith(answer)
    assert why in found[1]


def test_creation_is_the_time_where_the_resource_has_none(document):
    del document["date"]
    document["content"][0]["attachment"]["creation"] = "2024-05-06"
    assert decided(document)["note time"][1].startswith("attachment.creation")


def test_of_several_formats_it_says_which_was_taken_and_why_not_the_others(document):
    data = document["content"][0]["attachment"]["data"]
    html = base64.b64encode(b"<html><p>Pt c/o SOB.</p></html>").decode()
    document["content"] = [
        {"attachment": {"contentType": "text/html", "data": html}},
        {"attachment": {"contentType": "text/plain", "data": data}},
        {"attachment": {"contentType": "application/pdf", "url": "Binary/7"}},
        {"attachment": {"contentType": "text/plain", "data": "%%%"}},
    ]
    found = decided(document)
    assert found["content[0]"][0].startswith("left: html")
    assert found["content[1]"][0].startswith("taken: text")
    assert found["content[2]"][0] == "no: url_only"
    assert found["content[3]"][0] == "no: bad_base64"


def test_a_report_names_its_own_fields(document):
    form = [document["content"][0]["attachment"]]
    report = {
        "resourceType": "DiagnosticReport",
        "id": "r-1",
        "status": "final",
        "subject": document["subject"],
        "issued": "2024-05-01T08:30:00Z",
        "presentedForm": form,
    }
    found = decided(report)
    assert found["document"][0] == "DiagnosticReport/r-1"
    assert found["presentedForm[0]"][0].startswith("taken")
    assert found["note time"][1] == "issued"


def test_a_patient_of_the_bundle_is_said_to_be_one(document):
    document["subject"] = {"reference": "urn:uuid:1"}
    patient = {"resourceType": "Patient", "id": "p-9"}
    entries = [{"fullUrl": "urn:uuid:1", "resource": patient}, {"resource": document}]
    _, found = decisions({"resourceType": "Bundle", "type": "batch", "entry": entries})
    assert found["patient"].answer == "p-9"
    assert "resource of the Bundle" in found["patient"].why


def test_a_patient_of_the_map_of_identifiers_is_said_to_be_one(document):
    document["subject"] = {"identifier": {"system": "urn:mrn", "value": "9"}}
    (found,) = explain_bytes(orjson.dumps(document), patient_ids={"urn:mrn|9": "p-9"})
    assert Decision("patient", "p-9", "the configured map of identifiers") in found.decisions


def test_relations_and_other_names_are_said(document):
    target = {"reference": "DocumentReference/old"}
    document["relatesTo"] = [{"code": "replaces", "target": target}]
    document["identifier"] = [{"system": "urn:x", "value": "7"}]
    found = decided(document)
    assert found["replaces"][0] == "old"
    assert found["also known as"][0] == "urn:x|7"


def test_a_merged_patient_says_into_whom():
    links = [
        {"other": {"reference": "Patient/new"}, "type": "replaced-by"},
        {"other": {"reference": "Patient/older"}, "type": "replaces"},
    ]
    found = decided({"resourceType": "Patient", "id": "old", "link": links})
    assert found["patient"][0] == "old"
    assert found["merged into"][0] == "new"
    assert found["stands for"][0] == "older"
    assert found["ends as"][0] == "merge"
    assert "no_merge" in decided({"resourceType": "Patient", "id": "old"})["ends as"][0]


def test_a_deletion_says_that_the_index_is_asked():
    entry = {"request": {"method": "DELETE", "url": "DocumentReference/9"}}
    found = decided({"resourceType": "Bundle", "type": "history", "entry": [entry]})
    assert found["resource"] == (
        "DocumentReference/9",
        "a notification of its deletion, without it",
    )
    assert found["ends as"][0] == "retracted, or dead letter"


def test_a_notice_says_what_a_worker_would_fetch(document):
    data = {"resourceType": "DocumentReference", "resourceFhirId": "d", "resourceVersionId": 2}
    found = decided([{"eventType": "Microsoft.HealthcareApis.FhirResourceUpdated", "data": data}])
    assert found["resource"][0] == "DocumentReference/d, version 2"
    assert found["to fetch"][0] == "DocumentReference/d/_history/2"
    assert found["ends as"][0] == "skipped: no_resource"


@pytest.mark.parametrize("value", [b"", b"not json", b"[]", b'{"a": 1}', b'[{"resourceType": 7}]'])
def test_a_record_that_cannot_be_read_is_explained_by_its_end(value):
    (found,) = decisions(value)
    assert found["ends as"].answer.partition(":")[0] in {"skipped", "dead letter"}


def test_explained_and_inspected_ends_are_the_same_on_every_real_file(data_folder):
    for path in sorted((data_folder / "fhir").iterdir()):
        raw = path.read_bytes()
        rows = list(inspect_bytes(raw))
        explained = list(explain_bytes(raw))
        ends = [(e.reading.outcome.value, e.reading.reason) for e in explained]
        assert ends == [(row["outcome"], row["reason"]) for row in rows], path.name
        taken = [sum(d.answer.startswith("taken") for d in e.decisions) for e in explained]
        assert taken == [int(row["outcome"] == "accepted") for row in rows], path.name


def test_a_terminal_shows_every_decision_and_no_markup_of_the_file(document):
    document["id"] = "[red]odd[/]"
    (found,) = explain_bytes(orjson.dumps(document))
    console = Console(width=100, record=True, quiet=False, file=None, color_system=None)
    with console.capture() as shown:
        console.print(explanation("notes.ndjson:3", found))
    text = shown.get()
    assert "notes.ndjson:3" in text
    assert "[red]odd[/]" in text
    assert "SOB" not in text


def test_the_command_explains_in_words_and_prints_json_without_the_flag(
    document, monkeypatch, tmp_path
):
    monkeypatch.setenv("CHARTPROOF_SITE_ZONE", "America/New_York")
    document["date"] = "2024-05-01T08:30:00"
    line = json.dumps(document)
    explained = CliRunner().invoke(app, ["inspect", "--explain", "-"], input=line)
    assert explained.exit_code == 0
    assert "2024-05-01T12:30:00+00:00" in explained.stdout
    assert "taken: text" in explained.stdout
    monkeypatch.setenv("CHARTPROOF_PATIENT_IDENTIFIERS", str(tmp_path / "patients.json"))
    (tmp_path / "patients.json").write_text('{"urn:mrn|9": "p-9"}')
    document["subject"] = {"identifier": {"system": "urn:mrn", "value": "9"}}
    line = json.dumps(document)
    plain = CliRunner().invoke(app, ["inspect", "-"], input=line)
    row = json.loads(plain.stdout)
    assert (row["note_time"], row["patient_id"]) == ("2024-05-01T12:30:00+00:00", "p-9")


def test_the_site_zone_holds_for_times_without_one(document):
    document["date"] = "2024-05-01T08:30:00"
    (found,) = explain_bytes(orjson.dumps(document), default_zone=ZoneInfo("Europe/Berlin"))
    assert ("note time", "2024-05-01T06:30:00+00:00", "date") in {
        (d.question, d.answer, d.why) for d in found.decisions
    }


def test_another_text_of_the_same_format_is_told_from_another_format(document):
    attachment = document["content"][0]["attachment"]
    for data, why in (
        (attachment["data"], "another format"),
        (base64.b64encode(b"Part two.").decode(), "another text"),
    ):
        content = [*document["content"], {"attachment": attachment | {"data": data}}]
        assert why in decided(document | {"content": content})["content[1]"][1]


def test_an_id_does_not_steer_the_terminal(document):
    document["id"] = "\x1b[2Jdoc"
    (found,) = explain_bytes(orjson.dumps(document))
    console = Console(file=io.StringIO(), width=120)
    console.print(explanation("file", found))
    assert "\x1b" not in console.file.getvalue()

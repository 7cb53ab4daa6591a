"""The main job on real parts: Tansu, Milvus Lite, Triton, a worker process; and every bad input."""

import asyncio
import base64
import platform
import sys
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import orjson
import pytest

from schemas.failures import DeadLetter
from schemas.texts import TextGenerated, VerificationSettings
from schemas.topics import ALERTS, DEAD_LETTERS, FACTS_CHANGED, MIB
from schemas.verdicts import ScoreSheetIssued, Verdict, VerdictIssued
from streams.cli.client import Client
from streams.cli.publish import Published, publish
from streams.cli.sources import SourceRecord
from streams.cli.verify import VerificationError, verify
from streams.local.sample import load_chart
from streams.local.sample.messages import document_reference, generated_summary
from streams.local.stack import Stack

NOTE_TIME = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)


@pytest.fixture(scope="module")
def stack(tmp_path_factory) -> Iterator[Stack]:
    with Stack(tmp_path_factory.mktemp("stack"), log_level="DEBUG") as running:
        if sys.platform == "linux" and platform.machine() == "x86_64":
            assert running.triton is not None, running.triton_failure
        running.start_worker()
        yield running


@pytest.fixture
async def client(stack: Stack):
    async with Client(stack.settings) as connected:
        yield connected


def new_patient() -> str:
    return f"p-{uuid.uuid4().hex[:8]}"


def note(patient: str | None, text: str = "BP 128/76. Denies chest pain.", **changes) -> dict:
    made = {
        "resourceType": "DocumentReference",
        "id": changes.pop("id", f"note-{uuid.uuid4().hex[:8]}"),
        "meta": {"versionId": str(changes.pop("version", 1))},
        "status": changes.pop("status", "current"),
        "date": changes.pop("date", NOTE_TIME).isoformat(),
        "content": [
            {
                "attachment": {
                    "contentType": "text/plain",
                    "data": base64.b64encode(text.encode()).decode(),
                }
            }
        ],
    }
    if patient:
        made["subject"] = {"reference": f"Patient/{patient}"}
    return made | changes


async def put(client: Client, *values: object) -> Published:
    """Publish and wait for every outcome."""
    records = [
        SourceRecord("test", each if isinstance(each, bytes) else orjson.dumps(each), "same-key")
        for each in values
    ]
    report = await publish(client, records, wait=True, stall_s=60)
    assert report.unresolved == 0
    return report


def outcomes(report: Published) -> dict[tuple[str, str | None], int]:
    return {(outcome.value, reason): n for (outcome, reason), n in report.outcomes.items()}


def text(patient: str, content: str, **fields) -> TextGenerated:
    return TextGenerated(
        occurred_at=datetime.now(UTC),
        text_id=str(uuid.uuid4()),
        patient_id=patient,
        text=content,
        **fields,
    )


async def sheet_of(client: Client, event: TextGenerated) -> ScoreSheetIssued:
    found = [each async for each in verify(client, event, quiet_s=60)]
    assert isinstance(found[-1], ScoreSheetIssued)
    assert all(isinstance(each, VerdictIssued) for each in found[:-1])
    assert len(found) - 1 == len(found[-1].judged)
    return found[-1]


async def test_a_chart_goes_in_and_a_summarys_verdicts_come_out(client: Client) -> None:
    chart = load_chart()
    report = await put(client, *[document_reference(chart, each) for each in chart.notes])
    assert outcomes(report) == {("indexed", None): len(chart.notes)}
    async with client.follow([ALERTS]) as alerts:
        sheet = await sheet_of(client, generated_summary(chart, "s1", datetime.now(UTC)))
        unsupported = sheet.counts[Verdict.NOT_SUPPORTED] + sheet.counts[Verdict.NOT_ADDRESSED]
        raised = []
        while not raised or "alerting" not in raised[-1]:
            raised.append(orjson.loads((await anext(alerts))[1].value))
    assert unsupported > 0
    assert sheet.counts[Verdict.SUPPORTED] > unsupported
    assert sheet.counts[Verdict.FAILED] == 0
    assert {each["text_id"] for each in raised} == {"s1"}
    assert len({each["group_id"] for each in raised}) == 1
    assert len(raised[-1]["alerting"]) == unsupported
    own_notes = {each.note_id: each.text for each in chart.notes}
    for row in sheet.judged:
        assert row.reason
        assert row.evidence or row.verdict == Verdict.NOT_ADDRESSED
        for cited in row.evidence:
            assert own_notes[cited.document_id][cited.start : cited.end] == cited.quote
    assert set(sheet.provenance.models) == {"embedder", "reranker", "decomposer", "judge"}
    assert sheet.provenance.settings == VerificationSettings()
    assert sheet.provenance.chart_position.topic.endswith("chart")


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (b"this is not JSON {", "not_json"),
        (b"   ", "empty"),
        (orjson.dumps(note(None)), "no_patient"),
        (
            orjson.dumps(
                note(
                    "p", content=[{"attachment": {"contentType": "text/plain", "data": "%%%2@()"}}]
                )
            ),
            "bad_base64",
        ),
        (b" " * (20 * MIB), "too_large"),
    ],
    ids=["not JSON", "empty", "no patient", "bad base64", "20 MB"],
)
async def test_what_cannot_be_processed_is_a_dead_letter_with_the_original_bytes(
    client: Client, value: bytes, reason: str
) -> None:
    async with client.follow([DEAD_LETTERS]) as letters:
        report = await put(client, value)
        assert outcomes(report) == {("dead_lettered", reason): 1}
        _, record = await anext(letters)
    assert record.value == value
    letter = DeadLetter.from_headers(dict(record.headers))
    assert (letter.stage, letter.reason) == ("intake", reason)


async def test_a_bom_and_an_unknown_resource_and_neighbours(client: Client) -> None:
    patient = new_patient()
    bundle = {
        "resourceType": "Bundle",
        "type": "collection",
        "entry": [{"resource": {"resourceType": "Basic"}}, {"resource": note(patient)}],
    }
    report = await put(client, b"\xef\xbb\xbf" + orjson.dumps(bundle))
    assert outcomes(report) == {("skipped", "unsupported_resource"): 1, ("indexed", None): 1}


async def test_the_same_event_five_times_changes_the_index_once(client: Client) -> None:
    same = note(new_patient())
    async with client.follow([FACTS_CHANGED]) as changes:
        report = await put(client, *[same] * 5)
        assert outcomes(report) == {("indexed", None): 1, ("unchanged", None): 4}
        _, first = await anext(changes)
        # A marker after it: had the repeats changed facts, their events would come before this one.
        await put(client, note(marker := new_patient()))
        patients = []
        while marker not in patients:
            _, record = await anext(changes)
            patients.append(orjson.loads(record.value)["patient_id"])
    assert orjson.loads(first.value)["patient_id"] == same["subject"]["reference"].split("/")[1]
    assert patients == [marker]


async def test_versions_in_reverse_end_as_in_order(client: Client) -> None:
    patient = new_patient()
    versions = [
        note(patient, f"Potassium {3 + n / 10:.1f} this morning.", id=f"{patient}-n", version=n)
        for n in (3, 2, 1)
    ]
    report = await put(client, *versions)
    assert outcomes(report) == {("indexed", None): 1, ("stale", None): 2}
    sheet = await sheet_of(client, text(patient, "Potassium was 3.3."))
    assert sheet.facts_in_chart == 1
    assert "3.3" in sheet.judged[0].evidence[0].quote


async def test_an_entered_in_error_note_is_no_evidence_any_more(client: Client) -> None:
    patient = new_patient()
    said = "Amputation of the left foot in 2019."
    await put(client, note(patient, said, id=f"{patient}-n"))
    before = await sheet_of(client, text(patient, said))
    gone = note(patient, said, id=f"{patient}-n", version=2, status="entered-in-error")
    assert outcomes(await put(client, gone)) == {("retracted", "entered_in_error"): 1}
    after = await sheet_of(client, text(patient, said))
    assert before.judged[0].verdict == Verdict.SUPPORTED
    assert after.judged[0].verdict == Verdict.NOT_ADDRESSED
    assert after.facts_in_chart == 0


async def test_facts_later_than_as_of_are_not_evidence(client: Client) -> None:
    patient = new_patient()
    said = "Underwent laparoscopic cholecystectomy."
    await put(client, note(patient, said), note(patient, "Well.", date=NOTE_TIME - timedelta(9)))
    before = text(patient, said, as_of=NOTE_TIME - timedelta(days=1))
    assert (await sheet_of(client, before)).judged[0].verdict != Verdict.SUPPORTED
    assert (await sheet_of(client, text(patient, said))).judged[0].verdict == Verdict.SUPPORTED


async def test_no_verdict_cites_another_patients_fact(client: Client) -> None:
    one, other = new_patient(), new_patient()
    said = "Allergic to shellfish with anaphylaxis."
    await put(client, note(one, said), note(other, "Regular diet."))
    sheet = await sheet_of(client, text(other, said))
    assert sheet.judged[0].verdict != Verdict.SUPPORTED
    assert sheet.facts_in_chart == 1


async def test_a_text_for_a_patient_without_notes_is_not_addressed(client: Client) -> None:
    sheet = await sheet_of(client, text(new_patient(), "The patient has asthma."))
    assert sheet.judged[0].verdict == Verdict.NOT_ADDRESSED
    assert "no notes" in sheet.judged[0].reason


async def test_a_text_of_50_000_characters_is_judged_whole(client: Client) -> None:
    patient = new_patient()
    await put(client, note(patient, "Denies chest pain. BP 128/76."))
    long = "".join(f"On day {n} the patient denied chest pain again.\n" for n in range(1100))
    assert len(long) > 50_000
    event = text(patient, long, settings=VerificationSettings(unit="sentence"))
    sheet = await sheet_of(client, event)
    assert len(sheet.judged) == 1100
    assert sheet.counts[Verdict.FAILED] == 0


async def test_a_text_event_of_an_unknown_version_is_refused_with_the_reason(
    client: Client,
) -> None:
    event = text(new_patient(), "x").model_copy(update={"type": "chartproof.text-generated.v9"})
    with pytest.raises(VerificationError, match="unknown_schema_version"):
        await anext(verify(client, event, quiet_s=60))


async def test_the_same_text_twice_repeats_its_proposition_ids(client: Client) -> None:
    patient = new_patient()
    await put(client, note(patient))
    event = text(patient, "No chest pain. BP was 128/76.")
    first = await sheet_of(client, event)
    second = await sheet_of(client, event)
    ids = [[row.proposition.proposition_id for row in sheet.judged] for sheet in (first, second)]
    assert ids[0] == ids[1]


async def test_logs_hold_no_note_text_and_no_patient_ids(client: Client, stack: Stack) -> None:
    """At level DEBUG, and with Milvus killed meanwhile, as failures are logged with what failed."""
    patient = f"secret-{uuid.uuid4().hex}"
    words = "Zebrafishlike rash of the elbow."
    await put(client, note(patient, words), b'{"resourceType": "' + words.encode())
    await asyncio.to_thread(stack.milvus.process.kill)
    asked = asyncio.create_task(sheet_of(client, text(patient, words)))
    added = asyncio.create_task(put(client, note(patient, words)))
    done, _ = await asyncio.wait([asked, added], timeout=3)
    assert not done, "something was done without the index"
    await asyncio.to_thread(stack.milvus.start)
    await asyncio.gather(asked, added)
    logs = "".join(path.read_text(errors="replace") for path in Path(stack.folder).glob("*.log"))
    assert " DEBUG " in logs
    assert patient not in logs
    assert "Zebrafish" not in logs


async def test_a_worker_leaves_nothing_in_the_folder_it_runs_in(client: Client) -> None:
    await put(client, note(new_patient()))
    assert list(Path.cwd().glob("*-data")) == []

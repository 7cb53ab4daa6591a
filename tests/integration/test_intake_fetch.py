"""Intake with a real FHIR client and a real server: what is named by reference becomes a note, and
every failure its outcome."""

from __future__ import annotations

import asyncio
import base64
import gzip
from collections.abc import AsyncIterator
from datetime import UTC, datetime

import orjson
import pytest
from aiohttp import web

from agents.adapters.fhir import BearerToken, FhirBase, FhirClient, Limits
from agents.errors import DependencyOverloaded, InvalidEvent, TransientError
from agents.intake.receive import Intake
from agents.ports import Record
from schemas.events import Event
from schemas.notes import DocumentDeleted, NoteChanged, NoteRetracted
from schemas.outcomes import Outcome, OutcomeRecorded
from schemas.patients import PatientMerged
from tests.integration.fhir_server import Server, serving

NOW = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)
NOTE = "Seen on the ward. Temperature 37.1. No cough since Tuesday."
QUICK = Limits(max_bytes=20_000, connect_s=5, read_s=5, total_s=10, attempts=2, backoff_s=0.001)


class Clock:
    def now(self) -> datetime:
        return NOW


class Bench:
    """An intake that fetches from `server`, and what it emitted."""

    def __init__(self, server: Server, client: FhirClient | None) -> None:
        self.server = server
        self.intake = Intake(Clock(), source=client)
        self.emitted: list[Event] = []

    async def send(self, *values: object) -> list[Event]:
        """One value as JSON (bytes as they are), several as a Bundle."""
        self.emitted = []
        value = values[0] if len(values) == 1 else bundle(*values)
        raw = value if isinstance(value, bytes) else orjson.dumps(value)

        async def emit(event: Event) -> None:
            self.emitted.append(event)

        await self.intake.documents(Record("inbound.documents", 0, 1, None, raw), emit)
        return self.emitted

    async def one(self, value: object) -> Event:
        (event,) = await self.send(value)
        return event

    async def damage(self, *values: object) -> InvalidEvent:
        with pytest.raises(InvalidEvent) as caught:
            await self.send(*values)
        return caught.value


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    async with serving() as running:
        yield running


@pytest.fixture
async def bench(server: Server) -> AsyncIterator[Bench]:
    client = FhirClient([FhirBase(server.base)], QUICK)
    yield Bench(server, client)
    await client.close()


def bundle(*resources: object) -> dict:
    entries = [{"resource": resource} for resource in resources]
    return {"resourceType": "Bundle", "type": "collection", "entry": entries}


def note(url: str | None = "Binary/1", number: int = 1, **attachment: object) -> dict:
    content = {"contentType": "text/plain", "url": url} | attachment
    return {
        "resourceType": "DocumentReference",
        "id": f"doc-{number}",
        "meta": {"versionId": "2"},
        "status": "current",
        "subject": {"reference": "Patient/p-1"},
        "date": "2026-03-01T08:00:00Z",
        "content": [{"attachment": content}],
    }


def notice(kind: str = "DocumentReference", version: int = 2, what: str = "Updated") -> dict:
    return {
        "eventType": f"Microsoft.HealthcareApis.FhirResource{what}",
        "eventTime": "2026-03-02T09:00:00Z",
        "data": {
            "resourceType": kind,
            "resourceFhirId": "doc-1",
            "resourceVersionId": version,
        },
    }


def raw(content: bytes | str = NOTE, content_type: str = "text/plain", **headers: str):
    body = content.encode() if isinstance(content, str) else content
    return web.Response(body=body, headers={"Content-Type": content_type} | headers)


def fhir(resource: object) -> web.Response:
    return raw(orjson.dumps(resource), "application/fhir+json; charset=utf-8")


def text_of(event: Event) -> str:
    assert isinstance(event, NoteChanged), event
    return event.note.text


def outcome_of(event: Event) -> tuple[Outcome, str | None]:
    assert isinstance(event, OutcomeRecorded), event
    return event.outcome, event.reason


@pytest.mark.parametrize("where", ["relative", "absolute", "rooted"])
async def test_a_note_by_url_is_fetched(bench, server, where):
    url = {
        "relative": "Binary/1",
        "absolute": f"{server.base}/Binary/1",
        "rooted": "/fhir/Binary/1",
    }
    server.answers["Binary/1"] = raw()
    event = await bench.one(note(url[where]))
    assert text_of(event) == NOTE
    assert (event.document_id, event.patient_id) == ("doc-1", "p-1")


async def test_a_binary_as_a_resource_is_unwrapped(bench, server):
    data = base64.b64encode(NOTE.encode()).decode()
    binary = {"resourceType": "Binary", "contentType": "text/plain", "data": data}
    server.answers["Binary/1"] = fhir(binary)
    assert text_of(await bench.one(note())) == NOTE


async def test_a_fetched_note_is_the_same_note_as_an_inline_one(bench, server):
    """And its url, which may be signed anew each time, is no part of its version."""
    server.answers["Binary/1"] = raw()
    data = base64.b64encode(NOTE.encode()).decode()
    events = [
        await bench.one(note(None, data=data)),
        await bench.one(note("Binary/1?sig=one")),
        await bench.one(note("Binary/1?sig=two")),
    ]
    assert len({event.event_id for event in events}) == 1


@pytest.mark.parametrize(
    ("said", "answer", "text"),
    [
        ("text/plain", raw(NOTE, "application/octet-stream"), NOTE),
        (None, raw("Größe".encode("utf-16-be"), "text/plain; charset=utf-16-be"), "Größe"),
        ("text/plain", raw("Größe".encode("cp437"), "text/plain; charset=cp437"), "Größe"),
        ("text/plain; charset=cp437", raw("Größe".encode("cp437")), "Größe"),
        (None, raw("<html><p>Na 138<p>K 4", "application/octet-stream"), "Na 138\nK 4"),
        ("text/html", raw("Na&nbsp;138"), "Na 138"),
    ],
)
async def test_the_attachments_type_counts_then_the_answers_then_the_bytes(
    bench, server, said, answer, text
):
    server.answers["Binary/1"] = answer
    assert text_of(await bench.one(note(contentType=said))) == text


async def test_a_resource_that_is_no_binary_is_never_taken_for_text(bench, server):
    server.answers["Binary/1"] = fhir({"resourceType": "Bundle", "type": "document"})
    event = await bench.one(note(contentType="text/plain"))
    assert outcome_of(event) == (Outcome.SKIPPED, "unsupported_content_type")


@pytest.mark.parametrize("kind", ["transfer", "file"])
async def test_gzip_of_the_transfer_and_of_the_file(bench, server, kind):
    body = gzip.compress(NOTE.encode())
    transfer = raw(body, **{"Content-Encoding": "gzip"})
    server.answers["Binary/1"] = transfer if kind == "transfer" else raw(body, "application/gzip")
    assert text_of(await bench.one(note())) == NOTE


async def test_data_that_hapi_keeps_apart_is_fetched_where_it_keeps_it(bench, server):
    mark = "http://hapifhir.io/fhir/StructureDefinition/externalized-binary-id"
    document = note(None)
    apart = {"extension": [{"url": mark, "valueString": "b-1"}]}
    document["content"][0]["attachment"] = {"contentType": "text/plain", "_data": apart}
    server.answers["DocumentReference/doc-1/$binary-access-read"] = raw()
    assert text_of(await bench.one(document)) == NOTE
    (asked,) = server.requests
    assert asked.query["path"] == "DocumentReference.content.attachment"


@pytest.mark.parametrize("status", [404, 410])
async def test_what_is_not_there_is_a_recorded_skip(bench, server, status):
    server.answers["Binary/1"] = web.Response(status=status)
    event = await bench.one(note())
    assert outcome_of(event) == (Outcome.SKIPPED, "attachment_not_found")
    assert (event.patient_id, event.document_id) == ("p-1", "doc-1")
    assert str(status) in event.detail


@pytest.mark.parametrize(
    "url",
    [
        "http://169.254.169.254/latest/meta-data",
        "file:///etc/passwd",
        "http://127.0.0.1:1/fhir/Binary/1",
        "//evil.example/Binary/1",
        "Binary/../../admin",
        "gopher://h/1",
    ],
)
async def test_what_may_not_be_asked_for_is_never_asked_and_recorded(bench, server, url):
    event = await bench.one(note(url))
    assert outcome_of(event) == (Outcome.SKIPPED, "url_not_allowed")
    assert url not in event.detail
    assert server.requests == []


async def test_a_redirect_off_the_base_is_recorded(bench, server):
    async with serving() as other:
        away = {"Location": f"{other.base}/Binary/1"}
        server.answers["Binary/1"] = web.Response(status=302, headers=away)
        event = await bench.one(note())
        assert outcome_of(event) == (Outcome.SKIPPED, "url_not_allowed")
        assert other.requests == []


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (web.Response(status=403), "attachment_forbidden"),
        (web.Response(status=401), "attachment_forbidden"),
        (web.Response(status=400), "attachment_refused"),
        (raw(b"x" * 30_000), "attachment_too_large"),
        (raw(b"{", "application/fhir+json"), "attachment_broken"),
        (fhir({"resourceType": "OperationOutcome"}), "attachment_refused"),
    ],
)
async def test_what_somebody_can_mend_is_a_dead_letter(bench, server, answer, reason):
    server.answers["Binary/1"] = answer
    assert (await bench.damage(note())).reason == reason


async def test_a_busy_server_is_asked_again_and_a_lasting_one_is_the_deliverys_to_retry(
    bench, server
):
    answers = [web.Response(status=503), raw()]

    async def busy_once(_: web.Request) -> web.Response:
        return answers.pop(0)

    server.answers["Binary/1"] = busy_once
    assert text_of(await bench.one(note())) == NOTE
    server.answers["Binary/1"] = web.Response(status=503)
    with pytest.raises(DependencyOverloaded):
        await bench.one(note())
    server.answers["Binary/1"] = raw()
    assert text_of(await bench.one(note())) == NOTE


async def test_no_server_at_all_is_transient():
    async with serving() as server:
        base = server.base
    client = FhirClient([FhirBase(base)], QUICK)
    try:
        with pytest.raises(TransientError) as caught:
            await Bench(server, client).send(note())
    finally:
        await client.close()
    assert caught.value.dependency == "fhir"


async def test_a_neighbour_that_fails_does_not_stop_the_others(bench, server):
    server.answers["Binary/1"] = raw()
    server.answers["Binary/2"] = web.Response(status=403)
    server.answers["Binary/3"] = web.Response(status=404)
    server.answers["Binary/5"] = raw("The last one.")
    inline = note(None, 4, data=base64.b64encode(b"Inline.").decode())
    urls = [note(f"Binary/{number}", number) for number in (1, 2, 3)]
    error = await bench.damage(*urls, inline, note("Binary/5", 5))
    assert (error.reason, error.item, error.items) == ("attachment_forbidden", 1, 5)
    assert [(event.item, type(event).__name__) for event in bench.emitted] == [
        (0, "NoteChanged"),
        (2, "OutcomeRecorded"),
        (3, "NoteChanged"),
        (4, "NoteChanged"),
    ]


async def test_a_bundle_of_many_urls_keeps_its_order(bench, server):
    count = 100

    async def answer(request: web.Request) -> web.Response:
        number = int(request.path.rpartition("/")[2])
        await asyncio.sleep(0.001 * (number % 3))
        return raw(f"Note number {number}.")

    server.answers = {f"Binary/{number}": answer for number in range(count)}
    events = await bench.send(*(note(f"Binary/{number}", number) for number in range(count)))
    assert [text_of(event) for event in events] == [f"Note number {n}." for n in range(count)]


async def test_the_next_format_is_fetched_when_the_first_cannot_be_read(bench, server):
    server.answers["Binary/1"] = web.Response(status=404)
    server.answers["Binary/2"] = raw(b"\x89PNG\r\n\x1a\n" + bytes(range(256)), "image/png")
    server.answers["Binary/3"] = raw()
    document = note()
    document["content"] += [{"attachment": {"url": f"Binary/{number}"}} for number in (2, 3)]
    assert text_of(await bench.one(document)) == NOTE
    del server.answers["Binary/3"]
    event = await bench.one(document)
    assert outcome_of(event) == (Outcome.SKIPPED, "unsupported_content_type")


async def test_a_document_of_a_thousand_urls_is_not_asked_for_all(bench, server):
    document = note()
    document["content"] = [{"attachment": {"url": f"Binary/{n}"}} for n in range(1000)]
    event = await bench.one(document)
    assert isinstance(event, OutcomeRecorded)
    assert len(server.requests) <= 8


async def test_a_notice_leads_to_its_version_and_that_to_its_attachment(bench, server):
    server.answers["DocumentReference/doc-1/_history/2"] = fhir(note())
    server.answers["Binary/1"] = raw()
    for _ in range(2):  # at least once: the repeat says the same
        (event,) = await bench.send([notice()])
        assert text_of(event) == NOTE
        assert event.version.version_id == "2"
    assert server.paths == ["DocumentReference/doc-1/_history/2", "Binary/1"] * 2


async def test_urls_in_a_fetched_resource_are_relative_to_its_own_server(server):
    async with serving() as second:
        second.answers["DocumentReference/doc-1"] = fhir(note())
        second.answers["Binary/1"] = raw()
        server.answers["Binary/1"] = raw("Of another server.")
        client = FhirClient([FhirBase(server.base), FhirBase(second.base)], QUICK)
        entry = {"fullUrl": f"{second.base}/DocumentReference/doc-1"}
        notification = {"resourceType": "Bundle", "type": "history", "entry": [entry]}
        try:
            assert text_of(await Bench(server, client).one(notification)) == NOTE
        finally:
            await client.close()
        assert server.requests == []


async def test_a_notice_of_a_report_is_fetched_too(bench, server):
    data = base64.b64encode(NOTE.encode()).decode()
    report = {
        "resourceType": "DiagnosticReport",
        "id": "doc-1",
        "status": "final",
        "subject": {"reference": "Patient/p-1"},
        "presentedForm": [{"contentType": "text/plain", "data": data}],
    }
    server.answers["DiagnosticReport/doc-1/_history/2"] = fhir(report)
    assert text_of(await bench.one(notice("DiagnosticReport"))) == NOTE


async def test_a_notice_of_a_patient_leads_to_its_merge(bench, server):
    merged = {
        "resourceType": "Patient",
        "id": "doc-1",
        "meta": {"versionId": "2"},
        "active": False,
        "link": [{"other": {"reference": "Patient/p-2"}, "type": "replaced-by"}],
    }
    server.answers["Patient/doc-1/_history/2"] = fhir(merged)
    event = await bench.one(notice("Patient"))
    assert isinstance(event, PatientMerged)
    assert (event.patient_id, event.into) == ("doc-1", "p-2")


async def test_a_notice_of_a_patient_that_is_gone_is_a_skip(bench, server):
    assert outcome_of(await bench.one(notice("Patient"))) == (
        Outcome.SKIPPED,
        "attachment_not_found",
    )


async def test_a_server_without_history_gives_the_present_version(bench, server):
    data = base64.b64encode(NOTE.encode()).decode()
    server.answers["DocumentReference/doc-1"] = fhir(note(None, data=data))
    assert text_of(await bench.one(notice())) == NOTE


async def test_a_notice_of_what_is_gone(bench, server):
    """It said that there was a change, so a deletion will be told; where nothing was said, the
    document may have been deleted, and its facts must not stay in silence."""
    assert outcome_of(await bench.one(notice())) == (Outcome.SKIPPED, "attachment_not_found")
    event = await bench.one({"resourceType": "DocumentReference", "id": "doc-1"})
    assert isinstance(event, DocumentDeleted)


async def test_a_deletion_retracts_what_the_version_before_it_was(bench, server):
    server.answers["DocumentReference/doc-1/_history/2"] = fhir(note())
    event = await bench.one(notice(version=3, what="Deleted"))
    assert isinstance(event, NoteRetracted)
    assert (event.patient_id, event.document_id, event.reason) == ("p-1", "doc-1", "deleted")
    assert event.version.version_id == "3"
    assert server.paths == ["DocumentReference/doc-1/_history/2"]


async def test_a_deletion_of_a_draft_retracts_all_the_same(bench, server):
    server.answers["DocumentReference/doc-1/_history/2"] = fhir(note() | {"docStatus": "partial"})
    assert isinstance(await bench.one(notice(version=3, what="Deleted")), NoteRetracted)


async def test_a_deletion_without_history_is_left_to_the_index(bench, server):
    """It knows whose the document is; where it does not, the chart agent's end is a dead letter."""
    event = await bench.one(notice(version=3, what="Deleted"))
    assert isinstance(event, DocumentDeleted)
    assert (event.document_id, event.reason, event.version.version_id) == ("doc-1", "deleted", "3")


@pytest.mark.parametrize(
    "answer",
    [
        fhir(note(number=2)),
        fhir({"resourceType": "Patient", "id": "doc-1"}),
        fhir([]),
        raw("not JSON at all"),
    ],
)
async def test_an_answer_to_another_question_is_not_taken(bench, server, answer):
    server.answers["DocumentReference/doc-1/_history/2"] = answer
    assert (await bench.damage(notice())).reason == "attachment_broken"


async def test_what_a_notice_names_is_forbidden(bench, server):
    server.answers["DocumentReference/doc-1/_history/2"] = web.Response(status=403)
    assert (await bench.damage(notice())).reason == "attachment_forbidden"


async def test_credentials_go_with_the_fetch(server):
    async def guarded(request: web.Request) -> web.Response:
        good = request.headers.get("Authorization") == "Bearer t0ken"
        return raw() if good else web.Response(status=401)

    server.answers["Binary/1"] = guarded
    client = FhirClient([FhirBase(server.base, BearerToken("t0ken"))], QUICK)
    try:
        assert text_of(await Bench(server, client).one(note())) == NOTE
    finally:
        await client.close()


async def test_without_a_source_both_are_recorded_skips(server):
    bench = Bench(server, None)
    assert outcome_of(await bench.one(note())) == (Outcome.SKIPPED, "url_only")
    assert outcome_of(await bench.one(notice())) == (Outcome.SKIPPED, "no_resource")


async def test_messages_of_ends_hold_neither_url_nor_text(bench, server):
    server.answers["Binary/secret-1"] = web.Response(status=403, text="about secret-2")
    error = await bench.damage(note(f"{server.base}/Binary/secret-1"))
    assert "secret" not in str(error)
    assert server.base not in str(error)

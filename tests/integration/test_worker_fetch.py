"""A worker process whose settings name a FHIR server: a note by url ends in the index."""

import uuid

import orjson
from aiohttp import web

from streams.cli.client import Client
from streams.cli.publish import publish
from streams.cli.sources import SourceRecord
from streams.local.stack import Stack
from tests.integration.fhir_server import serving


def note(patient: str, url: str) -> bytes:
    return orjson.dumps(
        {
            "resourceType": "DocumentReference",
            "id": f"note-{uuid.uuid4().hex[:8]}",
            "status": "current",
            "subject": {"reference": f"Patient/{patient}"},
            "date": "2026-03-02T09:30:00Z",
            "content": [{"attachment": {"url": url}}],
        }
    )


async def test_a_worker_fetches_from_the_base_of_its_settings(tmp_path) -> None:
    async with serving() as server:
        server.answers["Binary/1"] = web.Response(text="BP 128/76. Denies chest pain.")
        with Stack(tmp_path, fhir_bases=(server.base,)) as stack:
            stack.start_worker()
            async with Client(stack.settings) as client:
                urls = ["Binary/1", "Binary/2", "http://169.254.169.254/latest"]
                records = [SourceRecord("test", note("p-1", url), "p-1") for url in urls]
                report = await publish(client, records, wait=True, stall_s=60)
    assert {(outcome.value, reason) for outcome, reason in report.outcomes} == {
        ("indexed", None),
        ("skipped", "attachment_not_found"),
        ("skipped", "url_not_allowed"),
    }
    assert report.unresolved == 0
    assert server.paths == ["Binary/1", "Binary/2"]

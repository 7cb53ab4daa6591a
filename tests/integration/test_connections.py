"""docs/connections.md, run: each system's message on the embedded stack, and what becomes of it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import orjson
from aiohttp import web

from streams.cli.client import Client
from streams.cli.publish import Published, publish
from streams.cli.publish_backfill import backfill
from streams.cli.sources import SourceRecord, read_sources
from streams.local.stack import Stack
from tests.connection_messages import (
    HELD_NOTE,
    azure_change,
    azure_deletion,
    bulk_lines,
    hapi_id_only,
    hapi_message,
    held_document,
    mirth,
)
from tests.integration.fhir_server import Server, serving

INDEXED, UNCHANGED, MERGED = ("indexed", None), ("unchanged", None), ("merged", None)
RETRACTED = ("retracted", "deleted")


def serve_notes(server: Server) -> None:
    """The FHIR server that Azure's and HAPI's notices and the export's urls lead to."""
    for path in ("DocumentReference/doc-1", "DocumentReference/doc-1/_history/2"):
        server.answers[path] = web.json_response(held_document())
    server.answers["Binary/note-1"] = web.Response(text=HELD_NOTE)


async def ends(client: Client, *messages: object, key: str | None = None) -> list[object]:
    """What became of each message, one after the other."""
    found: list[object] = []
    for message in messages:
        record = SourceRecord("test", orjson.dumps(message), key)
        report = await publish(client, [record], wait=True, stall_s=60)
        assert report.unresolved == 0
        found += [(outcome.value, reason) for outcome, reason in report.outcomes.elements()]
    return found


def seen(report: Published) -> Counter[object]:
    return Counter((outcome.value, reason) for outcome, reason in report.outcomes.elements())


async def test_the_four_connections_on_the_embedded_stack(tmp_path: Path) -> None:
    export = tmp_path / "export"
    export.mkdir()
    for name, lines in bulk_lines().items():
        (export / name).write_bytes(lines)
    async with serving() as server:
        serve_notes(server)
        with Stack(tmp_path, fhir_bases=(server.base,)) as stack:
            stack.start_worker()
            async with Client(stack.settings) as client:
                sent = (mirth(), mirth())
                assert await ends(client, *sent, key="Patient/mirth-patient") == [
                    INDEXED,
                    UNCHANGED,
                ]
                assert await ends(client, azure_change(), hapi_id_only(), azure_deletion()) == [
                    INDEXED,
                    UNCHANGED,
                    RETRACTED,
                ]
                assert await ends(client, hapi_message(), key="doc-7") == [INDEXED]
                state = tmp_path / "backfill.json"
                bulk = await backfill(client, [export], state_file=state, wait=True)
                assert seen(bulk) == {INDEXED: 3, MERGED: 1}
                again = await publish(client, read_sources([export]), wait=True, stall_s=60)
                assert seen(again) == {UNCHANGED: 4}
    fetched = [path for path in server.paths if path.startswith("DocumentReference")]
    assert set(fetched) == {"DocumentReference/doc-1", "DocumentReference/doc-1/_history/2"}

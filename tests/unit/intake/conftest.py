"""What the intake tests share: an R4 DocumentReference to change, and the folder of real files."""

from __future__ import annotations

import base64
import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson
import pytest

from agents.intake.read import Reading, read_documents
from agents.ports import Record
from schemas.events import Event

RECEIVED = datetime(2027, 6, 1, 12, tzinfo=UTC)

Document = dict[str, Any]


@pytest.fixture
def received() -> datetime:
    return RECEIVED


@pytest.fixture
def document() -> Document:
    """A plain R4 DocumentReference, as small as it is accepted."""
    data = base64.b64encode(b"Pt c/o SOB. BP 120/80.").decode()
    return {
        "resourceType": "DocumentReference",
        "id": "doc-1",
        "status": "current",
        "subject": {"reference": "Patient/p-1"},
        "date": "2024-05-01T08:30:00Z",
        "content": [{"attachment": {"contentType": "text/plain", "data": data}}],
    }


@pytest.fixture
def read() -> Callable[[object], list[Reading]]:
    """Readings of a record: bytes as they are, anything else as JSON."""

    def _read(value: object) -> list[Reading]:
        raw = value if isinstance(value, bytes | None) else orjson.dumps(value)
        return read_documents(raw, received_at=RECEIVED)

    return _read


@pytest.fixture
def read_one(read: Callable[[object], list[Reading]]) -> Callable[[object], Reading]:
    def _read_one(value: object) -> Reading:
        (reading,) = read(value)
        return reading

    return _read_one


@pytest.fixture
def attach(document: Document) -> Callable[..., Document]:
    """The document with this attachment instead."""

    def _attach(data: object, content_type: str | None = "text/plain") -> Document:
        encoded = base64.b64encode(data).decode() if isinstance(data, bytes) else data
        document["content"] = [{"attachment": {"contentType": content_type, "data": encoded}}]
        return document

    return _attach


@pytest.fixture
def record() -> Callable[..., Record]:
    def _record(value: bytes | None, **headers: bytes) -> Record:
        at = RECEIVED.timestamp()
        return Record("inbound", 3, 17, b"key", value, headers=headers, timestamp=at)

    return _record


class FixedClock:
    def now(self) -> datetime:
        return RECEIVED


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock()


class Emitted(list[Event]):
    """What an agent emitted, in order."""

    async def __call__(self, event: Event) -> None:
        self.append(event)


@pytest.fixture
def emitted() -> Emitted:
    return Emitted()


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """`../shared/data` or CHARTPROOF_DATA. Where it is absent, the test skips by name."""
    beside = Path(__file__).parents[3].parent / "shared" / "data"
    folder = Path(os.environ.get("CHARTPROOF_DATA", beside))
    if not folder.is_dir():
        pytest.skip(f"NO DATA: {folder} is absent; set CHARTPROOF_DATA to run this test")
    return folder

"""What intake costs over parsing alone: documents/s, and the ratio to `orjson` + base64.

The baseline does the least that anything reading these messages must: parse the JSON and decode the
text. Both run in turns on the same messages, so that a busy machine slows both.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import orjson
import pybase64
from rich.table import Table

from agents.intake.build import document_reference
from agents.intake.read import read_documents
from streams.bench.models import sentences

SIZES = (5_000, 200_000)
"""Bytes of note text: a progress note, and a long discharge summary with copied results."""
_BATCH_BYTES = 2_000_000
_TURNS = 7
_TIME = datetime(2026, 1, 5, 9, tzinfo=UTC)


@dataclass(frozen=True)
class IntakeTiming:
    """Both in documents/s; `ratio` is the share of the baseline's speed that intake has."""

    size: int
    intake: float
    baseline: float

    @property
    def ratio(self) -> float:
        return self.intake / self.baseline


def bench_intake(sizes: Sequence[int] = SIZES, *, batch_bytes: int = _BATCH_BYTES) -> Table:
    """A table for people: one row a size."""
    table = Table(title="Intake over orjson + base64 alone", title_justify="left")
    for column in ("note", "documents/s", "orjson + base64", "ratio"):
        table.add_column(column, justify="right")
    for size in sizes:
        timing = measure(size, batch_bytes)
        table.add_row(
            f"{size // 1000} KB",
            f"{timing.intake:,.0f}",
            f"{timing.baseline:,.0f}",
            f"{timing.ratio:.2f}",
        )
    return table


def measure(size: int, batch_bytes: int = _BATCH_BYTES) -> IntakeTiming:
    """Notes of `size` bytes, best of some turns: what is over the best is the machine's noise."""
    messages = [_message(size, n) for n in range(max(1, batch_bytes // size))]
    turns = [(_seconds(_read, messages), _seconds(_parse, messages)) for _ in range(_TURNS)]
    intake, baseline = (min(times) for times in zip(*turns, strict=True))
    return IntakeTiming(size, len(messages) / intake, len(messages) / baseline)


def _message(size: int, number: int) -> bytes:
    lines = sentences(1 + size // 40, number)
    text = "\n".join(lines)[:size]
    given = {"encounter_id": "e-1", "author": "Practitioner/7", "version_id": "1"}
    return document_reference(f"bench-{number}", "bench", text, date=_TIME, **given)


def _read(message: bytes) -> None:
    read_documents(message, received_at=_TIME)


def _parse(message: bytes) -> None:
    pybase64.b64decode(orjson.loads(message)["content"][0]["attachment"]["data"], validate=True)


def _seconds(work: Callable[[bytes], None], messages: Sequence[bytes]) -> float:
    started = time.perf_counter()
    for message in messages:
        work(message)
    return time.perf_counter() - started

"""How the index scales with the number of patients: `bench_index`, called by `chartproof bench`.

A patient's update and query must not get slower because the hospital has more patients. Ratios
against the smallest size, from one run on one machine, say so; milliseconds alone do not.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from statistics import median

import numpy as np

from agents.chart_records import DocumentRecord, DocumentStatus, WritePosition
from agents.ports import EmbeddedFact, Embedding, FactIndex, FactQuery
from schemas.notes import DocumentVersion, Fact

NOTE_FACTS = 10
"""Facts of one made-up note, all replaced by one update."""
TERMS = 30_000
"""Size of the made-up vocabulary, that of BERT."""
FACT_TERMS = 12
LIMIT = 60
REPEATS = 40
START = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class IndexTiming:
    """Medians at one size. Ratios are against the first size of the run."""

    patients: int
    facts: int
    """Facts in the whole index."""
    update_ms: float
    """Replace one note: `NOTE_FACTS` facts deleted, as many written, and the document's row."""
    query_ms: float
    """One hybrid search of one patient, `LIMIT` facts at most."""
    update_ratio: float
    query_ratio: float


async def bench_index(
    index: FactIndex,
    patients: Sequence[int] = (10, 100, 1000),
    *,
    facts_per_patient: int = 50,
    dim: int = 384,
    on_progress: Callable[[int], None] | None = None,
) -> list[IndexTiming]:
    """Fill an empty `index` step by step and time it at each number of patients (ascending).

    `facts_per_patient` is rounded down to whole notes of `NOTE_FACTS`. `REPEATS` updates and
    queries are timed a size, one after another. `on_progress` is told each patient filled in.
    """
    notes = max(1, facts_per_patient // NOTE_FACTS)
    chart = _Chart(index, dim)
    timings: list[IndexTiming] = []
    filled = 0
    for size in patients:
        for patient in range(filled, size):
            for note in range(notes):
                await chart.write(patient, note, version=0)
            if on_progress is not None:
                on_progress(patient + 1)
        filled = size
        drawn = [int(each) for each in np.linspace(0, size - 1, REPEATS)]
        update = [await _timed(chart.replace(patient, notes)) for patient in drawn]
        query = [await _timed(chart.search(patient)) for patient in drawn]
        update_ms, query_ms = median(update), median(query)
        first = timings[0] if timings else None
        timings.append(
            IndexTiming(
                patients=size,
                facts=size * notes * NOTE_FACTS,
                update_ms=update_ms,
                query_ms=query_ms,
                update_ratio=update_ms / first.update_ms if first else 1.0,
                query_ratio=query_ms / first.query_ms if first else 1.0,
            )
        )
    return timings


async def _timed(call: Awaitable[None]) -> float:
    """Milliseconds."""
    start = time.perf_counter()
    await call
    return (time.perf_counter() - start) * 1000


class _Chart:
    """Made-up notes of numbered patients; equal runs write equal facts."""

    def __init__(self, index: FactIndex, dim: int) -> None:
        self._index = index
        self._dim = dim
        self._random = np.random.default_rng(11)
        self._versions: dict[tuple[int, int], int] = {}
        self._offset = 0

    async def replace(self, patient: int, notes: int) -> None:
        note = patient % notes
        await self.write(patient, note, self._versions[patient, note] + 1)

    async def write(self, patient: int, note: int, version: int) -> None:
        facts = [self._fact(patient, note, version, ordinal) for ordinal in range(NOTE_FACTS)]
        now = START + timedelta(hours=note)
        record = DocumentRecord(
            patient_id=_patient(patient),
            document_id=f"note-{note}",
            version=DocumentVersion(
                version_id=str(version), last_updated=now, content_hash=_id(patient, note, version)
            ),
            status=DocumentStatus.CURRENT,
            fact_ids=tuple(each.fact.fact_id for each in facts),
            note_time=now,
            updated_at=now,
        )
        self._offset += 1
        await self._index.write(record, facts, WritePosition(0, self._offset))
        self._versions[patient, note] = version

    async def search(self, patient: int) -> None:
        query = FactQuery(
            _patient(patient), self._embedding(), limit=LIMIT, as_of=datetime.now(UTC)
        )
        await self._index.search(query)

    def _fact(self, patient: int, note: int, version: int, ordinal: int) -> EmbeddedFact:
        text = f"Made-up finding {ordinal} of note {note}, unchanged since the last examination."
        fact = Fact(
            fact_id=_id(patient, note, version, ordinal),
            patient_id=_patient(patient),
            document_id=f"note-{note}",
            text=text,
            start=0,
            end=len(text),
            ordinal=ordinal,
            section="Findings",
            note_time=START + timedelta(hours=note),
            encounter_id=f"encounter-{note % 3}",
        )
        return EmbeddedFact(fact, self._embedding())

    def _embedding(self) -> Embedding:
        dense = self._random.normal(size=self._dim).astype(np.float32)
        terms = self._random.choice(TERMS, size=FACT_TERMS, replace=False)
        sparse = {int(term): 1.0 for term in terms}
        return Embedding(dense / np.linalg.norm(dense), sparse)


def _patient(number: int) -> str:
    return f"bench-{number:05d}"


def _id(*parts: int) -> str:
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:36]

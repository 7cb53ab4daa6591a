"""The index benchmark on the index in memory: what it fills in and what it reports."""

from __future__ import annotations

from agents.adapters.index.memory import MemoryIndex
from streams.bench.index import NOTE_FACTS, bench_index


async def test_one_row_a_size_with_ratios_against_the_first():
    index = MemoryIndex()
    told: list[int] = []
    rows = await bench_index(
        index, (2, 4), facts_per_patient=2 * NOTE_FACTS, dim=8, on_progress=told.append
    )
    assert [(row.patients, row.facts) for row in rows] == [(2, 40), (4, 80)]
    assert (rows[0].update_ratio, rows[0].query_ratio) == (1.0, 1.0)
    assert rows[1].update_ratio == rows[1].update_ms / rows[0].update_ms
    assert all(row.update_ms > 0 and row.query_ms > 0 for row in rows)
    assert told == [1, 2, 3, 4]
    assert await index.count("bench-00003") == 2 * NOTE_FACTS, "updates replace, they do not add"

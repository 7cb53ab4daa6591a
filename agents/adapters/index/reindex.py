"""A second index beside the live one, with vectors of another embedder, from the index's own rows.

Notes need not come again: the rows hold what facts say. Every row is copied with the position at
which it was written, so workers may use the target meanwhile: what they write there is later and
stays. So the way from one embedder to another is

1. `reindex`, while workers go on with the source (the long run);
2. workers start with the target and the new embedder;
3. `reindex` again: it copies what has changed in the source since 1, and nothing else.

Between 2 and 3 texts are verified without the notes of the time since 1.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from agents.adapters.index import filters
from agents.adapters.index.document_rows import (
    DOCUMENT_COLUMNS,
    PATIENT_COLUMNS,
    document_of,
    links_of,
)
from agents.adapters.index.milvus import MilvusIndex
from agents.adapters.index.schema import Collection, Kind
from agents.adapters.index.write_order import latest, written
from agents.ports import EmbeddedFact, Embedder

MOST_ROWS = 8_192
"""Rows of one query: half of what Milvus gives at most."""
EMBED_BATCH = 256


@dataclass(frozen=True)
class Reindexed:
    """What a run has copied; `unchanged` documents were there already."""

    documents: int = 0
    facts: int = 0
    unchanged: int = 0
    patients: int = 0


class Reindexer:
    """Copies one index into another."""

    def __init__(self, source: MilvusIndex, target: MilvusIndex, embedder: Embedder) -> None:
        self._source = source
        self._target = target
        self._embedder = embedder
        self._done = Reindexed()

    async def run(self, on_progress: Callable[[Reindexed], None] | None = None) -> Reindexed:
        """Raises what Milvus and the embedder raise; start it again, it goes on from there."""
        await self._target.require_embedder(self._embedder)
        async for row in self._rows("patients", ("patient_id",)):
            await self._copy_links(row["patient_id"])
        async for row in self._rows("documents", ("patient_id", "document_id")):
            await self._copy_document(row["patient_id"], row["document_id"])
            if on_progress is not None:
                on_progress(self._done)
        return self._done

    async def _rows(self, kind: Kind, columns: Sequence[str]) -> AsyncIterator[dict[str, Any]]:
        """Distinct rows of all patients. Keys are UUIDs, so their first digits part them evenly."""
        there = set(await self._source.session.collections())
        for collection in self._source.layout.all(kind):
            if collection.name not in there:
                continue
            digits = await self._digits(collection)
            for shard in range(16**digits):
                stored = await self._source.session.query(
                    collection,
                    filter=f'pk like "{shard:0{digits}x}%"' if digits else "",
                    output_fields=list(columns),
                    consistency_level="Strong",
                    limit=2 * MOST_ROWS,
                )
                names = [tuple(row[column] for column in columns) for row in stored]
                for name in dict.fromkeys(names):
                    yield dict(zip(columns, name, strict=True))

    async def _digits(self, collection: Collection) -> int:
        counted = await self._source.session.query(
            collection, filter="", output_fields=["count(*)"], consistency_level="Strong"
        )
        rows, digits = int(counted[0]["count(*)"]), 0
        while rows / 16**digits > MOST_ROWS / 2:
            digits += 1
        return digits

    async def _copy_links(self, patient_id: str) -> None:
        where = filters.of_patient(patient_id)
        stored = await self._source.query("patients", patient_id, where, PATIENT_COLUMNS)
        links = links_of(stored)
        if links is not None:
            await self._target.write_patient_links(links, written(latest(stored)[0]))
            self._done = replace(self._done, patients=self._done.patients + 1)

    async def _copy_document(self, patient_id: str, document_id: str) -> None:
        where = filters.of_document(patient_id, document_id)
        stored = await self._source.query("documents", patient_id, where, DOCUMENT_COLUMNS)
        counting = latest(stored)
        if not counting:
            return
        at = written(counting[0])
        document = document_of(stored)
        if document is None:
            await self._target.delete(patient_id, document_id, at)
            return
        there = await self._target.document(patient_id, document_id)
        if there is not None and not at.is_after(there.written_at):
            self._done = replace(self._done, unchanged=self._done.unchanged + 1)
            return
        facts = [each.fact for each in await self._source.facts(document)]
        embedded: list[EmbeddedFact] = []
        for start in range(0, len(facts), EMBED_BATCH):
            batch = facts[start : start + EMBED_BATCH]
            made = await self._embedder.embed([fact.text for fact in batch])
            embedded += [EmbeddedFact(*pair) for pair in zip(batch, made, strict=True)]
        await self._target.write(document, embedded, at)
        self._done = replace(
            self._done,
            documents=self._done.documents + 1,
            facts=self._done.facts + len(embedded),
        )

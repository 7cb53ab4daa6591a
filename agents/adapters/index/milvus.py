"""The index on Milvus: any Milvus by URI, a cluster or a Milvus Lite server.

Reads are Strong: after a rebalance another process may have written a patient's last rows, which
Session would not wait for.

Milvus Lite takes concurrent writers on one collection without complaint and spoils its log, so
there one lock a collection holds writers and readers apart. It cannot reach other processes:
`streams.local.milvus` starts Lite with one worker thread, which can. On a cluster the locks only
keep two writes of one patient from mixing.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection, Iterator, Sequence
from contextlib import asynccontextmanager, nullcontext
from typing import Any, Self, TypeVar

from agents.adapters.index import filters, rows
from agents.adapters.index.ranking import SCORE_DIGITS, fused, ordered
from agents.adapters.index.schema import PLACEHOLDER, Kind, Layout, bucket, check_dim
from agents.adapters.index.session import Address, Session
from agents.ports import (
    DocumentHead,
    DocumentRecord,
    EmbeddedFact,
    FactIndex,
    FactQuery,
    ScoredFact,
)

Item = TypeVar("Item")

BATCH = 500
"""Rows a call. A row is about 3 KB, at most 200 KB; a server takes at least 64 MB a message."""
MOST_HITS = 16_384
"""Milvus' largest limit of a search."""
TIE_ROOM = 4
"""Hits fetched beyond the limit, to see whether the last place is shared."""
CLUSTER_LOCKS = 256


class MilvusIndex(FactIndex):
    """`FactIndex` over Milvus. Made by `connect`. See `ranking` for what scores mean."""

    def __init__(self, session: Session, layout: Layout, *, lite: bool) -> None:
        self._session = session
        self._layout = layout
        self._lite = lite
        self._locks = [asyncio.Lock() for _ in range(layout.spread if lite else CLUSTER_LOCKS)]

    @classmethod
    async def connect(  # noqa: PLR0913 - settings, all with defaults
        cls,
        uri: str,
        *,
        token: str | None = None,
        ca_file: str | None = None,
        database: str = "",
        prefix: str = "",
        spread: int = 32,
        dim: int | None = 384,
        timeout_s: float = 15.0,
    ) -> Self:
        """Connect to `uri` (http, or https for TLS). `timeout_s` is the deadline of each call.

        `token` is an API key or `user:password`; `ca_file` a PEM of a private authority.
        `spread` is the number of collections that patients are spread over: 32 on Milvus Lite, 1
        on a cluster, and the same for the life of the index. `dim` is the embedder's; with None
        the index can be looked at, not written. Collections are named `prefix` + `facts` and
        `documents`. Raises `DependencyUnavailable` when nothing answers there, `PermanentError`
        when the index there has another spread or vectors of another dimension.
        """
        layout = Layout(spread, prefix)
        session = Session(Address(uri, token, database, timeout_s, ca_file), dim)
        try:
            version = await session.version()
            there = frozenset(await session.collections())
            layout.check(there)
            if dim is not None:
                for each in layout.all("facts"):
                    if each.name in there:
                        check_dim(await session.describe(each), each.name, dim)
        except BaseException:
            await session.close()
            raise
        return cls(session, layout, lite="lite" in version)

    async def document(self, patient_id: str, document_id: str) -> DocumentRecord | None:
        async with self._reading(patient_id):
            found = await self._document_rows(patient_id, document_id, [0])
            if found and (parts := int(found[0]["parts"])) > 1:
                found += await self._document_rows(patient_id, document_id, range(1, parts))
        return rows.document_of(found) if found else None

    async def _document_rows(
        self, patient_id: str, document_id: str, parts: Sequence[int]
    ) -> list[dict[str, Any]]:
        keys = [rows.document_key(patient_id, document_id, part) for part in parts]
        return await self._fetch("documents", patient_id, keys, rows.DOCUMENT_COLUMNS)

    async def documents(
        self, patient_id: str, names: Collection[str] | None = None
    ) -> list[DocumentHead]:
        if names is not None and not names:
            return []
        async with self._reading(patient_id):
            found = await self._session.query(
                self._layout.collection("documents", patient_id),
                filter=filters.of_heads(patient_id, names),
                output_fields=list(rows.HEAD_COLUMNS),
                consistency_level="Strong",
            )
        return sorted(map(rows.head_of, found), key=lambda head: head.document_id)

    async def find_documents(self, document_id: str) -> list[str]:
        found: list[dict[str, Any]] = []
        there = set(await self._session.collections())
        for number, collection in enumerate(self._layout.all("documents")):
            if collection.name not in there:
                continue
            async with self._locks[number] if self._lite else nullcontext():
                found += await self._session.query(
                    collection,
                    filter=filters.of_document(document_id),
                    output_fields=["patient_id"],
                    consistency_level="Strong",
                )
        return sorted(row["patient_id"] for row in found)

    async def forget(self, patient_id: str, document_id: str, fact_ids: Sequence[str] = ()) -> None:
        collection = self._layout.collection("documents", patient_id)
        async with self._lock(patient_id):
            await self._delete_facts(patient_id, fact_ids)
            found = await self._document_rows(patient_id, document_id, [0])
            parts = range(int(found[0]["parts"]) if found else 1)
            keys = [rows.document_key(patient_id, document_id, part) for part in parts]
            # Part 0 last: it says how many there are.
            for key in reversed(keys):
                await self._session.delete(collection, filters.of_rows([key]))

    async def facts(self, patient_id: str, fact_ids: Sequence[str]) -> list[EmbeddedFact]:
        keys = [rows.fact_key(patient_id, fact_id) for fact_id in fact_ids]
        columns = ("pk", *rows.FACT_COLUMNS, "dense", "sparse")
        async with self._reading(patient_id):
            found = await self._fetch("facts", patient_id, keys, columns)
        by_key = {row["pk"]: row for row in found}
        return [rows.embedded_of(by_key[key]) for key in keys if key in by_key]

    async def _fetch(
        self, kind: Kind, patient_id: str, keys: Sequence[str], columns: Sequence[str]
    ) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        for batch in _batches(list(dict.fromkeys(keys))):
            found += await self._session.query(
                self._layout.collection(kind, patient_id),
                filter=filters.of_rows(batch),
                output_fields=list(columns),
                consistency_level="Strong",
            )
        return found

    async def write(
        self,
        document: DocumentRecord,
        upsert: Sequence[EmbeddedFact],
        delete: Sequence[str],
    ) -> None:
        """As the port says. Raises `InvalidEvent` before anything is written (see `rows`)."""
        facts = rows.fact_rows(document, upsert)
        parts = rows.document_rows(document)
        async with self._lock(document.patient_id):
            await self._delete_facts(document.patient_id, delete)
            await self._upsert_facts(document.patient_id, facts)
            await self._put_document(document, parts)

    async def _delete_facts(self, patient_id: str, fact_ids: Sequence[str]) -> None:
        collection = self._layout.collection("facts", patient_id)
        for batch in _batches([rows.fact_key(patient_id, fact_id) for fact_id in fact_ids]):
            await self._session.delete(collection, filters.of_rows(batch))

    async def _upsert_facts(self, patient_id: str, facts: Sequence[rows.Row]) -> None:
        for batch in _batches(facts):
            await self._session.upsert(self._layout.collection("facts", patient_id), list(batch))

    async def _put_document(self, document: DocumentRecord, parts: Sequence[rows.Row]) -> None:
        """Part 0 says how many there are, so it is written last."""
        collection = self._layout.collection("documents", document.patient_id)
        for batch in _batches([{**row, "placeholder": PLACEHOLDER} for row in parts[::-1]]):
            await self._session.upsert(collection, list(batch))

    async def search(self, query: FactQuery) -> list[ScoredFact]:
        async with self._reading(query.patient_id):
            if query.mode == "dense":
                return await self._dense(query)
            if query.mode == "sparse":
                return await self._sparse(query)
            rankings = await asyncio.gather(self._dense(query), self._sparse(query))
        return fused(rankings)[: query.limit]

    async def _dense(self, query: FactQuery) -> list[ScoredFact]:
        return await self._nearest(query, "dense", "COSINE", query.embedding.dense)

    async def _sparse(self, query: FactQuery) -> list[ScoredFact]:
        terms = rows.sparse_terms(query.embedding.sparse)
        return await self._nearest(query, "sparse", "IP", terms) if terms else []

    async def _nearest(
        self, query: FactQuery, field: str, metric: str, vector: object
    ) -> list[ScoredFact]:
        """The first `limit` hits; where the last place is shared, the first of them by fact id."""
        limit = min(query.limit, MOST_HITS)
        room = min(limit + TIE_ROOM, MOST_HITS)
        while True:
            found = await self._session.search(
                self._layout.collection("facts", query.patient_id),
                data=[vector],
                anns_field=field,
                search_params={"metric_type": metric},
                filter=filters.of_query(query),
                limit=room,
                output_fields=list(rows.FACT_COLUMNS),
                consistency_level="Strong",
            )
            hits = [ScoredFact(rows.fact_of(hit["entity"]), hit["distance"]) for hit in found]
            if len(hits) < room or room == MOST_HITS or not _shared(hits, limit):
                return ordered(hits)[:limit]
            room = min(2 * room, MOST_HITS)

    async def count(self, patient_id: str) -> int:
        async with self._reading(patient_id):
            found = await self._session.query(
                self._layout.collection("facts", patient_id),
                filter=filters.of_patient(patient_id),
                output_fields=["count(*)"],
                consistency_level="Strong",
            )
        return int(found[0]["count(*)"])

    async def check(self) -> None:
        await self._session.version()

    async def close(self) -> None:
        await self._session.close()

    def _lock(self, patient_id: str) -> asyncio.Lock:
        """On Lite the lock of the patient's collections, on a cluster one of the patient."""
        return self._locks[bucket(patient_id, len(self._locks))]

    @asynccontextmanager
    async def _reading(self, patient_id: str) -> AsyncIterator[None]:
        if not self._lite:
            yield
            return
        async with self._lock(patient_id):
            yield


def _batches(items: Sequence[Item]) -> Iterator[Sequence[Item]]:
    return (items[start : start + BATCH] for start in range(0, len(items), BATCH))


def _shared(hits: Sequence[ScoredFact], limit: int) -> bool:
    """Whether the last hit fetched has the score of the last place."""
    return round(hits[limit - 1].score, SCORE_DIGITS) == round(hits[-1].score, SCORE_DIGITS)

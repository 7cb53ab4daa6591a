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
from collections import defaultdict
from collections.abc import (
    AsyncIterator,
    Collection,
    Iterator,
    Sequence,
)
from contextlib import asynccontextmanager, nullcontext
from typing import Any, Self, TypeVar

from agents.adapters.index import filters, rows
from agents.adapters.index.document_rows import (
    DOCUMENT_COLUMNS,
    EVIDENCE_COLUMNS,
    HEAD_COLUMNS,
    PATIENT_COLUMNS,
    deleted_row,
    document_of,
    document_rows,
    head_of,
    links_of,
    patient_row,
)
from agents.adapters.index.fingerprint import require_embedder
from agents.adapters.index.rows import Row
from agents.adapters.index.schema import PLACEHOLDER, Kind, Layout, bucket, check_dim, dim_of
from agents.adapters.index.search import EvidenceSearch
from agents.adapters.index.session import Address, Session
from agents.adapters.index.write_order import (
    evidence_count,
    latest_heads,
    outdated,
)
from agents.chart_records import DocumentHead, DocumentRecord, PatientLinks, WritePosition
from agents.ports import EmbeddedFact, Embedder, FactIndex, FactQuery, ScoredFact

Item = TypeVar("Item")

BATCH = 500
"""Rows a call. A row is about 3 KB, at most 200 KB; a server takes at least 64 MB a message."""
CLUSTER_LOCKS = 256


class MilvusIndex(FactIndex):
    """`FactIndex` over Milvus. Made by `connect`. See `ranking` for what scores mean."""

    def __init__(self, session: Session, layout: Layout, *, lite: bool) -> None:
        self.session = session
        self.layout = layout
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
        the index can be looked at, not written. Collections are named `prefix` + `facts`,
        `documents` and `patients`. Raises `DependencyUnavailable` when nothing answers there,
        `PermanentError` when the index there has another spread or vectors of another dimension.
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

    async def stored_dim(self) -> int | None:
        """Of the vectors that are there; None while there are none."""
        there = set(await self.session.collections())
        for collection in self.layout.all("facts"):
            if collection.name in there:
                return dim_of(await self.session.describe(collection))
        return None

    async def require_embedder(self, embedder: Embedder) -> None:
        """Remember the embedder of a new index. Raises `PermanentError` where another made it."""
        await require_embedder(self.session, self.layout, embedder)

    async def document(self, patient_id: str, document_id: str) -> DocumentRecord | None:
        async with self._reading(patient_id):
            return document_of(
                await self.query(
                    "documents",
                    patient_id,
                    filters.of_document(patient_id, document_id),
                    DOCUMENT_COLUMNS,
                )
            )

    async def documents(
        self, patient_id: str, names: Collection[str] | None = None
    ) -> list[DocumentHead]:
        if names is not None and not names:
            return []
        async with self._reading(patient_id):
            columns = HEAD_COLUMNS if names is None else ("document_id",)
            where = filters.of_heads(patient_id, names)
            stored = await self.query("documents", patient_id, where, columns)
            if names is not None:
                # Some may be rows of an earlier write, while a later one has the name no more.
                ids = {row["document_id"] for row in stored}
                stored = await self._heads(patient_id, ids, HEAD_COLUMNS)
        heads = latest_heads(stored)
        return [
            head_of(heads[name])
            for name in sorted(heads)
            if names is None or not set(names).isdisjoint(heads[name]["names"].split())
        ]

    async def _heads(
        self, patient_id: str, document_ids: Collection[str], columns: Sequence[str]
    ) -> list[dict[str, Any]]:
        stored: list[dict[str, Any]] = []
        for batch in _batches(sorted(document_ids)):
            where = filters.of_heads(patient_id, document_ids=batch)
            stored += await self.query("documents", patient_id, where, columns)
        return stored

    async def find_documents(self, document_id: str) -> list[str]:
        stored: list[dict[str, Any]] = []
        there = set(await self.session.collections())
        for number, collection in enumerate(self.layout.all("documents")):
            if collection.name not in there:
                continue
            async with self._locks[number] if self._lite else nullcontext():
                stored += await self.session.query(
                    collection,
                    filter=filters.of_document_of_anyone(document_id),
                    output_fields=["patient_id", *EVIDENCE_COLUMNS],
                    consistency_level="Strong",
                )
        of_patients: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for row in stored:
            of_patients[row["patient_id"]].append(row)
        return sorted(each for each, heads in of_patients.items() if latest_heads(heads))

    async def facts(self, document: DocumentRecord) -> list[EmbeddedFact]:
        keys = rows.fact_keys(document)
        columns = ("pk", *rows.FACT_COLUMNS, "dense", "sparse")
        by_key: dict[str, dict[str, Any]] = {}
        async with self._reading(document.patient_id):
            for batch in _batches(list(dict.fromkeys(keys))):
                where = filters.of_rows(batch)
                stored = await self.query("facts", document.patient_id, where, columns)
                by_key |= {row["pk"]: row for row in stored}
        return [rows.embedded_of(by_key[key]) for key in keys if key in by_key]

    async def is_complete(self, document: DocumentRecord) -> bool:
        keys = set(rows.fact_keys(document))
        async with self._reading(document.patient_id):
            for batch in _batches(sorted(keys)):
                where = filters.of_rows(batch)
                stored = await self.query("facts", document.patient_id, where, ["pk"])
                keys -= {row["pk"] for row in stored}
        return not keys

    async def query(
        self, kind: Kind, patient_id: str, where: str, columns: Sequence[str]
    ) -> list[dict[str, Any]]:
        """Rows of a patient as they are stored, those that do not count too."""
        return await self.session.query(
            self.layout.collection(kind, patient_id),
            filter=where,
            output_fields=list(columns),
            consistency_level="Strong",
        )

    async def write(
        self, document: DocumentRecord, facts: Sequence[EmbeddedFact] | None, at: WritePosition
    ) -> None:
        """As the port says. Raises `InvalidEvent` before anything is written (see `rows`)."""
        new_facts = rows.fact_rows(document, facts, at)
        parts = document_rows(document, at, document.facts_written_at if facts is None else at)
        async with self._lock(document.patient_id):
            await self._put_facts(document.patient_id, new_facts)
            await self._put_document(document.patient_id, parts)
            await self._remove_outdated(document.patient_id, document.document_id, new_facts)

    async def delete(self, patient_id: str, document_id: str, at: WritePosition) -> None:
        async with self._lock(patient_id):
            await self._put_document(patient_id, [deleted_row(patient_id, document_id, at)])
            await self._remove_outdated(patient_id, document_id)

    async def _put_facts(self, patient_id: str, facts: Sequence[Row]) -> None:
        for batch in _batches(facts):
            await self.session.upsert(self.layout.collection("facts", patient_id), list(batch))

    async def _put_document(self, patient_id: str, parts: Sequence[Row]) -> None:
        """Part 0 makes the write count, so it is written last."""
        collection = self.layout.collection("documents", patient_id)
        for batch in _batches([{**row, "placeholder": PLACEHOLDER} for row in parts[::-1]]):
            await self.session.upsert(collection, list(batch))

    async def _remove_outdated(
        self, patient_id: str, document_id: str, written_now: Sequence[Row] = ()
    ) -> None:
        where = filters.of_document(patient_id, document_id)
        documents = await self.query("documents", patient_id, where, ("pk", *EVIDENCE_COLUMNS))
        facts = await self.query("facts", patient_id, where, ("pk", "written_at"))
        of_facts, of_documents = outdated(documents, facts, written_now)
        await self._delete("facts", patient_id, of_facts)
        await self._delete("documents", patient_id, of_documents)

    async def _delete(self, kind: Kind, patient_id: str, outdated_rows: Sequence[Row]) -> None:
        collection = self.layout.collection(kind, patient_id)
        for batch in _batches([row["pk"] for row in outdated_rows]):
            await self.session.delete(collection, filters.of_rows(batch))

    async def patient_links(self, patient_id: str) -> PatientLinks | None:
        async with self._reading(patient_id):
            return links_of(await self._patient_rows(patient_id))

    async def _patient_rows(self, patient_id: str) -> list[dict[str, Any]]:
        where = filters.of_patient(patient_id)
        return await self.query("patients", patient_id, where, ("pk", *PATIENT_COLUMNS))

    async def write_patient_links(self, links: PatientLinks, at: WritePosition) -> None:
        row = {**patient_row(links, at), "placeholder": PLACEHOLDER}
        async with self._lock(links.patient_id):
            collection = self.layout.collection("patients", links.patient_id)
            await self.session.upsert(collection, [row])
            _, earlier = outdated(await self._patient_rows(links.patient_id), ())
            await self._delete("patients", links.patient_id, earlier)

    async def search(self, query: FactQuery) -> list[ScoredFact]:
        collection = self.layout.collection("facts", query.patient_id)
        async with self._reading(query.patient_id):
            return await EvidenceSearch(self.session, collection, self._heads, query).run()

    async def count(self, patient_id: str) -> int:
        async with self._reading(patient_id):
            where = filters.of_heads(patient_id)
            stored = await self.query("documents", patient_id, where, EVIDENCE_COLUMNS)
        return evidence_count(latest_heads(stored).values())

    async def check(self) -> None:
        await self.session.version()

    async def close(self) -> None:
        await self.session.close()

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

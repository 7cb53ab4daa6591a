"""The index in memory: the twin of `MilvusIndex` for tests and single-process use.

It keeps the rows of `rows`, so its limits, precision and answers are those of the real one.
Nothing survives the process.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence

import numpy as np

from agents.adapters.index.ranking import fused, ordered
from agents.adapters.index.rows import (
    Row,
    document_of,
    document_rows,
    embedded_of,
    epoch_us,
    fact_of,
    fact_rows,
    head_of,
    sparse_terms,
)
from agents.ports import (
    DocumentHead,
    DocumentRecord,
    EmbeddedFact,
    FactIndex,
    FactQuery,
    ScoredFact,
)
from schemas.notes import AuthorCategory


class MemoryIndex(FactIndex):
    """`FactIndex` over dictionaries. See `ranking` for what scores mean."""

    def __init__(self) -> None:
        self._facts: dict[str, dict[str, Row]] = defaultdict(dict)
        self._documents: dict[tuple[str, str], list[Row]] = {}

    async def document(self, patient_id: str, document_id: str) -> DocumentRecord | None:
        rows = self._documents.get((patient_id, document_id))
        return document_of(rows) if rows else None

    async def documents(
        self, patient_id: str, names: Collection[str] | None = None
    ) -> list[DocumentHead]:
        mine = [rows[0] for key, rows in self._documents.items() if key[0] == patient_id]
        if names is not None:
            mine = [row for row in mine if not set(names).isdisjoint(row["names"].split())]
        return sorted(map(head_of, mine), key=lambda head: head.document_id)

    async def find_documents(self, document_id: str) -> list[str]:
        return sorted(patient for patient, found in self._documents if found == document_id)

    async def forget(self, patient_id: str, document_id: str, fact_ids: Sequence[str] = ()) -> None:
        await self._delete_facts(patient_id, fact_ids)
        self._documents.pop((patient_id, document_id), None)

    async def facts(self, patient_id: str, fact_ids: Sequence[str]) -> list[EmbeddedFact]:
        rows = self._facts.get(patient_id, {})
        return [embedded_of(rows[fact_id]) for fact_id in fact_ids if fact_id in rows]

    async def write(
        self,
        document: DocumentRecord,
        upsert: Sequence[EmbeddedFact],
        delete: Sequence[str],
    ) -> None:
        """As the port says. Raises `InvalidEvent` before anything is written (see `rows`)."""
        facts = fact_rows(document, upsert)
        parts = document_rows(document)
        await self._delete_facts(document.patient_id, delete)
        await self._upsert_facts(document.patient_id, facts)
        await self._put_document(document, parts)

    async def _delete_facts(self, patient_id: str, fact_ids: Sequence[str]) -> None:
        for fact_id in fact_ids:
            self._facts[patient_id].pop(fact_id, None)

    async def _upsert_facts(self, patient_id: str, rows: Sequence[Row]) -> None:
        self._facts[patient_id].update({row["fact_id"]: row for row in rows})

    async def _put_document(self, document: DocumentRecord, rows: list[Row]) -> None:
        self._documents[document.patient_id, document.document_id] = rows

    async def search(self, query: FactQuery) -> list[ScoredFact]:
        rows = [row for row in self._facts.get(query.patient_id, {}).values() if _asked(row, query)]
        if query.mode == "dense":
            return _dense(rows, query)
        if query.mode == "sparse":
            return _sparse(rows, query)
        return fused([_dense(rows, query), _sparse(rows, query)])[: query.limit]

    async def count(self, patient_id: str) -> int:
        return len(self._facts.get(patient_id, {}))

    async def check(self) -> None:
        """Always there."""

    async def close(self) -> None:
        """Nothing to close; the rows stay until the object goes."""


def _asked(row: Row, query: FactQuery) -> bool:
    """What `filters.of_query` says, in Python."""
    return (
        (query.as_of is None or row["note_time"] <= epoch_us(query.as_of))
        and (query.encounter_id is None or row["encounter_id"] == query.encounter_id)
        and row["document_id"] not in query.exclude_documents
        and (query.include_ai_authored or row["author_category"] != AuthorCategory.AI)
    )


def _dense(rows: Sequence[Row], query: FactQuery) -> list[ScoredFact]:
    if not rows:
        return []
    vectors = np.stack([row["dense"] for row in rows])
    asked = np.asarray(query.embedding.dense, dtype=np.float32)
    norms = np.linalg.norm(vectors, axis=1) * np.linalg.norm(asked)
    scores = (vectors @ asked) / np.where(norms > 0, norms, 1)
    hits = [ScoredFact(fact_of(row), float(s)) for row, s in zip(rows, scores, strict=True)]
    return ordered(hits)[: query.limit]


def _sparse(rows: Sequence[Row], query: FactQuery) -> list[ScoredFact]:
    asked = sparse_terms(query.embedding.sparse)
    hits = []
    for row in rows:
        shared = asked.keys() & row["sparse"].keys()
        if shared:
            score = sum(asked[term] * row["sparse"][term] for term in shared)
            hits.append(ScoredFact(fact_of(row), score))
    return ordered(hits)[: query.limit]

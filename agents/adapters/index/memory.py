"""The index in memory: the twin of `MilvusIndex` for tests and single-process use.

It keeps the rows of `rows`, so its limits, precision and answers are those of the real one.
Nothing survives the process.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence

import numpy as np

from agents.adapters.index import rows
from agents.adapters.index.document_rows import (
    deleted_row,
    document_of,
    document_rows,
    head_of,
    links_of,
    patient_row,
)
from agents.adapters.index.ranking import fused, ordered
from agents.adapters.index.rows import Row
from agents.adapters.index.write_order import (
    evidence_count,
    evidence_write,
    latest,
    latest_heads,
    outdated,
)
from agents.chart_records import DocumentHead, DocumentRecord, PatientLinks, WritePosition
from agents.ports import EmbeddedFact, FactIndex, FactQuery, ScoredFact
from schemas.notes import AuthorCategory


class MemoryIndex(FactIndex):
    """`FactIndex` over dictionaries. See `ranking` for what scores mean."""

    def __init__(self) -> None:
        self._facts: dict[str, dict[str, Row]] = defaultdict(dict)
        self._documents: dict[str, dict[str, Row]] = defaultdict(dict)
        self._patients: dict[str, dict[str, Row]] = defaultdict(dict)
        """Rows by key, by patient."""

    async def document(self, patient_id: str, document_id: str) -> DocumentRecord | None:
        return document_of(self._document_rows(patient_id, document_id))

    def _document_rows(self, patient_id: str, document_id: str) -> list[Row]:
        mine = self._documents.get(patient_id, {}).values()
        return [row for row in mine if row["document_id"] == document_id]

    def _heads(self, patient_id: str) -> dict[str, Row]:
        return latest_heads(self._documents.get(patient_id, {}).values())

    async def documents(
        self, patient_id: str, names: Collection[str] | None = None
    ) -> list[DocumentHead]:
        mine = [head for _, head in sorted(self._heads(patient_id).items())]
        if names is not None:
            mine = [row for row in mine if not set(names).isdisjoint(row["names"].split())]
        return [head_of(row) for row in mine]

    async def find_documents(self, document_id: str) -> list[str]:
        return sorted(each for each in self._documents if document_id in self._heads(each))

    async def facts(self, document: DocumentRecord) -> list[EmbeddedFact]:
        stored = self._facts.get(document.patient_id, {})
        keys = rows.fact_keys(document)
        return [rows.embedded_of(stored[key]) for key in keys if key in stored]

    async def is_complete(self, document: DocumentRecord) -> bool:
        return self._facts.get(document.patient_id, {}).keys() >= set(rows.fact_keys(document))

    async def write(
        self, document: DocumentRecord, facts: Sequence[EmbeddedFact] | None, at: WritePosition
    ) -> None:
        """As the port says. Raises `InvalidEvent` before anything is written (see `rows`)."""
        new_facts = rows.fact_rows(document, facts, at)
        facts_at = document.facts_written_at if facts is None else at
        parts = document_rows(document, at, facts_at)
        await self._put_facts(document.patient_id, new_facts)
        await self._put_document(document.patient_id, parts)
        await self._remove_outdated(document.patient_id, document.document_id, new_facts)

    async def delete(self, patient_id: str, document_id: str, at: WritePosition) -> None:
        await self._put_document(patient_id, [deleted_row(patient_id, document_id, at)])
        await self._remove_outdated(patient_id, document_id)

    async def _put_facts(self, patient_id: str, facts: Sequence[Row]) -> None:
        self._facts[patient_id].update({row["pk"]: row for row in facts})

    async def _put_document(self, patient_id: str, parts: Sequence[Row]) -> None:
        self._documents[patient_id].update({row["pk"]: row for row in parts})

    async def _remove_outdated(
        self, patient_id: str, document_id: str, written_now: Sequence[Row] = ()
    ) -> None:
        mine = self._document_rows(patient_id, document_id)
        facts = [r for r in self._facts[patient_id].values() if r["document_id"] == document_id]
        of_facts, of_documents = outdated(mine, facts, written_now)
        for row in of_facts:
            del self._facts[patient_id][row["pk"]]
        for row in of_documents:
            del self._documents[patient_id][row["pk"]]

    async def patient_links(self, patient_id: str) -> PatientLinks | None:
        return links_of(list(self._patients.get(patient_id, {}).values()))

    async def write_patient_links(self, links: PatientLinks, at: WritePosition) -> None:
        row = patient_row(links, at)
        mine = self._patients[links.patient_id]
        mine[row["pk"]] = row
        self._patients[links.patient_id] = {r["pk"]: r for r in latest(list(mine.values()))}

    async def search(self, query: FactQuery) -> list[ScoredFact]:
        heads = self._heads(query.patient_id)
        counting = {name: evidence_write(head) for name, head in heads.items()}
        stored = self._facts.get(query.patient_id, {}).values()
        mine = [
            row
            for row in stored
            if counting.get(row["document_id"]) == row["written_at"] and _matches(row, query)
        ]
        if query.mode == "dense":
            return _dense(mine, query)
        if query.mode == "sparse":
            return _sparse(mine, query)
        return fused([_dense(mine, query), _sparse(mine, query)])[: query.limit]

    async def count(self, patient_id: str) -> int:
        return evidence_count(self._heads(patient_id).values())

    async def check(self) -> None:
        """Always there."""

    async def close(self) -> None:
        """Nothing to close; the rows stay until the object goes."""


def _matches(row: Row, query: FactQuery) -> bool:
    """What `filters.of_query` says, in Python."""
    return (
        (query.as_of is None or row["note_time"] <= rows.epoch_us(query.as_of))
        and (query.encounter_id is None or row["encounter_id"] == query.encounter_id)
        and row["document_id"] not in query.exclude_documents
        and (query.include_ai_authored or row["author_category"] != AuthorCategory.AI)
    )


def _dense(facts: Sequence[Row], query: FactQuery) -> list[ScoredFact]:
    if not facts:
        return []
    vectors = np.stack([row["dense"] for row in facts])
    vector = np.asarray(query.embedding.dense, dtype=np.float32)
    norms = np.linalg.norm(vectors, axis=1) * np.linalg.norm(vector)
    scores = (vectors @ vector) / np.where(norms > 0, norms, 1)
    hits = [ScoredFact(rows.fact_of(r), float(s)) for r, s in zip(facts, scores, strict=True)]
    return ordered(hits)[: query.limit]


def _sparse(facts: Sequence[Row], query: FactQuery) -> list[ScoredFact]:
    terms = rows.sparse_terms(query.embedding.sparse)
    hits = []
    for row in facts:
        shared = terms.keys() & row["sparse"].keys()
        if shared:
            score = sum(terms[term] * row["sparse"][term] for term in shared)
            hits.append(ScoredFact(rows.fact_of(row), score))
    return ordered(hits)[: query.limit]

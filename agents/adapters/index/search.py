"""One search in a patient's facts on Milvus: only hits that count, as many as were asked for.

Milvus finds rows; which of them are evidence stands in the rows of their documents. So those of the
documents that were hit are read, and where too few hits are left the search is made again, larger.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from typing import Any

from agents.adapters.index import filters, rows, schema
from agents.adapters.index.document_rows import EVIDENCE_COLUMNS
from agents.adapters.index.ranking import SCORE_DIGITS, fused, ordered
from agents.adapters.index.session import Session
from agents.adapters.index.write_order import evidence_write, latest_heads
from agents.ports import FactQuery, ScoredFact

MOST_HITS = 16_384
"""Milvus' largest limit of a search."""
TIE_ROOM = 4
"""Hits fetched beyond the limit, to see whether the last place is shared."""

Heads = Callable[[str, Collection[str], Sequence[str]], Awaitable[list[dict[str, Any]]]]
"""Reads the first rows of a patient's documents: patient, document ids, columns."""


class EvidenceSearch:
    """See `ranking` for what scores mean."""

    def __init__(
        self, session: Session, collection: schema.Collection, heads: Heads, query: FactQuery
    ) -> None:
        self._session = session
        self._collection = collection
        self._heads = heads
        self._query = query
        self._writes: dict[str, str | None] = {}
        self._reading = asyncio.Lock()

    async def run(self) -> list[ScoredFact]:
        if self._query.mode == "dense":
            return await self._dense()
        if self._query.mode == "sparse":
            return await self._sparse()
        rankings = await asyncio.gather(self._dense(), self._sparse())
        return fused(rankings)[: self._query.limit]

    async def _dense(self) -> list[ScoredFact]:
        return await self._nearest("dense", "COSINE", self._query.embedding.dense)

    async def _sparse(self) -> list[ScoredFact]:
        terms = rows.sparse_terms(self._query.embedding.sparse)
        return await self._nearest("sparse", "IP", terms) if terms else []

    async def _nearest(self, field: str, metric: str, vector: object) -> list[ScoredFact]:
        """The first `limit` hits; where the last place is shared, the first of them by fact id."""
        limit = min(self._query.limit, MOST_HITS)
        room = min(limit + TIE_ROOM, MOST_HITS)
        while True:
            stored = await self._session.search(
                self._collection,
                data=[vector],
                anns_field=field,
                search_params={"metric_type": metric},
                filter=filters.of_query(self._query),
                limit=room,
                output_fields=list(rows.FACT_COLUMNS),
                consistency_level="Strong",
            )
            evidence = await self._evidence_among(stored)
            hits = [ScoredFact(rows.fact_of(hit["entity"]), hit["distance"]) for hit in evidence]
            is_all = len(stored) < room or room == MOST_HITS
            if is_all or (len(hits) > limit and not _is_last_place_shared(hits, limit)):
                return ordered(hits)[:limit]
            room = min(2 * room, MOST_HITS)

    async def _evidence_among(self, hits: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        """Those that the latest write of a current document wrote."""
        documents = {hit["entity"]["document_id"] for hit in hits}
        async with self._reading:
            unknown = documents - self._writes.keys()
            stored = await self._heads(self._query.patient_id, unknown, EVIDENCE_COLUMNS)
            heads = latest_heads(stored)
            for name in unknown:
                self._writes[name] = evidence_write(heads[name]) if name in heads else None
        return [hit for hit in hits if self._is_evidence(hit["entity"])]

    def _is_evidence(self, fact: Mapping[str, Any]) -> bool:
        return bool(self._writes[fact["document_id"]] == fact["written_at"])


def _is_last_place_shared(hits: Sequence[ScoredFact], limit: int) -> bool:
    """Whether the last hit fetched has the score of the last place."""
    return round(hits[limit - 1].score, SCORE_DIGITS) == round(hits[-1].score, SCORE_DIGITS)

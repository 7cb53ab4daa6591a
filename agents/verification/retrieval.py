"""The pieces of evidence a judge may be shown: search in one patient, collapse repeats, rerank.

The reranker's order decides what is kept: the search only has to bring the right facts among its
`candidates`, which are well more than the `top_n` that are shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agents.ports import Embedder, FactIndex, FactQuery, Reranker
from agents.verification.evidence_groups import Piece, collapse
from schemas.texts import TextGenerated

MOST_HITS = 4096
"""Facts fetched at most in search of enough different ones."""
RELEVANT_SHARE = 0.5
"""A section is relevant when its best piece scores this share of the very best."""


@dataclass(frozen=True)
class Retriever:
    index: FactIndex
    embedder: Embedder
    reranker: Reranker

    async def retrieve(self, text: TextGenerated, query: str) -> list[Piece]:
        """At most `settings.top_n` pieces, the most relevant first; empty when there are none.

        The text's own document and AI-authored documents are not among them: a hallucination that
        was filed into the chart must not support itself.
        """
        pieces = await self._search(text, query)
        if text.settings.rerank and pieces:
            scores = await self.reranker.score(query, [piece.fact.text for piece in pieces])
            pieces = [Piece(p.sources, score) for p, score in zip(pieces, scores, strict=True)]
            pieces.sort(key=lambda piece: (-piece.score, piece.key))
        if text.settings.each_section:
            return with_each_section(pieces, text.settings.top_n)
        return pieces[: text.settings.top_n]

    async def _search(self, text: TextGenerated, query: str) -> list[Piece]:
        """Different pieces, best first. Where repeats fill the page, the next larger one."""
        [embedding] = await self.embedder.embed([query])
        settings = text.settings
        limit = max(settings.candidates, settings.top_n)
        enough = max(settings.top_n, limit // 2)
        while True:
            found = await self.index.search(
                FactQuery(
                    patient_id=text.patient_id,
                    embedding=embedding,
                    mode=settings.retrieval,
                    limit=limit,
                    as_of=text.evidence_until,
                    encounter_id=text.encounter_id if settings.scope == "encounter" else None,
                    exclude_documents=frozenset([text.document_id] if text.document_id else []),
                    include_ai_authored=settings.include_ai_authored,
                )
            )
            pieces = collapse(found)
            if len(pieces) >= enough or len(found) < limit or limit >= MOST_HITS:
                return pieces[: max(settings.candidates, settings.top_n)]
            limit = min(4 * limit, MOST_HITS)


def with_each_section(ranked: Sequence[Piece], top_n: int) -> list[Piece]:
    """The first `top_n`, in which the first piece of each relevant section has a place.

    A piece gives way only where its section has one before it among those kept.
    """
    first: dict[str | None, int] = {}
    best = max((piece.score for piece in ranked), default=0.0)
    for rank, piece in enumerate(ranked):
        if piece.score >= RELEVANT_SHARE * best:
            first.setdefault(piece.fact.section, rank)
    kept = list(first.values())[:top_n]
    kept += [rank for rank in range(len(ranked)) if rank not in kept][: top_n - len(kept)]
    return [ranked[rank] for rank in sorted(kept)]

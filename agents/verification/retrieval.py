"""The evidence groups that a judge may be shown: search one patient, deduplicate, rerank.

The reranker's order decides what is kept: the search only has to bring the right facts among its
`candidates`, which are well more than the `top_n` that are shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agents.ports import Embedder, FactIndex, FactQuery, Reranker
from agents.verification.evidence_groups import EvidenceGroup, deduplicate
from schemas.texts import TextGenerated

MOST_HITS = 4096
"""Facts fetched at most in search of enough different ones."""
RELEVANT_SHARE = 0.5
"""A section is relevant when its best group scores this share of the very best."""


@dataclass(frozen=True)
class Retriever:
    index: FactIndex
    embedder: Embedder
    reranker: Reranker

    async def retrieve(self, text: TextGenerated, query: str) -> list[EvidenceGroup]:
        """At most `settings.top_n` groups, the most relevant first; empty when there are none.

        The text's own document and AI-authored documents are not among them: a hallucination that
        was filed into the chart must not support itself.
        """
        groups = await self._search(text, query)
        if text.settings.rerank and groups:
            scores = await self.reranker.score(query, [group.fact.text for group in groups])
            groups = [
                EvidenceGroup(p.sources, score) for p, score in zip(groups, scores, strict=True)
            ]
            groups.sort(key=lambda group: (-group.score, group.key))
        if text.settings.ensure_section_coverage:
            return with_section_coverage(groups, text.settings.top_n)
        return groups[: text.settings.top_n]

    async def _search(self, text: TextGenerated, query: str) -> list[EvidenceGroup]:
        """Different groups, best first. Where repeats fill the page, the next larger one."""
        [embedding] = await self.embedder.embed([query])
        settings = text.settings
        limit = max(settings.candidates, settings.top_n)
        enough = max(settings.top_n, limit // 2)
        while True:
            hits = await self.index.search(
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
            groups = deduplicate(hits)
            if len(groups) >= enough or len(hits) < limit or limit >= MOST_HITS:
                return groups[: max(settings.candidates, settings.top_n)]
            limit = min(4 * limit, MOST_HITS)


def with_section_coverage(ranked: Sequence[EvidenceGroup], top_n: int) -> list[EvidenceGroup]:
    """The first `top_n`, in which the first group of each relevant section has a place.

    A group gives way only where its section has one before it among those kept.
    """
    first: dict[str | None, int] = {}
    best = max((group.score for group in ranked), default=0.0)
    for rank, group in enumerate(ranked):
        if group.score >= RELEVANT_SHARE * best:
            first.setdefault(group.fact.section, rank)
    kept = list(first.values())[:top_n]
    kept += [rank for rank in range(len(ranked)) if rank not in kept][: top_n - len(kept)]
    return [ranked[rank] for rank in sorted(kept)]

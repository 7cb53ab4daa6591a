"""The facts a judge is shown for one proposition: hybrid search in one patient, then rerank.

The reranker's order decides what is kept: the search only has to bring the right facts among its
`candidates`, which are well more than the `top_n` that are shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agents.ports import Embedder, FactIndex, FactQuery, Reranker, ScoredFact, ShownFact
from schemas.evidence import Evidence
from schemas.notes import Fact
from schemas.texts import TextGenerated


@dataclass(frozen=True)
class Retriever:
    index: FactIndex
    embedder: Embedder
    reranker: Reranker

    async def retrieve(self, text: TextGenerated, proposition: str) -> list[ScoredFact]:
        """At most `settings.top_n` facts, the most relevant first; empty when there are none.

        The text's own document and AI-authored documents are not among them: a hallucination that
        was filed into the chart must not support itself.
        """
        settings = text.settings
        [embedding] = await self.embedder.embed([proposition])
        found = await self.index.search(
            FactQuery(
                patient_id=text.patient_id,
                embedding=embedding,
                mode=settings.retrieval,
                limit=max(settings.candidates, settings.top_n),
                as_of=text.evidence_until,
                encounter_id=text.encounter_id if settings.scope == "encounter" else None,
                exclude_documents=frozenset([text.document_id] if text.document_id else []),
            )
        )
        if not found:
            return []
        scores = await self.reranker.score(proposition, [hit.fact.text for hit in found])
        ranked = [ScoredFact(hit.fact, score) for hit, score in zip(found, scores, strict=True)]
        ranked.sort(key=lambda hit: (-hit.score, hit.fact.fact_id))
        return ranked[: settings.top_n]


def shown(facts: Sequence[ScoredFact]) -> list[ShownFact]:
    """The facts as the judge sees them."""
    return [
        ShownFact(
            fact_id=hit.fact.fact_id,
            text=hit.fact.text,
            section=hit.fact.section,
            note_time=hit.fact.note_time,
            note_type=hit.fact.note_type,
            document_id=hit.fact.document_id,
            score=hit.score,
        )
        for hit in facts
    ]


def evidence(facts: Sequence[ScoredFact], cited: Sequence[str]) -> tuple[Evidence, ...]:
    """The cited facts with their note, time and quote, in the order cited."""
    by_id = {hit.fact.fact_id: hit for hit in facts}
    return tuple(_evidence(by_id[fact_id].fact, by_id[fact_id].score) for fact_id in cited)


def _evidence(fact: Fact, score: float) -> Evidence:
    return Evidence(
        fact_id=fact.fact_id,
        document_id=fact.document_id,
        note_type=fact.note_type,
        note_time=fact.note_time,
        section=fact.section,
        quote=fact.text,
        start=fact.start,
        end=fact.end,
        score=score,
    )

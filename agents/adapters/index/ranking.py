"""The order of search results and what their scores mean, the same for every index.

| mode   | score                                                                            |
|--------|----------------------------------------------------------------------------------|
| dense  | cosine similarity of the dense vectors, -1 to 1; every fact that passes the filter |
| sparse | inner product of the sparse vectors, > 0; only facts that share a term             |
| hybrid | reciprocal rank fusion of both lists, at most 2/61 (about 0.033)                   |

Scores of different modes cannot be compared, nor hybrid scores of different queries: a rank says
nothing about how near the first one is. Fusion is ours and not the server's, because servers break
ties as they please: copied-forward notes give many facts with equal vectors, and an answer must
not depend on where the server keeps them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from agents.ports import ScoredFact

RRF_K = 60
"""Cormack, Clarke, Buettcher (SIGIR 2009): the constant they found to work across collections."""
SCORE_DIGITS = 6
"""Scores are rounded to float32's precision: equal vectors summed in another order are a tie."""


def ordered(hits: Sequence[ScoredFact]) -> list[ScoredFact]:
    """Best first, ties by fact id; scores rounded to `SCORE_DIGITS`."""
    rounded = [ScoredFact(hit.fact, round(hit.score, SCORE_DIGITS)) for hit in hits]
    return sorted(rounded, key=lambda hit: (-hit.score, hit.fact.fact_id))


def fused(rankings: Sequence[Sequence[ScoredFact]]) -> list[ScoredFact]:
    """Reciprocal rank fusion: the sum of 1 / (RRF_K + rank) over the rankings, ranks from 1."""
    scores: dict[str, float] = defaultdict(float)
    facts = {hit.fact.fact_id: hit.fact for ranking in rankings for hit in ranking}
    for ranking in rankings:
        for rank, hit in enumerate(ranking, start=1):
            scores[hit.fact.fact_id] += 1 / (RRF_K + rank)
    return ordered([ScoredFact(facts[fact_id], score) for fact_id, score in scores.items()])

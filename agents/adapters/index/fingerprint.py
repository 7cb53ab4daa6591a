"""Which embedder made an index: it is remembered, and another one is refused.

Vectors of two embedders cannot be compared, and a search by the wrong one finds nothing or, worse,
something. A version says little (weights are exchanged under it, or it is raised without a change),
so the index keeps what its embedder makes of one sentence, and holds that against the present one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from agents.adapters.index import filters
from agents.adapters.index.rows import NO_TERMS, sparse_terms
from agents.adapters.index.schema import Collection, Layout
from agents.adapters.index.session import Session
from agents.errors import PermanentError
from agents.ports import Embedder, Embedding

PROBE = "Denies chest pain; takes furosemide 40 mg daily for chronic heart failure."
SAME = 0.99
"""Cosine similarity from which on two vectors of the probe come from one embedder: other hardware
and runtimes differ in the fourth digit."""
_KEY = "embedder"


async def require_embedder(session: Session, layout: Layout, embedder: Embedder) -> None:
    """Remember the embedder of an index that is new.

    Raises `PermanentError` with reason `index_embedder` where another one made the index.
    """
    (now,) = await embedder.embed([PROBE])
    collection = layout.embedder()
    stored = await _read(session, collection)
    if stored is None:
        row = {
            "pk": _KEY,
            "version": embedder.version,
            "dense": np.asarray(now.dense, dtype=np.float32),
            "sparse": sparse_terms(now.sparse) or NO_TERMS,
        }
        await session.upsert(collection, [row])
        # Another worker may have been as quick, with another embedder: the last one counts.
        stored = await _read(session, collection)
        assert stored is not None
    if not _is_same(stored, now):
        raise PermanentError(
            "index_embedder",
            f"the index holds vectors of the embedder {stored['version']}, and {embedder.version} "
            "is served, whose vectors are others: serve the embedder that made the index, or build "
            "one for the new embedder (`chartproof reindex --to PREFIX`) and name it as "
            "CHARTPROOF_MILVUS_PREFIX",
        )


async def _read(session: Session, collection: Collection) -> dict[str, Any] | None:
    stored = await session.query(
        collection,
        filter=filters.of_rows([_KEY]),
        output_fields=["version", "dense", "sparse"],
        consistency_level="Strong",
    )
    return stored[0] if stored else None


def _is_same(stored: Mapping[str, Any], now: Embedding) -> bool:
    before = np.asarray(stored["dense"], dtype=np.float32)
    terms = sparse_terms(now.sparse) or NO_TERMS
    return _cosine(before, now.dense) >= SAME and _sparse_cosine(stored["sparse"], terms) >= SAME


def _cosine(one: Any, other: Any) -> float:  # noqa: ANN401 - arrays of float32
    if one.shape != other.shape:
        return 0.0
    return float(one @ other / (np.linalg.norm(one) * np.linalg.norm(other)))


def _sparse_cosine(one: Mapping[int, float], other: Mapping[int, float]) -> float:
    shared = sum(weight * other[term] for term, weight in one.items() if term in other)
    norms = [sum(weight**2 for weight in each.values()) ** 0.5 for each in (one, other)]
    return float(shared / (norms[0] * norms[1]))

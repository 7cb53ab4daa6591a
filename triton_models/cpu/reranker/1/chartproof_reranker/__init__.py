"""How relevant a passage is to a query."""

from chartproof_reranker.reranker import Reranker, load

__all__ = ["Reranker", "load"]

"""Texts to dense and sparse vectors."""

from chartproof_embedder.embedder import Embedder, load

__all__ = ["Embedder", "load"]

"""Decomposition of clinical text into sentences and claims, by rules.

Imports nothing of chartproof's: it runs in Triton's Python backend and in-process alike.
"""

from chartproof_decomposer.decomposer import Decomposer, load

__all__ = ["Decomposer", "load"]

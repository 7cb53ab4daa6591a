"""A verdict, before it becomes JSON."""

from __future__ import annotations

from typing import NamedTuple


class Verdict(NamedTuple):
    """`verdict`: supported, not_supported or not_addressed; `confidence` that it is right, 0..1."""

    verdict: str
    confidence: float
    reason: str
    cited: tuple[str, ...]
    checks: tuple[str, ...]

"""A verdict, before it becomes JSON."""

from __future__ import annotations

from typing import NamedTuple

from .confidence import Confidence


class Verdict(NamedTuple):
    """`verdict`: supported, not_supported or not_addressed; `confidence`: that it is right."""

    verdict: str
    confidence: Confidence
    reason: str
    cited: tuple[str, ...]
    checks: tuple[str, ...]

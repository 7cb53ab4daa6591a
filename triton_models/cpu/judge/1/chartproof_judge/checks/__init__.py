"""Exact checks: what can be decided without a model, each about one thing.

Every check has one signature, `check(statement, fact) -> list of Signal`: what the fact says of a
span of the statement. `CHECKS` names them; the combiner weighs what they find (`combiner`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from ..reading import Dated
from . import dates, drugs, experiencer, negation, numbers, side, status
from .signal import Outcome, Signal

__all__ = ["CHECKS", "Check", "Outcome", "Signal"]

Check = Callable[[Dated, Dated], list[Signal]]

CHECKS: Mapping[str, Check] = MappingProxyType(
    {
        "numbers": numbers.check,
        "dates": dates.check,
        "side": side.check,
        "negation": negation.check,
        "experiencer": experiencer.check,
        "drugs": drugs.check,
        "status": status.check,
    }
)

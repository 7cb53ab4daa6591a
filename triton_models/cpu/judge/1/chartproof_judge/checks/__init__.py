"""Exact checks: what can be decided without a model, each about one thing.

Every check has one signature, `check(statement, fact) -> list of Signal`: what the fact says of a
span of the statement. `CHECKS` names them; the combiner weighs what they find (`combiner`). A check
is here because the development texts show that it helps: checks of negation, experiencer, dates,
drugs and planned against done were tried and did not (MODEL_CARD.md has the figures).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from ..reading import Dated
from . import numbers, side, wording
from .signal import Outcome, Signal

__all__ = ["CHECKS", "Check", "Outcome", "Signal"]

Check = Callable[[Dated, Dated], list[Signal]]

CHECKS: Mapping[str, Check] = MappingProxyType(
    {"numbers": numbers.check, "side": side.check, "wording": wording.check}
)

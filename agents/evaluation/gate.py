"""Limits that the development part must keep, and the rule by which they may move.

A limit moves in the better direction only: an entry of the history is nowhere worse than the one
before. One trade is allowed, as the two errors are two ends of one threshold: a false rate may rise
where the other falls by more, in an entry that says so (`trade = true`). Each entry gives its
reason in words that stand in CHANGELOG.md.
"""

from __future__ import annotations

import datetime
import tomllib
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

from pydantic import Field

from schemas.events import Frozen

UNITS: Mapping[str, str] = {
    "claims": "single claims",
    "sentences": "sentences of generated texts",
}
"""Name in the file -> name in a report."""


class Limits(Frozen):
    """Ceilings of the false rates, floor of the AUROC."""

    false_support: float = Field(ge=0.0, le=1.0)
    false_alarm: float = Field(ge=0.0, le=1.0)
    auroc: float = Field(ge=0.0, le=1.0)

    @property
    def errors(self) -> float:
        return self.false_support + self.false_alarm


class Entry(Frozen):
    date: datetime.date
    reason: str = Field(min_length=10)
    trade: bool = False
    claims: Limits
    sentences: Limits


class Gate(Frozen):
    """`history` in order of time; the last entry holds."""

    history: tuple[Entry, ...] = Field(min_length=1)

    @property
    def now(self) -> Entry:
        return self.history[-1]


def read_gate(path: Path) -> Gate:
    return Gate.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))


def broken_rules(gate: Gate, changelog: str) -> list[str]:
    """What the history does that it may not."""
    words = " ".join(changelog.split())
    faults = [
        f"{entry.date}: CHANGELOG.md does not have its reason"
        for entry in gate.history
        if " ".join(entry.reason.split()) not in words
    ]
    for before, after in pairwise(gate.history):
        if after.date < before.date:
            faults.append(f"{after.date}: is before the entry above it")
        for unit in UNITS:
            faults += _worse(getattr(before, unit), getattr(after, unit), after, unit)
    return faults


def _worse(before: Limits, after: Limits, entry: Entry, unit: str) -> list[str]:
    faults = []
    if after.auroc < before.auroc:
        faults.append(f"{entry.date}: {unit}: the floor of the AUROC falls")
    risen = [name for name in ("false_support", "false_alarm") if _rises(name, before, after)]
    if risen and not (entry.trade and after.errors < before.errors):
        faults.append(f"{entry.date}: {unit}: the ceiling of {' and '.join(risen)} rises")
    return faults


def _rises(name: str, before: Limits, after: Limits) -> bool:
    rises: bool = getattr(after, name) > getattr(before, name)
    return rises


def broken_limits(gate: Gate, units: Mapping[str, Any]) -> list[str]:
    """Which limits a report's figures (`units` of its set) do not keep."""
    faults = []
    for unit, title in UNITS.items():
        limits = getattr(gate.now, unit)
        headline = units[title]["systems"]["chartproof"]["headline"]
        for name in ("false_support", "false_alarm"):
            faults += _over(f"{unit}: {name}", headline[name]["value"], getattr(limits, name))
        faults += _over(
            f"{unit}: 1 - auroc", _complement(headline["auroc"]["value"]), 1.0 - limits.auroc
        )
    return faults


def _over(name: str, value: float | None, ceiling: float) -> list[str]:
    if value is None:
        return [f"{name} is undefined"]
    return [f"{name} is {value:.3f}, over {ceiling:.3f}"] if value > ceiling else []


def _complement(value: float | None) -> float | None:
    return None if value is None else 1.0 - value

"""Which planted errors a verification caught, and which true statements it flagged.

An error is caught when a flagged proposition covers any of its wrong words. A proposition that
covers none of them is true, so flagging it is a false alarm. An abstention flags nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from schemas.verdicts import JudgedProposition, Verdict
from streams.local.sample import PlantedError

FLAGGED = frozenset({Verdict.NOT_SUPPORTED, Verdict.NOT_ADDRESSED})


@dataclass(frozen=True)
class SampleScore:
    """`true_statements` counts the propositions without a planted error, flagged or not."""

    caught: tuple[PlantedError, ...]
    missed: tuple[PlantedError, ...]
    false_alarms: tuple[JudgedProposition, ...]
    true_statements: int


def caught(planted: PlantedError, judged: Sequence[JudgedProposition]) -> bool:
    """Whether any flagged proposition covers wrong words of `planted`."""
    return any(row.verdict in FLAGGED and _covers(row, planted) for row in judged)


def score(planted: Sequence[PlantedError], judged: Sequence[JudgedProposition]) -> SampleScore:
    """Score the verdicts on the whole summary."""
    true = [row for row in judged if not any(_covers(row, error) for error in planted)]
    result = [caught(error, judged) for error in planted]
    return SampleScore(
        caught=tuple(error for error, was in zip(planted, result, strict=True) if was),
        missed=tuple(error for error, was in zip(planted, result, strict=True) if not was),
        false_alarms=tuple(row for row in true if row.verdict in FLAGGED),
        true_statements=len(true),
    )


def _covers(row: JudgedProposition, planted: PlantedError) -> bool:
    return row.proposition.start < planted.end and planted.start < row.proposition.end

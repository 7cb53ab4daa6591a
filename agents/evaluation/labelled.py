"""Labelled claims of any set: a chart, a claim, and which verdicts on it are right.

Two shapes of JSON lines are read, told apart by their fields:

- charts (patient, note, dialogue, claims): claims that the chart bears out, from which wrong and
  foreign ones are made (`claim_charts`). The judge is shown what a search of the chart finds.
- evidence (claim, evidence, label): the evidence is a small chart of its own, shown whole. What has
  the same evidence is of the same chart.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson

from agents.evaluation.claim_charts import (
    AS_GIVEN,
    FOREIGN,
    ClaimCase,
    ClaimChart,
    claim_cases,
    read_claim_charts,
)
from schemas.verdicts import Verdict

TRUTHS = (Verdict.SUPPORTED, Verdict.NOT_SUPPORTED, Verdict.NOT_ADDRESSED)


@dataclass(frozen=True)
class LabelledClaim:
    dataset: str
    chart_id: str
    claim: str
    truth: Verdict
    """One of `TRUTHS`: what the set says of it."""
    right: frozenset[Verdict]
    """The verdicts that are right: the truth, and what the set cannot tell from it."""


@dataclass(frozen=True)
class LabelledSet:
    """`charts` are searched; of `evidence` (chart id -> text) all is shown."""

    name: str
    sha256: str
    claims: tuple[LabelledClaim, ...]
    charts: tuple[ClaimChart, ...] = ()
    evidence: Mapping[str, str] = field(default_factory=dict)


def read_labelled(path: Path, seed: int) -> LabelledSet:
    """The set in a file. `seed` chooses what is changed in claims of charts and whose are mixed in.

    Raises `ValueError` when a row has neither shape or a label is not one of `TRUTHS`.
    """
    content = path.read_bytes()
    digest = hashlib.sha256(content).hexdigest()
    rows = [orjson.loads(line) for line in content.splitlines() if line.strip()]
    if rows and all("evidence" in row for row in rows):
        return _evidence_set(path.stem, digest, rows)
    if rows and all({"note", "claims"} <= row.keys() for row in rows):
        charts = read_claim_charts(path)
        claims = (_of_chart(path.stem, case) for case in claim_cases(charts, seed))
        return LabelledSet(path.stem, digest, tuple(claims), charts=tuple(charts))
    raise ValueError(f"{path}: rows have neither claim, evidence and label nor note and claims")


def _of_chart(dataset: str, case: ClaimCase) -> LabelledClaim:
    """The chart bears all of a changed claim out but one place, so it is never silent on it.

    On another patient's claim it mostly is, but may as well contradict it.
    """
    truth = {AS_GIVEN: Verdict.SUPPORTED, FOREIGN: Verdict.NOT_ADDRESSED}.get(
        case.label, Verdict.NOT_SUPPORTED
    )
    right = {truth, Verdict.NOT_SUPPORTED} if case.label == FOREIGN else {truth}
    return LabelledClaim(dataset, case.patient_id, case.claim, truth, frozenset(right))


def _evidence_set(name: str, digest: str, rows: Iterable[Mapping[str, Any]]) -> LabelledSet:
    evidence: dict[str, str] = {}
    claims: list[LabelledClaim] = []
    for row in rows:
        said = row["evidence"]
        text = said if isinstance(said, str) else "\n".join(said)
        chart_id = hashlib.sha256(text.encode()).hexdigest()[:16]
        evidence[chart_id] = text
        if row["label"] not in TRUTHS:
            raise ValueError(f"{name}: a label is not one of {', '.join(TRUTHS)}")
        truth = Verdict(row["label"])
        claims.append(LabelledClaim(name, chart_id, row["claim"], truth, frozenset([truth])))
    return LabelledSet(name, digest, tuple(claims), evidence=evidence)

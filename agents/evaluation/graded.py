"""Labelled claims before the judge itself, for what a verdict event does not carry: its evidence.

The judge is asked in this process, once a claim: in the engine how often it is asked depends on its
confidence, so what is fitted here would depend on what was fitted before.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import orjson

from agents.adapters.models import Models, wire
from agents.concurrency import map_bounded
from agents.evaluation.charts_in_memory import indexed
from agents.evaluation.claim_charts import WRITTEN
from agents.evaluation.labelled import LabelledClaim, LabelledSet
from agents.ports import ShownFact
from agents.verification.reference_context import shown, within_budget
from agents.verification.retrieval import Retriever
from schemas.texts import TextGenerated, VerificationSettings
from schemas.verdicts import Verdict

SETTINGS = VerificationSettings()
"""What is searched and shown unless a request says otherwise."""
AT_A_TIME = 8
"""Claims in flight, so that embedder, reranker and judge work at the same time."""


class Grade(Protocol):
    """What a confidence is read off; see `chartproof_judge.confidence`."""

    @property
    def kind(self) -> str: ...

    @property
    def evidence(self) -> float: ...


class GradedVerdict(Protocol):
    @property
    def verdict(self) -> str: ...

    @property
    def confidence(self) -> Grade: ...


class GradingJudge(Protocol):
    """The judge's own Python API."""

    @property
    def version(self) -> str: ...

    @property
    def kinds(self) -> Sequence[str]:
        """All kinds of evidence there are."""
        ...

    def verdict(self, proposition: str, context: Mapping[str, Any]) -> GradedVerdict: ...


@dataclass(frozen=True)
class Graded:
    """A claim, the verdict on it and the evidence for that: its kind, and how much (0 to 1)."""

    claim: LabelledClaim
    verdict: Verdict
    kind: str
    evidence: float

    @property
    def right(self) -> bool:
        return self.verdict in self.claim.right


async def grade(
    models: Models,
    judge: GradingJudge,
    labelled: LabelledSet,
    progress: Callable[[int], None] = lambda _: None,
) -> list[Graded]:
    """The verdict on each claim of a set, in order. `progress` is told how many are done."""
    facts = await _whole(models, labelled.evidence)
    notes = (note for chart in labelled.charts for note in chart.notes())
    retriever = Retriever(await indexed(models, notes), models.embedder, models.reranker)
    done = 0

    async def one(claim: LabelledClaim) -> Graded:
        nonlocal done
        whole = facts.get(claim.chart_id)
        given = await _found(retriever, claim) if whole is None else whole
        context = orjson.loads(wire.judge_context(given, None, None))
        said = judge.verdict(claim.claim, context)
        done += 1
        progress(done)
        return Graded(claim, Verdict(said.verdict), said.confidence.kind, said.confidence.evidence)

    return await map_bounded(one, labelled.claims, AT_A_TIME)


async def _whole(models: Models, evidence: Mapping[str, str]) -> dict[str, Sequence[ShownFact]]:
    return {
        chart_id: [
            ShownFact(str(n), span.content, span.section, WRITTEN, None, chart_id, None)
            for n, span in enumerate(await models.decomposer.decompose(text, "sentence"))
        ]
        for chart_id, text in evidence.items()
    }


async def _found(retriever: Retriever, claim: LabelledClaim) -> list[ShownFact]:
    text = TextGenerated(
        occurred_at=WRITTEN,
        text_id="claim",
        patient_id=claim.chart_id,
        text=claim.claim,
        settings=SETTINGS,
    )
    pieces = await retriever.retrieve(text, claim.claim)
    return shown(within_budget(pieces, SETTINGS.token_budget).pieces, text)

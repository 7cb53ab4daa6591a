"""One generated text -> a verdict event per proposition as soon as it is known, then a score sheet.

What goes wrong inside one proposition ends as a `failed` verdict for that proposition: an error is
never another verdict and never a crash. What is wrong with a dependency (Milvus or Triton away)
is raised, so that delivery waits and tries the whole text again; ids repeat then.
"""

from __future__ import annotations

from dataclasses import dataclass

from agents.concurrency import map_bounded
from agents.omissions.finder import OmissionFinder
from agents.ports import (
    Clock,
    Decomposer,
    Embedder,
    Emit,
    FactIndex,
    Judge,
    Reranker,
    Span,
    judge_of_text,
)
from agents.verification import score_sheet
from agents.verification.citations import CitationChecker
from agents.verification.costs import (
    Costs,
    CountedDecomposer,
    CountedEmbedder,
    CountedJudge,
    CountedReranker,
)
from agents.verification.judging import PropositionJudge
from agents.verification.retrieval import Retriever
from schemas.completeness import Citations, Omissions
from schemas.events import Position, deterministic_id
from schemas.outcomes import Outcome, OutcomeRecorded
from schemas.propositions import Proposition
from schemas.texts import TextGenerated
from schemas.usage import NO_USAGE
from schemas.verdicts import (
    JudgedProposition,
    Provenance,
    ScoreSheetIssued,
    VerdictIssued,
)

CONCURRENT_PROPOSITIONS = 16
"""Enough to fill Triton's dynamic batches; more only queues there."""


@dataclass(frozen=True)
class Verifier:
    index: FactIndex
    embedder: Embedder
    reranker: Reranker
    decomposer: Decomposer
    judge: Judge
    clock: Clock

    async def verify(self, text: TextGenerated, position: Position, emit: Emit) -> None:
        """Emit every verdict, the score sheet and the outcome of `text`, judged at `position`."""
        provenance = self._provenance(text, position)
        asked, costs = text.settings, Costs()
        decomposer = CountedDecomposer(self.decomposer, costs, "decomposition")
        decomposed = await decomposer.propositions(text.text, asked.unit, asked.decomposition)
        propositions = [proposition_of(text, n, span) for n, span in enumerate(decomposed.units)]
        facts_in_chart = await self.index.count(text.patient_id)
        judge = judge_of_text(self.judge)
        retriever = Retriever(
            self.index,
            CountedEmbedder(self.embedder, costs, "retrieval"),
            CountedReranker(self.reranker, costs, "retrieval"),
        )
        deciding = PropositionJudge(retriever, judge)

        async def judge_and_emit(proposition: Proposition) -> JudgedProposition:
            judged = await deciding.decide(text, proposition, facts_in_chart)
            await emit(
                VerdictIssued(
                    occurred_at=self.clock.now(),
                    text_id=text.text_id,
                    patient_id=text.patient_id,
                    judged=judged,
                    provenance=_by(judged.judged_by, provenance),
                )
            )
            return judged

        judged = await map_bounded(judge_and_emit, propositions, CONCURRENT_PROPOSITIONS)
        for row in judged:
            costs.add("judging", row.usage or NO_USAGE)
        omissions, citations = await self._completeness(text, propositions, judge, costs)
        await emit(
            ScoreSheetIssued(
                occurred_at=self.clock.now(),
                text_id=text.text_id,
                patient_id=text.patient_id,
                counts=score_sheet.counts(judged),
                shares=score_sheet.shares(judged),
                summaries=score_sheet.summaries(judged),
                judged=tuple(judged),
                facts_in_chart=facts_in_chart,
                omissions=omissions,
                citations=citations,
                flagged=decomposed.flagged,
                usage=costs.by_stage,
                provenance=provenance,
            )
        )
        if text.source is not None:
            await emit(
                OutcomeRecorded(
                    occurred_at=self.clock.now(),
                    source=text.source,
                    outcome=Outcome.VERIFIED,
                    patient_id=text.patient_id,
                    text_id=text.text_id,
                )
            )

    async def _completeness(
        self, text: TextGenerated, propositions: list[Proposition], judge: Judge, costs: Costs
    ) -> tuple[Omissions | None, Citations | None]:
        """What the score sheet says of the text as a whole, where its settings ask for it."""
        omissions, citations = None, None
        if text.settings.omissions:
            finder = OmissionFinder(
                self.index,
                CountedEmbedder(self.embedder, costs, "omissions"),
                CountedReranker(self.reranker, costs, "omissions"),
                CountedJudge(judge, costs, "omissions"),
            )
            omissions = await finder.find(text, propositions)
        if text.settings.citations:
            checker = CitationChecker(
                self.index,
                CountedDecomposer(self.decomposer, costs, "citations"),
                CountedReranker(self.reranker, costs, "citations"),
                CountedJudge(judge, costs, "citations"),
            )
            citations = await checker.check(text)
        return omissions, citations

    def _provenance(self, text: TextGenerated, position: Position) -> Provenance:
        models = {
            "embedder": self.embedder.version,
            "reranker": self.reranker.version,
            "decomposer": self.decomposer.version,
            "judge": self.judge.version,
        }
        return Provenance(
            chart_position=position,
            as_of=text.evidence_until,
            settings=text.settings,
            models=models,
        )


def _by(judged_by: str | None, provenance: Provenance) -> Provenance:
    """The provenance of one verdict, where another judge than the usual one decided."""
    if judged_by is None:
        return provenance
    models = provenance.models | {"judge": judged_by}
    return provenance.model_copy(update={"models": models})


def proposition_of(text: TextGenerated, ordinal: int, span: Span) -> Proposition:
    return Proposition(
        proposition_id=deterministic_id("proposition", text.event_id, ordinal),
        ordinal=ordinal,
        unit=text.settings.unit,
        text=span.content,
        start=span.start,
        end=span.end,
        section=span.section,
        sources=span.sources,
        pattern=span.pattern,
        context=span.context,
    )

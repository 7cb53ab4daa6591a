"""One item through the verifier, and all that was shown and said of it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import numpy as np

from agents.adapters.models import wire
from agents.errors import ChartproofError
from agents.evaluation.baselines.overlap import overlap
from agents.evaluation.dataset import NO_TIME, Dataset, EvaluationChart, Item, LabelledSpan
from agents.evaluation.running.chart_reading import TOPIC, ChartReader
from agents.evaluation.running.cost import BASELINES, VERIFYING
from agents.evaluation.running.engine import Engine
from agents.evaluation.running.notes_as_fhir import fhir_id
from agents.evaluation.running.recording import Call, RecordingJudge
from agents.evaluation.running.results import (
    CitationScores,
    FlaggedResult,
    ItemResult,
    PropositionResult,
    RulesResult,
    ShownResult,
    SpanResult,
)
from agents.ports import EmbeddedFact, ShownFact
from agents.verification.verifier import Verifier
from schemas.events import Event, Position
from schemas.texts import TextGenerated
from schemas.verdicts import JudgedProposition, ScoreSheetIssued, VerdictIssued

AT = Position(topic=TOPIC, partition=0, offset=0)


class ItemVerification:
    """Verifies items of one chart against what has been read of it."""

    def __init__(self, engine: Engine, dataset: Dataset, reader: ChartReader) -> None:
        models = engine.models
        self._engine = engine
        self._dataset = dataset
        self._reader = reader
        self._judge = RecordingJudge(models.judge)
        self._verifier = Verifier(
            reader.index,
            models.embedder,
            models.reranker,
            models.decomposer,
            self._judge,
            engine.clock,
        )

    async def verify(self, item: Item, chart: EvaluationChart) -> ItemResult:
        """Never raises `ChartproofError`: an item that ends in one has failed, and says so."""
        self._engine.meter.take()
        calls: dict[str, Call] = {}
        sheets: list[ScoreSheetIssued] = []

        async def keep(event: Event) -> None:
            if isinstance(event, VerdictIssued):
                call = self._judge.take(event.judged)
                if call is not None:
                    calls[event.judged.proposition.proposition_id] = call
            elif isinstance(event, ScoreSheetIssued):
                sheets.append(event)

        result = self._blank(item, chart)
        try:
            with self._engine.meter.during(VERIFYING):
                await self._verifier.verify(self._text(item, chart), AT, keep)
            rows = await self._rows(chart, sheets[0].judged, calls)
        except ChartproofError as error:
            failure = {"error": type(error).__name__, "costs": self._engine.meter.take()}
            return result.model_copy(update=failure)
        return result.model_copy(update=self._said(item, sheets[0], rows))

    def _said(
        self, item: Item, sheet: ScoreSheetIssued, rows: tuple[PropositionResult, ...]
    ) -> dict[str, object]:
        cited = [each for row in sheet.judged for each in row.evidence]
        until = item.as_of or NO_TIME
        citations = sheet.citations
        return {
            "propositions": rows,
            "flagged": tuple(
                FlaggedResult(start=each.start, end=each.end, flag=each.flag)
                for each in sheet.flagged
            ),
            "facts_in_chart": sheet.facts_in_chart,
            "citations": citations
            and CitationScores(recall=citations.recall, precision=citations.precision),
            "foreign_citations": sum(
                each.document_id not in self._reader.note_of for each in cited
            ),
            "later_citations": sum(each.note_time > until for each in cited),
            "costs": self._engine.meter.take(),
        }

    def _text(self, item: Item, chart: EvaluationChart) -> TextGenerated:
        return TextGenerated(
            occurred_at=item.as_of or NO_TIME,
            text_id="text",
            patient_id=fhir_id(chart.group),
            text=item.text,
            as_of=item.as_of,
            encounter_id=fhir_id(item.encounter) if item.encounter else None,
            settings=self._engine.configuration.settings,
        )

    def _blank(self, item: Item, chart: EvaluationChart) -> ItemResult:
        until = [note.text for note in chart.notes if note.time <= (item.as_of or NO_TIME)]
        return ItemResult(
            dataset=self._dataset.name,
            item_id=item.item_id,
            chart_id=chart.chart_id,
            group=chart.group,
            role=item.role,
            text=item.text,
            text_type=item.text_type,
            as_of=_iso(item.as_of),
            example=item.example,
            human=dict(item.human),
            spans=tuple(_span(item, each, until) for each in item.spans),
            models=self._engine.versions,
        )

    async def _rows(
        self,
        chart: EvaluationChart,
        judged: Sequence[JudgedProposition],
        calls: dict[str, Call],
    ) -> tuple[PropositionResult, ...]:
        with self._engine.meter.during(BASELINES):
            texts = [row.proposition.text for row in judged]
            embedded = await self._engine.models.embedder.embed(texts) if texts else []
            rows = []
            for row, one in zip(judged, embedded, strict=True):
                call = calls.get(row.proposition.proposition_id)
                facts = await self._shown_facts(fhir_id(chart.group), call) if call else []
                near = [float(one.dense @ fact.embedding.dense) for fact in facts]
                rows.append(self._row(row, call, float(np.max(near, initial=0.0))))
            return tuple(rows)

    async def _shown_facts(self, patient_id: str, call: Call) -> list[EmbeddedFact]:
        shown = {fact.fact_id for fact in call.facts}
        facts: list[EmbeddedFact] = []
        for document_id in dict.fromkeys(fact.document_id for fact in call.facts):
            document = await self._reader.index.document(patient_id, document_id)
            facts += await self._reader.index.facts(document) if document else []
        return [each for each in facts if each.fact.fact_id in shown]

    def _row(self, row: JudgedProposition, call: Call | None, cosine: float) -> PropositionResult:
        proposition = row.proposition
        shown = call.facts if call else ()
        cited = {each.fact_id for each in row.evidence}
        alert = self._engine.policy.of(row)
        return PropositionResult(
            text=proposition.text,
            start=proposition.start,
            end=proposition.end,
            sources=tuple((each.start, each.end) for each in proposition.sources),
            section=proposition.section,
            verdict=row.verdict,
            confidence=row.confidence,
            probability_supported=getattr(row, "probability_supported", None),
            reason=row.reason,
            checks=row.checks,
            shown=tuple(self._shown(fact, fact.fact_id in cited) for fact in shown),
            rounds=row.rounds,
            judge_calls=row.judge_calls,
            facts_dropped=row.facts_dropped,
            alert=alert.severity if alert else None,
            overlap=overlap(proposition.text, [fact.text for fact in shown]),
            cosine=cosine,
            rules=self._by_rules(call),
        )

    def _shown(self, fact: ShownFact, cited: bool) -> ShownResult:
        return ShownResult(
            fact_id=fact.fact_id,
            note_id=self._reader.note_of.get(fact.document_id, fact.document_id),
            text=fact.text,
            section=fact.section,
            note_type=fact.note_type,
            note_time=_iso(fact.note_time),
            score=fact.score,
            cited=cited,
        )

    def _by_rules(self, call: Call | None) -> RulesResult | None:
        rules = self._engine.rules
        if rules is None or call is None:
            return None
        context = wire.judge_context(call.facts, call.section, call.as_of, call.surroundings)
        [answer] = rules.judge([(call.proposition, context, wire.judge_options(0.0))])
        judgement = wire.read_judgement(answer.encode(), call.facts)
        return RulesResult(verdict=judgement.verdict, confidence=judgement.confidence)


def _span(item: Item, span: LabelledSpan, until: Sequence[str]) -> SpanResult:
    return SpanResult(
        span_id=span.span_id,
        start=span.start,
        end=span.end,
        label=span.label,
        kind=span.kind,
        evidence=span.evidence,
        raters=span.raters,
        overlap=round(overlap(item.text[span.start : span.end], until), 4),
    )


def _iso(time: datetime | None) -> str | None:
    return time.isoformat() if time else None

"""Engines of runs whose models do as they are told, so that what comes out is known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import SimpleNamespace

from agents.alerting.policy import read_policy
from agents.evaluation.dataset import Dataset
from agents.evaluation.running.chart_run import run_chart
from agents.evaluation.running.cost import Meter
from agents.evaluation.running.engine import Configuration, Engine
from agents.evaluation.running.results import ChartResult, ItemResult
from agents.ports import Judgement, ShownFact
from schemas.verdicts import Verdict
from tests.unit.verify.bench import FakeModel, LengthReranker, LineDecomposer, WordEmbedder


class LabelJudge(FakeModel):
    """Says what the labels say, by the words of the statement: an oracle."""

    version = "labels 1"

    def __init__(self, labels: Mapping[str, str]) -> None:
        super().__init__()
        self.labels = labels

    async def judge(self, proposition: str, facts: Sequence[ShownFact], **_: object) -> Judgement:
        label = Verdict(self.labels.get(proposition, "not_addressed"))
        return Judgement(label, 0.9, "as labelled", cited=(facts[0].fact_id,))


def labels_of(dataset: Dataset) -> dict[str, str]:
    return {
        item.text[span.start : span.end]: span.label or ""
        for item in dataset.items
        for span in item.spans
        if span.label != "not_verifiable"
    }


def engine(judge: FakeModel, configuration: Configuration | None = None) -> Engine:
    models = SimpleNamespace(
        embedder=WordEmbedder(), reranker=LengthReranker(), decomposer=LineDecomposer(), judge=judge
    )
    models.ports = [
        SimpleNamespace(name=name, version=getattr(models, name).version)
        for name in ("embedder", "reranker", "decomposer", "judge")
    ]
    return Engine(configuration or Configuration(), models, read_policy(None), Meter())


async def ran(made: Engine, dataset: Dataset) -> tuple[list[ItemResult], list[ChartResult]]:
    result: list[ItemResult | ChartResult] = []
    for chart in dataset.charts:
        items = [item for item in dataset.items if item.chart_id == chart.chart_id]
        await run_chart(made, dataset, chart, items, result.append)
    return (
        [each for each in result if isinstance(each, ItemResult)],
        [each for each in result if isinstance(each, ChartResult)],
    )

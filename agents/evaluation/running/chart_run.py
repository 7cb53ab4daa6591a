"""All items of one chart, in the order of their times, as the chart grows."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from agents.evaluation.dataset import NO_TIME, Dataset, EvaluationChart, Item
from agents.evaluation.running.chart_reading import ChartReader
from agents.evaluation.running.cost import Cost
from agents.evaluation.running.engine import Engine
from agents.evaluation.running.item_verification import ItemVerification
from agents.evaluation.running.results import ChartResult, ItemResult

Done = Callable[[ItemResult | ChartResult], None]


async def run_chart(
    engine: Engine, dataset: Dataset, chart: EvaluationChart, items: Sequence[Item], done: Done
) -> None:
    """`done` is given each item's result as soon as it is known, and the chart's at the end."""
    engine.meter.take()
    reader = ChartReader(engine, chart)
    verification = ItemVerification(engine, dataset, reader)
    costs: dict[str, Cost] = {}
    for item in sorted(items, key=lambda each: (each.as_of or NO_TIME, each.item_id)):
        await reader.read_until(item.as_of)
        for stage, cost in engine.meter.take().items():
            costs[stage] = cost.plus(costs[stage]) if stage in costs else cost
        done(await verification.verify(item, chart))
    done(
        ChartResult(
            dataset=dataset.name,
            chart_id=chart.chart_id,
            notes=len(chart.notes),
            intake=dict(reader.outcomes),
            costs=costs,
        )
    )

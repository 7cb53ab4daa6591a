"""READ FIRST: topic -> agent -> topics, on one page.

    inbound.documents ─► intake ─► chart, outcomes
    inbound.texts     ─► intake ─► chart
    chart             ─► chart  ─► facts-changed, verdicts, scoresheets, outcomes   (and Milvus)
    verdicts          ─► alerter ─► alerts
    anything that cannot be processed ─► dead-letters, outcomes

Each line is one `Delivery`: lanes per key, in-order acks, retries, dead letters (`delivery`).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from agents.intake.receive import Intake

from agents.alert.agent import Alerter
from agents.chart import ChartAgent
from agents.ports import Emit, Record
from schemas.topics import CHART, INBOUND_DOCUMENTS, INBOUND_TEXTS, VERDICTS, Topic
from streams.settings import Agent

Handler = Callable[[Record, Emit], Awaitable[None]]


@dataclass(frozen=True)
class Route:
    """Records of `topic` go to `handler`; `agent` is the name in metrics and dead letters."""

    agent: Agent
    topic: Topic
    handler: Handler


def routes(intake: Intake, chart: ChartAgent, alerter: Alerter) -> tuple[Route, ...]:
    return (
        Route("intake", INBOUND_DOCUMENTS, intake.documents),
        Route("intake", INBOUND_TEXTS, intake.texts),
        Route("chart", CHART, chart.handle),
        Route("alerter", VERDICTS, alerter.handle),
    )

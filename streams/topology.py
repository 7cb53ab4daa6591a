"""READ FIRST: topic -> agent -> topics, on one page.

    inbound.documents ─► intake ─► chart, outcomes
    inbound.backfill  ─► intake ─► chart, outcomes      as above, a few at a time (`backfill`)
    inbound.texts     ─► intake ─► chart
    chart             ─► chart  ─► facts-changed, verdicts, scoresheets, outcomes   (and Milvus)
                                   chart: what belongs to another patient since a merge
    verdicts          ─► alerter ─► alerts      what cannot wait, each by itself
    scoresheets       ─► alerter ─► alerts      one a text
    anything that cannot be processed ─► dead-letters, outcomes

Each line is one `Delivery`: lanes per key, in-order acks, retries, dead letters (`delivery`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from agents.alerting.alerter import Alerter
from agents.chart import ChartAgent
from agents.errors import PermanentError
from agents.events import read_event
from agents.intake.receive import Intake
from agents.ports import Record
from schemas.notes import DocumentDeleted, NoteChanged, NoteRetracted
from schemas.patients import PatientMerged
from schemas.texts import TextGenerated
from schemas.topics import (
    CHART,
    INBOUND_BACKFILL,
    INBOUND_DOCUMENTS,
    INBOUND_TEXTS,
    SCORESHEETS,
    VERDICTS,
    Topic,
)
from streams.delivery.backfill_admission import BackfillAdmission
from streams.delivery.delivery import Handler, Origin, own_position
from streams.delivery.throttling import tag_backfill
from streams.settings import Agent


@dataclass(frozen=True)
class Route:
    """Records of `topic` go to `handler`; `agent` is the name in metrics and dead letters.

    `origin` tells from which inbound event a record comes, for the outcome of a dead letter.
    """

    agent: Agent
    topic: Topic
    handler: Handler
    origin: Callable[[Record], Origin] = own_position


def routes(
    intake: Intake, backfill: BackfillAdmission, chart: ChartAgent, alerter: Alerter
) -> tuple[Route, ...]:
    return (
        Route("intake", INBOUND_DOCUMENTS, intake.documents),
        Route("intake", INBOUND_BACKFILL, backfill.handle),
        Route("intake", INBOUND_TEXTS, intake.texts),
        Route("chart", CHART, tag_backfill(chart.handle), _chart_origin),
        Route("alerter", VERDICTS, alerter.verdict),
        Route("alerter", SCORESHEETS, alerter.score_sheet),
    )


def _chart_origin(record: Record) -> Origin:
    """Events of the chart name the inbound event they come from."""
    try:
        event = read_event(CHART, record.value)
    except PermanentError:
        return own_position(record)
    if isinstance(event, NoteChanged | NoteRetracted | DocumentDeleted | PatientMerged):
        return Origin(event.source, event.item, event.items)
    if isinstance(event, TextGenerated) and event.source is not None:
        return Origin(event.source)
    return own_position(record)

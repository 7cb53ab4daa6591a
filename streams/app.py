"""The composition root: settings -> a worker with its ports, agents, deliveries and health."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from typing import TypeVar
from zoneinfo import ZoneInfo

from agents.adapters.models import Models
from agents.alerting.alerter import Alerter
from agents.alerting.policy import read_policy
from agents.chart import ChartAgent
from agents.errors import DependencyUnavailable, TransientError
from agents.indexing.document_indexer import DocumentIndexer
from agents.intake.patient_events import read_identifier_map
from agents.intake.receive import Intake
from agents.ports import FactIndex, LanguageModel, NoteSource
from agents.verification.verifier import Verifier
from schemas.topics import INBOUND_BACKFILL
from streams.cli.client import Client
from streams.clock import SystemClock
from streams.delivery.backfill_admission import BackfillAdmission, backfill_policy
from streams.delivery.connection import kafka_options
from streams.delivery.delivery import Delivery, DeliveryPolicy, KafkaOutputs
from streams.delivery.faust_adapter import KafkaProducer, Tuning, WorkerApp, make_app
from streams.delivery.kafka_topics import ensure_topics
from streams.delivery.live_traffic import Traffic
from streams.delivery.throttling import ThrottledEmbedder
from streams.delivery.worker import run_until_ended, serve
from streams.dependencies import open_index, open_models, open_source
from streams.health import HealthServer
from streams.instrument import (
    Calls,
    CountingOutputs,
    TimedDecomposer,
    TimedEmbedder,
    TimedIndex,
    TimedJudge,
    TimedLanguageModel,
    TimedReranker,
    TimedSource,
)
from streams.language_models import Deciders, deciders, open_llm
from streams.metrics import Metrics
from streams.settings import Settings
from streams.topology import Route, routes

log = logging.getLogger(__name__)
T = TypeVar("T")

RETRY_SECONDS = 1.0


def run_worker(settings: Settings) -> int:
    """Run a worker until it is ended by a signal. Returns the exit code (`run_until_ended`)."""
    logging.basicConfig(
        level=settings.log_level, format="%(asctime)s %(levelname)s %(name)s %(message)s"
    )
    # pymilvus logs the filter of a failed search, which holds a patient id.
    logging.getLogger("pymilvus").setLevel(logging.CRITICAL)
    return run_until_ended(lambda stop: _work(settings, stop))


async def _work(settings: Settings, stop: asyncio.Event) -> None:
    async with AsyncExitStack() as opened:
        source = open_source(settings)
        if source:
            opened.push_async_callback(source.close)
        await _at_start(settings, lambda: _topics(settings))
        models = await _at_start(settings, lambda: open_models(settings))
        opened.push_async_callback(models.close)
        llm = open_llm(settings)
        if llm:
            opened.push_async_callback(llm.close)
            if settings.llm_away == "wait":
                await _at_start(settings, llm.check)
        index = await _at_start(settings, lambda: open_index(settings, dim=models.embedder.dim))
        opened.push_async_callback(index.close)
        await _at_start(settings, lambda: index.require_embedder(models.embedder))
        metrics = Metrics()
        traffic = Traffic(Client(settings))
        opened.push_async_callback(traffic.close)
        app = build_app(
            settings, index, models, metrics=metrics, traffic=traffic, source=source, llm=llm
        )
        if settings.metrics_port is not None:
            health = HealthServer(metrics.registry, _readiness(app))
            await health.start(settings.metrics_host, settings.metrics_port)
            opened.push_async_callback(health.stop)
        await serve(app, stop)


async def _topics(settings: Settings) -> None:
    await ensure_topics(
        kafka_options(settings),
        settings.topic_prefix,
        partitions=settings.topic_partitions,
        replication=settings.topic_replication,
    )


async def _at_start(settings: Settings, find: Callable[[], Awaitable[T]]) -> T:
    """The result of `find`, tried until `start_timeout_s` has passed; then its error."""
    deadline = time.monotonic() + settings.start_timeout_s
    while True:
        try:
            return await find()
        except TransientError as error:
            if time.monotonic() > deadline:
                raise
            log.warning("waiting for %s", error.dependency)
            await asyncio.sleep(RETRY_SECONDS)


def build_app(  # noqa: PLR0913 - the parts of a worker, by name
    settings: Settings,
    index: FactIndex,
    models: Models,
    *,
    metrics: Metrics,
    traffic: Traffic,
    source: NoteSource | None = None,
    llm: LanguageModel | None = None,
) -> WorkerApp:
    """The Faust app of a worker with the agents that the settings name."""
    clock = SystemClock()
    index = TimedIndex(index, Calls(metrics, "milvus"))
    triton = Calls(metrics, "triton")
    embedder = ThrottledEmbedder(TimedEmbedder(models.embedder, triton), traffic)
    decomposer = TimedDecomposer(models.decomposer, triton)
    deciding = deciders(
        settings,
        Deciders(TimedJudge(models.judge, triton), decomposer, decomposer),
        llm,
        lambda inner, stage: TimedLanguageModel(inner, metrics, stage),
    )
    indexer = DocumentIndexer(index, embedder, deciding.note_decomposer, clock, settings.fact_unit)
    verifier = Verifier(
        index=index,
        embedder=embedder,
        reranker=TimedReranker(models.reranker, triton),
        decomposer=deciding.decomposer,
        judge=deciding.judge,
        clock=clock,
    )
    alerter = Alerter(clock, read_policy(settings.alert_policy))
    intake = Intake(
        clock,
        default_zone=ZoneInfo(settings.site_zone),
        source=TimedSource(source, Calls(metrics, "fhir")) if source else None,
        patient_ids=read_identifier_map(settings.patient_identifiers, settings.home_bases)
        if settings.patient_identifiers
        else None,
        home_bases=settings.home_bases,
        statuses=settings.document_statuses,
        bundle_patient=settings.bundle_patient,
    )
    app = make_app(
        kafka_options(settings),
        group=settings.group,
        prefix=settings.topic_prefix,
        tuning=_tuning(settings),
    )
    outputs = CountingOutputs(KafkaOutputs(KafkaProducer(app)), metrics)
    backfill = BackfillAdmission(intake.documents, traffic)
    for route in routes(intake, backfill, ChartAgent(indexer, verifier), alerter):
        if route.agent in settings.agents:
            _deliver(app, route, outputs, metrics, settings)
    return app


def _deliver(
    app: WorkerApp, route: Route, outputs: CountingOutputs, metrics: Metrics, settings: Settings
) -> None:
    delivery = Delivery(
        route.agent,
        route.handler,
        outputs=outputs,
        clock=SystemClock(),
        policy=_policy(route, settings),
        observer=metrics,
        origin=route.origin,
    )
    app.deliver(route.topic, delivery)


def _policy(route: Route, settings: Settings) -> DeliveryPolicy:
    if route.topic is INBOUND_BACKFILL:
        return backfill_policy(settings.backfill_in_flight)
    return DeliveryPolicy(max_in_flight=settings.max_in_flight)


def _tuning(settings: Settings) -> Tuning:
    return Tuning(
        session_timeout=settings.session_timeout_s,
        heartbeat_interval=settings.session_timeout_s / 6,
        fetch_max_wait=settings.fetch_max_wait_ms / 1000,
        producer_max_batch_bytes=settings.producer_max_batch_bytes,
    )


def _readiness(app: WorkerApp) -> Callable[[], Awaitable[None]]:
    """Ready once the group has given this worker its partitions."""
    assigned = asyncio.Event()

    async def complete(*_: object, **__: object) -> None:
        assigned.set()

    app.on_rebalance_complete.connect(complete)

    async def ready() -> None:
        if not assigned.is_set() or app.rebalancing:
            raise DependencyUnavailable("kafka", "The consumer group is rebalancing.")

    return ready

"""The tuned Faust app that workers run, and its life from start to exit code."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import faust
from faust.auth import SASLCredentials, SSLCredentials
from faust.types import TP

from agents.errors import ChartproofError
from schemas.topics import DEFAULT_PREFIX, MAX_RECORD_BYTES, MIB
from streams.cli.signals import on_ending
from streams.delivery.faust_consumer import WorkerConsumer, WorkerTransport
from streams.delivery.kafka_topics import KafkaOptions, require_topics

if TYPE_CHECKING:
    from streams.delivery.delivery import Delivery

log = logging.getLogger(__name__)

CRASH_STOP_SECONDS = 10.0
CRASHED = 1
COULD_NOT_START = 2
DAY = 24 * 60 * 60.0


@dataclass(frozen=True)
class Tuning:
    """How the app uses the broker; seconds, bytes, counts."""

    session_timeout: float = 30.0
    """A worker that is silent for so long has left; its partitions go to others."""
    heartbeat_interval: float = 3.0
    rebalance_timeout: float = 60.0
    """How long a rebalance waits for the members; `drain_seconds` lies well below."""
    request_timeout: float = 40.0
    commit_interval: float = 1.0
    fetch_max_wait: float = 0.1
    """How long a fetch waits at the broker for a first record. Kafka answers at once when there is
    one, Tansu only looks again after this."""
    max_poll_records: int = 100
    max_poll_interval: float = DAY
    """A pause in fetching after which aiokafka leaves the group. A slow handler or an outage is no
    reason to leave (aiokafka #848: the record is repeated elsewhere, for ever): heartbeats say
    that the worker lives."""
    stop_seconds: float = 40.0
    """A stop takes the longest `drain_seconds` and the last commit, for which it waits when the
    broker is away; after this the process ends all the same, and what is not committed is read
    again."""
    max_record_bytes: int = MAX_RECORD_BYTES
    producer_request_timeout: float = 30.0
    producer_max_batch_bytes: int = 16 * 1024
    """1 sends each record alone: Tansu's end offsets are wrong otherwise."""


class WorkerApp(faust.App):
    """A Faust app whose consumer is `WorkerConsumer` and whose agents are `Delivery` only."""

    def __init__(
        self, group: str, kafka_options: KafkaOptions, prefix: str, tuning: Tuning
    ) -> None:
        self.kafka_options = kafka_options
        self.prefix = prefix
        self.tuning = tuning
        self.deliveries: list[Delivery] = []
        super().__init__(group, **_faust_settings(kafka_options, tuning))

    def _create_directories(self) -> None:
        """Faust makes a data folder in the current one; tables in memory need none."""

    def _new_transport(self) -> WorkerTransport:
        return WorkerTransport(self.conf.broker_consumer, self)

    def hold(self, tp: TP, stop: bool) -> None:
        """Stop or resume fetching of one partition."""
        cast(WorkerConsumer, self.consumer).hold(tp, stop)

    async def drain(self) -> None:
        """Bring what runs to its end, within the policies' deadlines."""
        await asyncio.gather(*(delivery.drain() for delivery in self.deliveries))

    async def _consumer_wait_empty(self, consumer: Any, logger: Any) -> None:  # noqa: ANN401
        # Faust waits here until nothing is unacknowledged; drain sees to it that this ends.
        await self.drain()
        await super()._consumer_wait_empty(consumer, logger)


def make_app(
    kafka_options: KafkaOptions,
    *,
    group: str,
    prefix: str = DEFAULT_PREFIX,
    tuning: Tuning | None = None,
) -> WorkerApp:
    """An app of consumer group `group`, reading and writing topics with `prefix`.

    `kafka_options` are aiokafka's: `bootstrap_servers` ("host:port,..."), `security_protocol`,
    `ssl_context`, `sasl_mechanism`, `sasl_plain_username`, `sasl_plain_password`.
    """
    _keep_values_out_of_logs()
    return WorkerApp(group, kafka_options, prefix, tuning or Tuning())


def _faust_settings(options: KafkaOptions, tuning: Tuning) -> dict[str, Any]:
    servers = options["bootstrap_servers"]
    if not isinstance(servers, str):
        servers = ",".join(servers)
    return {
        "broker": ";".join(f"kafka://{server}" for server in servers.split(",")),
        "broker_credentials": _credentials(options),
        "broker_commit_interval": tuning.commit_interval,
        "broker_session_timeout": tuning.session_timeout,
        "broker_request_timeout": max(tuning.request_timeout, tuning.session_timeout),
        "producer_acks": -1,
        "producer_max_request_size": tuning.max_record_bytes + MIB,
        "producer_max_batch_size": tuning.producer_max_batch_bytes,
        "producer_request_timeout": tuning.producer_request_timeout,
        "stream_wait_empty": True,
        "stream_buffer_maxsize": 2 * tuning.max_poll_records,
        "topic_allow_declare": False,
        "topic_disable_leader": True,
        "store": "memory://",
        "web_enabled": False,  # it binds 0.0.0.0
    }


def _credentials(options: KafkaOptions) -> SASLCredentials | SSLCredentials | None:
    context = options.get("ssl_context")
    if options.get("sasl_plain_username") is not None:
        return SASLCredentials(
            username=options["sasl_plain_username"],
            password=options["sasl_plain_password"],
            mechanism=options.get("sasl_mechanism", "PLAIN"),
            ssl_context=context,
        )
    return SSLCredentials(context) if context is not None else None


def _keep_values_out_of_logs() -> None:
    """Faust and aiokafka log keys and values at debug, under our modules' names too where we derive
    from their classes; they never do at info."""
    for name in (
        "faust",
        "mode",
        "aiokafka",
        "streams.delivery.faust_app",
        "streams.delivery.faust_consumer",
    ):
        logger = logging.getLogger(name)
        logger.setLevel(max(logger.getEffectiveLevel(), logging.INFO))


class WorkerCrashed(ChartproofError):
    """The worker cannot go on. Nothing is lost: what it had not finished is read again."""


async def serve(app: WorkerApp, stop: asyncio.Event) -> None:
    """Run `app` until `stop` is set, then stop it gracefully. Owns the process while it runs.

    Raises `DependencyUnavailable` when the broker or a topic is not there at the start, and
    `WorkerCrashed`. A broker that goes away later is waited for.
    """
    await require_topics(app.kafka_options, app.prefix)
    try:
        await app.start()
        await app.wait_for_stopped(stop.wait())
        crash = app.crash_reason
    except Exception as error:
        crash = error
    if crash is not None:
        log.error("the worker cannot go on (%s)", type(crash).__name__)
    limit = app.tuning.stop_seconds if crash is None else CRASH_STOP_SECONDS
    stopping = asyncio.ensure_future(app.stop())
    # Not wait_for: that waits for the cancelled stop to end, which one without a broker may not.
    await asyncio.wait({stopping}, timeout=limit)
    if not stopping.done() or stopping.exception() is not None:
        # Threads of Faust may still wait for a broker that is gone, and would keep the process.
        log.error("the worker did not stop in time")
        logging.shutdown()
        os._exit(CRASHED)
    if crash is not None:
        raise WorkerCrashed(f"The worker could not go on ({type(crash).__name__}); start it again.")


def run_until_ended(work: Callable[[asyncio.Event], Awaitable[None]]) -> int:
    """Run `work` with an event that is set on SIGTERM, SIGINT or SIGHUP. Returns the exit code.

    0 stopped as asked, 1 crashed, 2 could not start; standard error says why.
    """

    async def main() -> None:
        stop = asyncio.Event()
        with on_ending(lambda _: stop.set()):
            await work(stop)

    try:
        asyncio.run(main())
    except (ChartproofError, OSError, ValueError) as error:
        sys.stderr.write(f"error: {error}\n")
        return CRASHED if isinstance(error, WorkerCrashed) else COULD_NOT_START
    return 0

"""Faust as delivery's `Consumer` and `Producer`. Every change of ours to Faust is in this file.

`tests/unit/test_faust_adapter.py` names each private method that is overridden or called here and
fails when the installed Faust changes it: read the new one, then renew its fingerprint there.

Read and measured on faust-streaming 0.15.3 and aiokafka 0.14:

- The consumer's `fetch_max_wait_ms` (1500) and isolation level are hard-coded: the thread below
  makes its aiokafka consumer itself.
- On a rebalance Faust forgets acks that it has not committed yet, and only then waits for what is
  running: `on_partitions_revoked` below drains and commits first (faust-streaming #502). A worker
  that was expelled has nothing to finish, for another may be at its records already: there what
  runs is cancelled at once. What it has written by then does not count where its successor has
  written (`agents.adapters.index.write_order`).
- Faust marks the record after a gap of offsets as acknowledged together with the gap (#606). Acks
  come in order here, so the position is one past the last ack, and gaps need no book-keeping.
- A fetch that is under way when a rebalance begins returns after it, with the first records of the
  new assignment. Faust drops them and goes back to the committed offset; where nothing is committed
  yet it stays behind them, and they are lost (of #221's kind). `_fetch_records` below goes back to
  the first of them.
- A commit that failed counts as made and is never retried (#611): `_commit_offsets` below takes the
  acks back, so the next interval commits them.
- `pause_partitions` drops the rest of the batch that is being handed out, and the next ack steps
  over it. `pause` uses the flow control of Faust's own buffers, which hands it out.
- Faust's producer is called directly, not through its topics: those log keys and values at debug.

Kafka's own errors are mapped to that tree where the producer is called, by `kafka_errors`:

| aiokafka or Faust error          | becomes                                                    |
|----------------------------------|------------------------------------------------------------|
| `MessageSizeTooLargeError`       | `PermanentError("too_large")`: a repeat is as large        |
| any other `KafkaError`, NotReady | `DependencyUnavailable("kafka")`: the broker comes back,   |
|                                  | or an operator grants the right that is missing            |
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, cast

import aiokafka
import faust
from aiokafka.coordinator.assignors.roundrobin import RoundRobinPartitionAssignor
from aiokafka.errors import IllegalStateError, KafkaError, MessageSizeTooLargeError
from aiokafka.protocol.group import JoinGroupRequest
from aiokafka.structs import OffsetAndMetadata, TopicPartition
from faust.auth import SASLCredentials, SSLCredentials
from faust.exceptions import NotReady, ProducerSendError
from faust.transport.consumer import ensure_TP
from faust.transport.drivers.aiokafka import AIOKafkaConsumerThread, Consumer, Transport
from faust.types import TP

from agents.errors import DependencyUnavailable, PermanentError
from schemas.topics import DEFAULT_PREFIX, MAX_RECORD_BYTES, MIB, Topic
from streams.delivery.delivery import Delivery
from streams.delivery.error_classes import TOO_LARGE
from streams.delivery.kafka_topics import KafkaOptions

log = logging.getLogger(__name__)

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


class WorkerConsumerThread(AIOKafkaConsumerThread):
    """The thread that owns the aiokafka consumer: fetches, heartbeats, commits."""

    app: WorkerApp

    def _create_worker_consumer(self, transport: Transport) -> aiokafka.AIOKafkaConsumer:
        tuning, conf = self.app.tuning, self.app.conf
        return aiokafka.AIOKafkaConsumer(
            **self.app.kafka_options,
            client_id=conf.broker_client_id,
            group_id=conf.id,
            enable_auto_commit=False,
            auto_offset_reset="earliest",
            isolation_level="read_committed",
            partition_assignment_strategy=[RoundRobinPartitionAssignor],
            max_poll_records=tuning.max_poll_records,
            max_poll_interval_ms=_ms(tuning.max_poll_interval),
            max_partition_fetch_bytes=tuning.max_record_bytes,
            fetch_max_wait_ms=_ms(tuning.fetch_max_wait),
            request_timeout_ms=_ms(tuning.request_timeout),
            session_timeout_ms=_ms(tuning.session_timeout),
            heartbeat_interval_ms=_ms(tuning.heartbeat_interval),
            rebalance_timeout_ms=_ms(tuning.rebalance_timeout),
        )

    @property
    def is_expelled(self) -> bool:
        """Whether the group went on without this member: another may have its partitions already.

        aiokafka forgets the id that the coordinator no longer knows, and then joins anew.
        """
        coordinator = self._ensure_consumer()._coordinator
        return bool(coordinator.member_id == JoinGroupRequest.UNKNOWN_MEMBER_ID)

    async def _fetch_records(
        self,
        consumer: aiokafka.AIOKafkaConsumer,
        active_partitions: set[TP],
        timeout: float | None = None,
        max_records: int | None = None,
    ) -> Mapping[TopicPartition, list[Any]]:
        generation = self.app.consumer_generation_id
        records: Mapping[TopicPartition, list[Any]] = await super()._fetch_records(
            consumer, active_partitions, timeout, max_records
        )
        if self.consumer.flow_active and generation == self.app.consumer_generation_id:
            return records
        for partition, batch in records.items():
            if partition in consumer.assignment():
                consumer.seek(partition, batch[0].offset)
        return {}

    async def _commit(self, offsets: Mapping[TP, int]) -> bool:
        """False when it failed: what belongs to a past generation is read again anyway, and the
        rest is retried. Faust's own version crashes the worker."""
        assigned = self.assignment()
        try:
            await self._ensure_consumer().commit(
                {
                    TopicPartition(*tp): OffsetAndMetadata(offset, "")
                    for tp, offset in offsets.items()
                    if tp in assigned
                }
            )
        except (KafkaError, IllegalStateError) as error:
            log.warning("offsets were not committed (%s)", type(error).__name__)
            return False
        return True


class WorkerConsumer(Consumer):
    """The main loop's side of it."""

    app: WorkerApp

    def _new_consumer_thread(self) -> WorkerConsumerThread:
        self._paused: set[TP] = set()
        return WorkerConsumerThread(self, loop=self.loop, beacon=self.beacon)

    def pause(self, tp: TP, paused: bool) -> None:
        """Stop or resume fetching of one partition; what was fetched is still handed out."""
        if paused:
            self._paused.add(tp)
            self.on_buffer_full(tp)
        else:
            self._paused.discard(tp)
            self.on_buffer_drop(tp)

    def on_buffer_drop(self, tp: TP) -> None:
        # Faust's own buffer has room again; that does not end our pause.
        if tp not in self._paused:
            super().on_buffer_drop(tp)

    async def on_partitions_revoked(self, revoked: set[TP]) -> None:
        if revoked and not self.app.should_stop:
            self.stop_flow()
            self.app.flow_control.suspend()
            if self._is_expelled():
                log.warning("the group went on without this worker: what runs is cancelled")
                await self.app.drain(at_once=True)
            else:
                await self.app.drain()
                await self.maybe_wait_for_commit_to_finish()
                await self.commit()
        self._paused.clear()
        await super().on_partitions_revoked(revoked)

    def _is_expelled(self) -> bool:
        return cast(WorkerConsumerThread, self._thread).is_expelled

    def _new_offset(self, tp: TP) -> int | None:
        acked = self._acked[tp]
        if not acked:
            return None
        position = int(max(acked)) + 1
        acked.clear()
        self._acked_index[tp].clear()
        return position

    async def _add_gap(self, tp: TP, offset_from: int, offset_to: int) -> None:
        """Gaps need no book-keeping, see `_new_offset`."""

    async def _commit_offsets(
        self, offsets: Mapping[TP, int], start_new_transaction: bool = True
    ) -> bool:
        before = {tp: self._committed_offset[tp] for tp in offsets}
        if await super()._commit_offsets(offsets, start_new_transaction):
            return True
        for tp, position in offsets.items():
            if tp in self.assignment():
                self._committed_offset[tp] = before[tp]
                self._acked[tp].append(position - 1)
        return False

    def verify_event_path(self, now: float, tp: TP) -> None:
        """Faust's warnings of slow streams take busy lanes for stuck ones."""


class WorkerTransport(Transport):
    Consumer = WorkerConsumer


def _ms(seconds: float) -> int:
    return int(seconds * 1000)


class WorkerApp(faust.App):
    """A Faust app whose agents are `Delivery` only; delivery's `Consumer` on `WorkerConsumer`."""

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

    @property
    def generation(self) -> int:
        return int(self.consumer_generation_id)

    def pause(self, tp: TP, paused: bool) -> None:
        cast(WorkerConsumer, self.consumer).pause(ensure_TP(tp), paused)

    def ack(self, message: Any) -> None:  # noqa: ANN401 - Faust's own Message
        message.ack(self.consumer)

    def deliver(self, topic: Topic, delivery: Delivery) -> None:
        """Give every record of `topic` (with the prefix) to `delivery`; before the app starts."""

        async def consume(stream: Any) -> None:  # noqa: ANN401 - Faust's Stream is untyped here
            async for event in stream.noack().events():
                delivery.accept(self, event.message)

        channel = self.topic(
            self.prefix + topic.name,
            key_type=bytes,
            value_type=bytes,
            key_serializer="raw",
            value_serializer="raw",
            allow_empty=True,
            internal=False,
        )
        self.agent(channel, name=f"{delivery.stage}.{topic.name}")(consume)
        self.deliveries.append(delivery)

    async def drain(self, *, at_once: bool = False) -> None:
        """Bring what runs to its end, within the policies' deadlines; `at_once` cancels it."""
        await asyncio.gather(*(delivery.drain(at_once=at_once) for delivery in self.deliveries))

    async def _consumer_wait_empty(self, consumer: Any, logger: Any) -> None:  # noqa: ANN401
        # Faust waits here until nothing is unacknowledged; drain sees to it that this ends.
        await self.drain()
        await super()._consumer_wait_empty(consumer, logger)


class KafkaProducer:
    """Delivery's `Producer` through the app's own, to topics with the app's prefix."""

    def __init__(self, app: WorkerApp) -> None:
        self._app = app

    async def send(
        self, topic: str, key: bytes | None, value: bytes | None, headers: Mapping[str, bytes]
    ) -> None:
        with kafka_errors():
            sent = await self._app.producer.send(
                self._app.prefix + topic, key, value, None, None, list(headers.items())
            )
            # A cancelled handler must not cancel the producer's own future of a shared batch.
            await asyncio.shield(sent)


@contextmanager
def kafka_errors() -> Iterator[None]:
    """Errors of the producer as ours."""
    try:
        yield
    except (KafkaError, ProducerSendError, NotReady) as error:
        cause = error.__cause__ if isinstance(error, ProducerSendError) else error
        if isinstance(cause, MessageSizeTooLargeError):
            raise PermanentError(
                TOO_LARGE, "The event is larger than a record may be; split its source."
            ) from None
        raise DependencyUnavailable(
            "kafka", f"The broker did not take a record ({type(cause).__name__})."
        ) from error


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
    """Faust and aiokafka log keys and values at debug, under our module's name too where we derive
    from their classes; they never do at info."""
    for name in (
        "faust",
        "mode",
        "aiokafka",
        "streams.delivery.faust_adapter",
    ):
        logger = logging.getLogger(name)
        logger.setLevel(max(logger.getEffectiveLevel(), logging.INFO))

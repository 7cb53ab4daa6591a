"""Faust's Kafka consumer, corrected where delivery needs it. All our changes to Faust are here.

Read and measured on faust-streaming 0.15.3 and aiokafka 0.14:

- The consumer's `fetch_max_wait_ms` (1500) and isolation level are hard-coded: the thread below
  makes its aiokafka consumer itself.
- On a rebalance Faust forgets acks that it has not committed yet, and only then waits for what is
  running: `on_partitions_revoked` below drains and commits first (faust-streaming #502).
- Faust marks the record after a gap of offsets as acknowledged together with the gap (#606). Acks
  come in order here, so the position is one past the last ack, and gaps need no book-keeping.
- A fetch that is under way when a rebalance begins returns after it, with the first records of the
  new assignment. Faust drops them and goes back to the committed offset; where nothing is committed
  yet it stays behind them, and they are lost (of #221's kind). `_fetch_records` below goes back to
  the first of them.
- A commit that failed counts as made and is never retried (#611): `_commit_offsets` below takes the
  acks back, so the next interval commits them.
- `pause_partitions` drops the rest of the batch that is being handed out, and the next ack steps
  over it. `hold` uses the flow control of Faust's own buffers, which hands it out.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import aiokafka
from aiokafka.coordinator.assignors.roundrobin import RoundRobinPartitionAssignor
from aiokafka.errors import IllegalStateError, KafkaError
from aiokafka.structs import OffsetAndMetadata, TopicPartition
from faust.transport.drivers.aiokafka import AIOKafkaConsumerThread, Consumer, Transport
from faust.types import TP

if TYPE_CHECKING:
    from streams.delivery.faust_app import WorkerApp

log = logging.getLogger(__name__)


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
        self._held: set[TP] = set()
        return WorkerConsumerThread(self, loop=self.loop, beacon=self.beacon)

    def hold(self, tp: TP, stop: bool) -> None:
        """Stop or resume fetching of one partition; what was fetched is still handed out."""
        if stop:
            self._held.add(tp)
            self.on_buffer_full(tp)
        else:
            self._held.discard(tp)
            self.on_buffer_drop(tp)

    def on_buffer_drop(self, tp: TP) -> None:
        # Faust's own buffer has room again; that does not end our hold.
        if tp not in self._held:
            super().on_buffer_drop(tp)

    async def on_partitions_revoked(self, revoked: set[TP]) -> None:
        if revoked and not self.app.should_stop:
            self.stop_flow()
            self.app.flow_control.suspend()
            await self.app.drain()
            await self.maybe_wait_for_commit_to_finish()
            await self.commit()
        self._held.clear()
        await super().on_partitions_revoked(revoked)

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
        """Faust's warnings of slow streams take lanes for stuck ones; metrics show the age."""


class WorkerTransport(Transport):
    Consumer = WorkerConsumer


def _ms(seconds: float) -> int:
    return int(seconds * 1000)

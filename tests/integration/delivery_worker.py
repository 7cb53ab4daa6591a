"""A worker process for the delivery suite: the real app and delivery, a handler told what to do.

Run as `python delivery_worker.py CONFIG.json`. Each record's value is JSON: `id`, and what the
handler does with it. Everything that happens is one line in the worker's journal.
"""

import asyncio
import json
import logging
import os
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from aiokafka import AIOKafkaConsumer
from aiokafka.errors import UnknownError
from faust.types import TP

from agents.errors import DependencyUnavailable, InvalidEvent
from agents.ports import Emit, Record
from schemas.outcomes import Outcome, OutcomeRecorded
from schemas.topics import INBOUND_DOCUMENTS
from streams.clock import SystemClock
from streams.delivery.connection import kafka_options
from streams.delivery.delivery import Delivery, DeliveryPolicy, KafkaOutputs
from streams.delivery.faust_adapter import KafkaProducer, Tuning, WorkerApp, make_app
from streams.delivery.worker import run_until_ended, serve
from streams.settings import Settings


@dataclass(frozen=True)
class WorkerConfig:
    """What a test asks of a worker; travels as JSON."""

    connection: dict
    """Settings of how to reach the broker."""
    prefix: str
    group: str
    name: str
    journal: str
    flag: str
    """A file; while it is missing, records with `needs` fail with a transient error, and those with
    `awaits` are not done."""
    policy: dict = field(default_factory=dict)
    tuning: dict = field(default_factory=dict)
    fault: str | None = None
    """`commit`: the first commit fails. `revoked`: records arrive during a rebalance."""


class Journal:
    def __init__(self, path: str) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)

    def write(self, what: str, **fields: object) -> None:
        line = json.dumps({"what": what, "at": time.time(), **fields})
        os.write(self._file, line.encode() + b"\n")


class Script:
    """The handler: does what the record says."""

    def __init__(self, config: WorkerConfig, journal: Journal) -> None:
        self._config = config
        self._journal = journal

    async def handle(self, record: Record, emit: Emit) -> None:
        said = json.loads(record.value) if record.value is not None else {"id": None}
        where = {
            "worker": self._config.name,
            "id": said["id"],
            "key": record.key.decode() if record.key is not None else None,
            "partition": record.partition,
            "offset": record.offset,
        }
        self._journal.write("start", **where)
        if said.get("needs") and not Path(self._config.flag).exists():
            raise DependencyUnavailable("milvus", "not there")
        if said.get("bug"):
            raise RuntimeError("a secret of the patient")
        if said.get("cancelled"):
            raise asyncio.CancelledError  # as gRPC does when a call is cancelled under it
        if said.get("invalid"):
            raise InvalidEvent("not_json", "The record is not JSON.")
        await asyncio.sleep(said.get("takes", 0))
        while said.get("awaits") and not Path(self._config.flag).exists():  # noqa: ASYNC110 - a file
            await asyncio.sleep(0.05)
        await emit(
            OutcomeRecorded(
                occurred_at=SystemClock().now(), source=record.position, outcome=Outcome.INDEXED
            )
        )
        self._journal.write("end", **where)


def fail_first_commit(journal: Journal) -> None:
    """The broker refuses one commit, as it may while a coordinator moves."""
    real = AIOKafkaConsumer.commit

    async def commit(self: AIOKafkaConsumer, offsets: object = None) -> None:
        AIOKafkaConsumer.commit = real
        journal.write("commit_failed")
        raise UnknownError

    AIOKafkaConsumer.commit = commit


def publish_when_revoked(app: WorkerApp) -> None:
    """The first records of every partition arrive after it was revoked, before it is assigned."""

    @app.on_partitions_revoked.connect
    async def publish(app: WorkerApp, revoked: set[TP], **_: object) -> None:
        for tp in revoked:
            for number in range(5):
                value = json.dumps({"id": tp.partition * 10 + number}).encode()
                await app.producer.send_and_wait(tp.topic, b"k", value, tp.partition, None, None)


def build(config: WorkerConfig) -> WorkerApp:
    journal = Journal(config.journal)
    if config.fault == "commit":
        fail_first_commit(journal)
    app = make_app(
        kafka_options(Settings(_env_file=None, **config.connection)),
        group=config.group,
        prefix=config.prefix,
        tuning=Tuning(**config.tuning),
    )
    delivery = Delivery(
        "intake",
        Script(config, journal).handle,
        outputs=KafkaOutputs(KafkaProducer(app)),
        clock=SystemClock(),
        policy=DeliveryPolicy(**config.policy),
    )
    app.deliver(INBOUND_DOCUMENTS, delivery)

    if config.fault == "revoked":
        publish_when_revoked(app)

    @app.on_rebalance_complete.connect
    async def ready(app: WorkerApp, **_: object) -> None:
        assigned = sorted(tp.partition for tp in app.consumer.assignment())
        journal.write("assigned", worker=config.name, partitions=assigned)

    return app


if __name__ == "__main__":
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(name)s %(message)s")
    settings = WorkerConfig(**json.loads(Path(sys.argv[1]).read_text()))
    sys.exit(run_until_ended(lambda stop: serve(build(settings), stop)))

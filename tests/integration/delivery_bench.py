"""What the delivery suite works with: topics of its own, producers, worker processes, journals."""

import asyncio
import json
import sys
import time
import uuid
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, TopicPartition

from schemas.topics import DEAD_LETTERS, INBOUND_DOCUMENTS, MAX_RECORD_BYTES, OUTCOMES, Topic
from streams.delivery.connection import kafka_options
from streams.delivery.kafka_topics import ensure_topics
from streams.local.process import ChildProcess
from streams.settings import Settings
from tests.integration.delivery_worker import WorkerConfig

ROOT = Path(__file__).resolve().parent.parent.parent
PATIENCE = 30.0
"""A deadline for what must happen some time; nothing is measured by it."""
FAST = {"session_timeout": 2.0, "heartbeat_interval": 0.3, "commit_interval": 0.3}

Line = dict[str, Any]


class Bench:
    """One test's view of a broker: a prefix of its own and the workers it started."""

    def __init__(self, folder: Path, **connection: str) -> None:
        self.connection = connection
        self.options = kafka_options(Settings(_env_file=None, **connection))
        self.folder = folder
        self.prefix = f"{uuid.uuid4().hex[:8]}."
        self.flag = folder / "flag"
        self.partitions = 0
        self.workers: dict[str, ChildProcess] = {}

    async def topics(self, partitions: int = 2) -> None:
        self.partitions = partitions
        await ensure_topics(self.options, self.prefix, partitions=partitions)

    def name(self, topic: Topic) -> str:
        return self.prefix + topic.name

    # Producing

    async def publish(
        self,
        records: Iterable[tuple[str | None, Line | bytes | None]],
        partition: int | None = None,
    ) -> None:
        """Send records as (key, what the handler shall do) in order."""
        producer = AIOKafkaProducer(
            **self.options, acks="all", max_request_size=MAX_RECORD_BYTES, max_batch_size=1
        )
        async with producer:
            for key, said in records:
                value = json.dumps(said).encode() if isinstance(said, dict) else said
                await producer.send_and_wait(
                    self.name(INBOUND_DOCUMENTS),
                    value,
                    key=key.encode() if key is not None else None,
                    partition=partition,
                )

    # Workers

    def start(self, name: str, *, fault: str | None = None, **settings: Any) -> ChildProcess:
        """Start a worker. Settings named as in `Tuning` go there, others to `DeliveryPolicy`."""
        tuning = FAST | {k: v for k, v in settings.items() if k in TUNING}
        policy = {"backoff_base": 0.05, "backoff_cap": 0.5} | {
            k: v for k, v in settings.items() if k not in TUNING
        }
        config = WorkerConfig(
            connection=self.connection,
            prefix=self.prefix,
            group=f"{self.prefix}group",
            name=name,
            journal=str(self.folder / f"{name}.journal"),
            flag=str(self.flag),
            policy=policy,
            tuning=tuning,
            fault=fault,
        )
        path = self.folder / f"{name}.json"
        path.write_text(json.dumps(asdict(config)))
        script = ROOT / "tests" / "integration" / "delivery_worker.py"
        self.workers[name] = ChildProcess(
            name,
            [sys.executable, "-X", "faulthandler", str(script), str(path)],
            log=self.folder / f"{name}.log",
            env={"PYTHONPATH": str(ROOT)},
        ).start()
        return self.workers[name]

    async def join(self, name: str, *, fault: str | None = None, **settings: Any) -> ChildProcess:
        """Start a worker and wait until it has partitions or knows that it has none."""
        worker = self.start(name, fault=fault, **settings)
        await self.until(lambda: any(line["what"] == "assigned" for line in self.journal(name)))
        return worker

    async def stop(self, name: str) -> int | None:
        return await asyncio.to_thread(self.workers[name].stop, grace=PATIENCE)

    def close(self) -> None:
        for worker in self.workers.values():
            worker.kill()

    # Watching

    def journal(self, *names: str) -> list[Line]:
        """What workers wrote, by time."""
        lines = []
        for name in names or tuple(self.workers):
            path = self.folder / f"{name}.journal"
            if path.exists():
                whole = path.read_text().rpartition("\n")[0]
                lines += [json.loads(line) for line in whole.splitlines()]
        return sorted(lines, key=lambda line: line["at"])

    def started(self) -> list[Any]:
        return [line["id"] for line in self.journal() if line["what"] == "start"]

    def ended(self) -> list[Any]:
        return [line["id"] for line in self.journal() if line["what"] == "end"]

    async def until(self, condition: Callable[[], Any]) -> None:
        deadline = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < deadline, self.report()
            await asyncio.sleep(0.05)

    async def until_ended(self, ids: Iterable[Any]) -> None:
        wanted = set(ids)
        await self.until(lambda: wanted <= set(self.ended()))

    def report(self) -> str:
        logs = [f"--- {name}\n{worker.tail(40)}" for name, worker in self.workers.items()]
        last = "\n".join(str(line) for line in self.journal()[-10:])
        return "\n".join([*logs, "--- journal", last])

    async def committed(self) -> int:
        """The sum of the group's committed offsets."""
        reader = AIOKafkaConsumer(**self.options, group_id=f"{self.prefix}group")
        async with reader:
            return sum(
                [await reader.committed(place) or 0 for place in self.places(INBOUND_DOCUMENTS)]
            )

    def places(self, topic: Topic) -> list[TopicPartition]:
        return [TopicPartition(self.name(topic), number) for number in range(self.partitions)]

    @asynccontextmanager
    async def reading(self, topic: Topic) -> AsyncIterator[AIOKafkaConsumer]:
        reader = AIOKafkaConsumer(
            **self.options, fetch_max_wait_ms=50, max_partition_fetch_bytes=MAX_RECORD_BYTES
        )
        async with reader:
            reader.assign(self.places(topic))
            await reader.seek_to_beginning()
            yield reader

    async def read(self, topic: Topic, until: Callable[[list[Any]], bool]) -> list[Any]:
        """Records of `topic` from the beginning until the condition holds."""
        found: list[Any] = []
        deadline = time.monotonic() + PATIENCE
        async with self.reading(topic) as reader:
            while not until(found):
                assert time.monotonic() < deadline, (len(found), self.report())
                for batch in (await reader.getmany(timeout_ms=200)).values():
                    found += batch
        return found

    async def outcomes(self, distinct: int) -> list[Any]:
        return await self.read(OUTCOMES, lambda found: len(ids(found)) >= distinct)

    async def dead_letters(self, distinct: int) -> list[Any]:
        return await self.read(DEAD_LETTERS, lambda found: len(ids(found)) >= distinct)


TUNING = {
    "session_timeout", "heartbeat_interval", "rebalance_timeout", "commit_interval",
    "max_poll_interval", "fetch_max_wait", "producer_request_timeout", "stop_seconds",
}  # fmt: skip


def ids(records: Iterable[Any]) -> set[bytes]:
    """The CloudEvents ids of records."""
    return {dict(record.headers)["ce_id"] for record in records}


def assert_in_order(lines: list[Line]) -> None:
    """Of each key, no record was begun before the first end of the one before it."""
    first_end: dict[tuple[str, int], float] = {}
    for line in lines:
        if line["what"] == "end":
            first_end.setdefault((line["key"], line["id"]), line["at"])
    by_key: dict[str, list[int]] = {}
    for key, number in first_end:
        by_key.setdefault(key, []).append(number)
    before = {
        (key, later): earlier
        for key, numbers in by_key.items()
        for earlier, later in zip(sorted(numbers), sorted(numbers)[1:], strict=False)
    }
    for line in lines:
        earlier = before.get((line.get("key"), line.get("id")))
        if line["what"] == "start" and earlier is not None:
            assert line["at"] >= first_end[line["key"], earlier], (line, earlier)

"""What only Apache Kafka can show: gaps of offsets, and a broker that comes back with its data."""

import asyncio
import json
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from aiokafka import AIOKafkaProducer
from aiokafka.admin import AIOKafkaAdminClient
from aiokafka.admin.config_resource import ConfigResource, ConfigResourceType

from agents.errors import DependencyUnavailable
from schemas.topics import CHART, INBOUND_DOCUMENTS
from streams.cli.client import Client
from streams.delivery.kafka_topics import ensure_topics
from streams.local.ports import LOOPBACK, free_port
from streams.settings import Settings
from tests.integration.delivery_bench import Bench, assert_in_order

pytestmark = pytest.mark.kafka


@pytest.fixture
async def bench(kafka, tmp_path: Path) -> AsyncIterator[Bench]:
    found = Bench(tmp_path, broker=kafka.bootstrap)
    yield found
    found.close()


async def publish_in_transactions(bench: Bench, partition: int, *records: dict) -> None:
    """Each record in a transaction of its own, so a marker follows it; `aborted` ones are."""
    producer = AIOKafkaProducer(
        **bench.options, transactional_id=f"{bench.prefix}{partition}", max_batch_size=1
    )
    async with producer:
        for said in records:
            await producer.begin_transaction()
            await producer.send_and_wait(
                bench.name(INBOUND_DOCUMENTS),
                json.dumps(said).encode(),
                key=str(said["id"]).encode(),
                partition=partition,
            )
            if said.get("aborted"):
                await producer.abort_transaction()
            else:
                await producer.commit_transaction()


async def test_a_slow_record_is_not_stepped_over_where_offsets_have_gaps(bench):
    """faust-streaming #606, and what a transaction aborted is not read."""
    await bench.topics(partitions=2)
    quick = [{"id": n} for n in range(1, 20)]
    await publish_in_transactions(
        bench, 0, {"id": "aborted", "aborted": True}, {"id": 0, "takes": 60}, *quick
    )
    await publish_in_transactions(bench, 1, *({"id": n} for n in range(100, 120)))
    await bench.join("first")
    await bench.until_ended([*range(1, 20), *range(100, 120)])
    # Partition 1 ends with record 38 and its marker 39; of partition 0 nothing may be committed.
    for _ in range(100):
        if await bench.committed() == 39:
            break
    assert await bench.committed() == 39
    bench.workers["first"].kill()

    await bench.join("second")
    await bench.until(lambda: bench.started().count(0) == 2)
    await bench.until(lambda: bench.ended().count(19) == 2)
    assert "aborted" not in bench.started()
    assert max(bench.ended().count(n) for n in range(100, 120)) == 1
    assert await bench.committed() == 39


async def test_an_expelled_worker_cancels_what_runs(bench):
    """It was silent beyond its session, and another has its partitions and its record now."""
    await bench.topics(partitions=1)
    await bench.publish([("k", {"id": 0, "awaits": True})])
    expelled = await bench.join("expelled", drain_seconds=600.0)
    await bench.until(lambda: 0 in bench.started())
    expelled.send_signal(signal.SIGSTOP)
    await bench.join("successor")
    await bench.until(lambda: bench.started().count(0) == 2)
    expelled.send_signal(signal.SIGCONT)
    await bench.until(lambda: "the group went on without this worker" in expelled.tail())
    bench.flag.touch()
    await bench.until_ended([0])
    await bench.publish([("k", {"id": 1})])
    await bench.until_ended([1])
    ends = [line for line in bench.journal() if line["what"] == "end" and line["id"] == 0]
    assert {line["worker"] for line in ends} == {"successor"}


async def test_a_broker_that_goes_away_is_waited_for(bench, kafka):
    await bench.topics(partitions=2)
    worker = await bench.join("worker", producer_request_timeout=3.0)
    await bench.join("leaver", stop_seconds=3.0)
    await bench.publish((f"k{n % 5}", {"id": n}) for n in range(20))
    await bench.until_ended(range(20))
    await bench.publish([("k0", {"id": 20, "takes": 2}), ("k0", {"id": 21})])
    await bench.until(lambda: 20 in bench.started())
    await asyncio.to_thread(kafka.stop)
    try:
        ended = await bench.stop("leaver")
        await asyncio.sleep(3)  # longer than a send may take, so that 20 fails and is tried again
    finally:
        await asyncio.to_thread(kafka.start)
    assert ended in (0, 1), "a stop ends also without a broker"

    await bench.publish((f"k{n % 5}", {"id": n}) for n in range(22, 40))
    await bench.until_ended(range(40))
    assert_in_order(bench.journal())
    assert len(await bench.outcomes(distinct=40)) >= 40
    assert worker.alive
    assert await bench.stop("worker") == 0
    assert await bench.committed() == 40


async def test_topics_have_the_configuration_of_the_table(kafka):
    options = {"bootstrap_servers": kafka.bootstrap}
    await ensure_topics(options, "configured.")
    admin = AIOKafkaAdminClient(**options)
    await admin.start()
    try:
        (found,) = await admin.describe_configs(
            [ConfigResource(ConfigResourceType.TOPIC, f"configured.{CHART.name}")]
        )
    finally:
        await admin.close()
    *_, entries = found.resources[0]
    said = {name: value for name, value, *_ in entries}
    assert CHART.config().items() <= said.items()


async def test_a_worker_without_a_broker_says_so_and_ends(tmp_path):
    bench = Bench(tmp_path, broker=f"{LOOPBACK}:{free_port()}")
    worker = bench.start("worker")
    assert await asyncio.to_thread(worker.wait, 60) == 2
    said = worker.tail()
    assert f"The Kafka broker at {bench.options['bootstrap_servers']} did not answer" in said
    assert "Traceback" not in said


async def test_a_worker_without_its_topics_says_so_and_ends(bench):
    worker = bench.start("worker")
    assert await asyncio.to_thread(worker.wait, 60) == 2
    assert f"lacks {bench.prefix}inbound.documents" in worker.tail()
    assert "Traceback" not in worker.tail()


@pytest.mark.parametrize("listener", ["with_password", "with_certificate"])
async def test_a_worker_signs_in_over_tls_and_a_stranger_ends(kafka, tmp_path, listener):
    settings = getattr(kafka, listener)
    bench = Bench(tmp_path, **settings)
    try:
        await bench.topics(partitions=1)
        await bench.publish([("k", {"id": 1})])
        await bench.join("worker")
        await bench.until_ended([1])

        if listener == "with_password":
            bench.connection = {**settings, "sasl_password": "wrong"}
        else:
            bench.connection = {k: v for k, v in settings.items() if k != "ssl_certfile"}
        stranger = bench.start("stranger")
        assert await asyncio.to_thread(stranger.wait, 60) == 2
        assert "Traceback" not in stranger.tail()
        assert "wrong" not in stranger.tail()
        assert kafka.with_password["sasl_password"] not in bench.workers["worker"].tail()
    finally:
        bench.close()


async def test_a_broker_whose_certificate_nobody_we_trust_has_signed_is_refused(kafka):
    settings = {k: v for k, v in kafka.with_password.items() if k != "ssl_cafile"}
    with pytest.raises(DependencyUnavailable, match="did not answer"):
        async with Client(Settings(_env_file=None, **settings)):
            pass

"""What the adapter overrides or calls of Faust's insides, held against the installed Faust."""

import hashlib
import inspect

import faust
import pytest
from aiokafka.consumer.group_coordinator import GroupCoordinator
from faust.transport.drivers.aiokafka import AIOKafkaConsumerThread, Consumer, Transport

from streams.delivery.faust_adapter import (
    WorkerApp,
    WorkerConsumer,
    WorkerConsumerThread,
    WorkerTransport,
)

READ_ON = "0.15.3"
BASES = {
    WorkerApp: faust.App,
    WorkerConsumer: Consumer,
    WorkerConsumerThread: AIOKafkaConsumerThread,
    WorkerTransport: Transport,
}
CALLED = {
    Consumer: ("on_buffer_full", "stop_flow", "maybe_wait_for_commit_to_finish", "commit"),
    AIOKafkaConsumerThread: ("_ensure_consumer", "assignment"),
}
READ = ("_acked", "_acked_index", "_committed_offset")
"""Attributes of Faust's consumer that the adapter reads and writes."""

FINGERPRINTS = {
    "AIOKafkaConsumerThread._commit": "932852ce7a23",
    "AIOKafkaConsumerThread._create_worker_consumer": "c2701bfc3e6f",
    "AIOKafkaConsumerThread._ensure_consumer": "ff4a4c693b7e",
    "AIOKafkaConsumerThread._fetch_records": "39a2c6c79fc1",
    "AIOKafkaConsumerThread.assignment": "61f105132ae6",
    "App._consumer_wait_empty": "6bc313c48c06",
    "App._create_directories": "a9f571c3b04a",
    "App._new_transport": "42db531312dd",
    "Consumer._add_gap": "4df2573ded7c",
    "Consumer._commit_offsets": "1a6979904118",
    "Consumer._new_consumer_thread": "0870ec53dea7",
    "Consumer._new_offset": "1d2c7ea89a7a",
    "Consumer.commit": "a354437baaa0",
    "Consumer.maybe_wait_for_commit_to_finish": "d687f63a0b5e",
    "Consumer.on_buffer_drop": "4b57e8a418d5",
    "Consumer.on_buffer_full": "c8961679e0bc",
    "Consumer.on_partitions_revoked": "d04b7ae72c6f",
    "Consumer.stop_flow": "cf7e875a2b0d",
    "Consumer.verify_event_path": "a17e8f0610e1",
}


def test_aiokafka_still_says_whether_it_is_a_member():
    source = inspect.getsource(GroupCoordinator.reset_generation)
    assert "self.member_id = JoinGroupRequest.UNKNOWN_MEMBER_ID" in source, (
        "WorkerConsumerThread.is_expelled reads the coordinator's member id"
    )


def overridden() -> dict[str, object]:
    """Every method of Faust's that a class of the adapter replaces, found, not listed."""
    return {
        f"{base.__name__}.{name}": getattr(base, name)
        for ours, base in BASES.items()
        for name, member in vars(ours).items()
        if inspect.isfunction(member) and name != "__init__" and hasattr(base, name)
    }


def called() -> dict[str, object]:
    return {
        f"{base.__name__}.{name}": getattr(base, name)
        for base, names in CALLED.items()
        for name in names
    }


def fingerprint(method: object) -> str:
    return hashlib.sha256(inspect.getsource(method).encode()).hexdigest()[:12]


def test_every_override_has_a_fingerprint_and_no_fingerprint_is_left_over():
    assert set(FINGERPRINTS) == set(overridden()) | set(called())


@pytest.mark.parametrize("name", FINGERPRINTS)
def test_the_installed_faust_is_the_one_that_the_adapter_was_written_for(name: str):
    method = {**overridden(), **called()}.get(name)
    assert method is not None, f"faust {faust.__version__} has no {name}, which the adapter needs"
    assert fingerprint(method) == FINGERPRINTS[name], (
        f"faust {faust.__version__} changed {name} (the adapter was written for {READ_ON}): read "
        "it, correct streams/delivery/faust_adapter.py, then renew its fingerprint here"
    )


@pytest.mark.parametrize("attribute", READ)
def test_the_consumer_still_keeps_its_acks_where_the_adapter_looks(attribute: str):
    sources = [inspect.getsource(each) for each in inspect.getmro(Consumer)[:4]]
    assert any(f"self.{attribute}" in source for source in sources), (
        f"faust {faust.__version__} has no {attribute}: streams/delivery/faust_adapter.py needs it"
    )

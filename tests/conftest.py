"""The two brokers of the suite, each started once a session."""

from collections.abc import Iterator

import pytest

from streams.local.broker import TansuBroker
from tests.kafka_broker import KafkaBroker


@pytest.fixture(scope="session")
def tansu(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TansuBroker]:
    broker = TansuBroker(tmp_path_factory.mktemp("tansu")).start()
    yield broker
    broker.stop(grace=0.1)  # it keeps nothing, so there is nothing to wait for


@pytest.fixture(scope="session")
def kafka(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KafkaBroker]:
    broker = KafkaBroker(tmp_path_factory.mktemp("kafka")).start()
    yield broker
    broker.stop()


@pytest.fixture(scope="session", params=["tansu", pytest.param("kafka", marks=pytest.mark.kafka)])
def broker(request: pytest.FixtureRequest) -> TansuBroker | KafkaBroker:
    """The same test on both brokers."""
    return request.getfixturevalue(request.param)

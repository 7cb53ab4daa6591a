"""What many tests share: the two brokers, started once a session, and the cpu models."""

from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio

from agents.adapters.models import Models, in_process
from streams.local.broker import TansuBroker
from streams.settings import Settings
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


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def models() -> AsyncIterator[Models]:
    """The cpu models in this process, loaded once a module."""
    loaded = await in_process.load(Settings().model_repository)
    yield loaded
    await loaded.close()

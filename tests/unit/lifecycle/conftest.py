"""Real models, loaded once, and a chart on an index in memory."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from agents.adapters.models import Models, in_process
from tests.chart_topic import ChartTopic

REPOSITORY = Path(__file__).parents[3] / "triton_models" / "cpu"


@pytest_asyncio.fixture(loop_scope="session", scope="session")
async def models() -> AsyncIterator[Models]:
    found = await in_process.load(REPOSITORY)
    yield found
    await found.close()


@pytest.fixture
def chart(models: Models) -> ChartTopic:
    return ChartTopic(models)

"""A scripted server and a judge on it."""

from collections.abc import AsyncIterator, Iterator

import pytest

from agents.adapters.llm.openai_server import Endpoint, OpenAIModel
from tests.scripted_llm import ScriptedServer, by_words, judging


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer(judging(by_words)) as running:
        yield running


@pytest.fixture
async def llm(server: ScriptedServer) -> AsyncIterator[OpenAIModel]:
    found = OpenAIModel(Endpoint(server.url, "scripted", timeout_s=30))
    yield found
    await found.close()

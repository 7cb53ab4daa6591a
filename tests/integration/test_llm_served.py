"""The language-model port, the same suite on every adapter and on real servers.

SmolLM2-135M is served by llama.cpp over HTTP, and by Triton with the tensors of its vLLM backend.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
from pathlib import Path

import jsonschema
import pytest
import pytest_asyncio

from agents.adapters.llm.judge import JudgeOptions, LlmJudge
from agents.adapters.llm.judge_answer import Modes
from agents.adapters.llm.openai_server import Endpoint, OpenAIModel
from agents.adapters.llm.triton_vllm import TritonVllm
from agents.errors import DeadlineExceeded, DependencyUnavailable, ModelError
from agents.ports import LanguageModel, Message, ShownFact
from schemas.verdicts import Verdict
from streams.local.language_model import NAME, LlamaServer
from streams.local.triton import TritonServer, start_triton
from tests.scripted_llm import Reply, ScriptedServer

pytestmark = pytest.mark.asyncio(loop_scope="module")

REPOSITORY = Path(__file__).parents[2] / "triton_models" / "cpu_llm"
SCHEMA = {
    "type": "object",
    "properties": {
        "verdict": {"type": "string", "enum": ["supported", "not_supported"]},
        "n": {"type": "integer"},
    },
    "required": ["verdict", "n"],
    "additionalProperties": False,
}
ASK = [Message("system", "Answer with JSON."), Message("user", "Is the sky blue? <data>é</data>")]


@pytest.fixture(scope="module")
def llama(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LlamaServer]:
    server = LlamaServer(tmp_path_factory.mktemp("llama")).start()
    yield server
    server.stop()


@pytest.fixture(scope="module")
def scripted() -> Iterator[ScriptedServer]:
    with ScriptedServer(lambda _: Reply('{"verdict": "supported", "n": 1}')) as running:
        yield running


def over_http(url: str, timeout_s: float) -> OpenAIModel:
    return OpenAIModel(Endpoint(url, NAME, timeout_s=timeout_s, context_tokens=4096))


@pytest.fixture(scope="module")
def on_triton(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TritonServer]:
    log = tmp_path_factory.mktemp("triton-llm")
    with start_triton(REPOSITORY, log, models=("llm",)) as running:
        yield running


@pytest.fixture(scope="module", params=["scripted", "llama.cpp", "triton"])
def connect(request: pytest.FixtureRequest):
    """A client of the server with a deadline of so many seconds."""
    if request.param == "triton":
        url = request.getfixturevalue("on_triton").grpc_url
        return lambda timeout_s: TritonVllm(url, "llm", timeout_s=timeout_s, context_tokens=4096)
    server = request.getfixturevalue("llama" if request.param == "llama.cpp" else "scripted")
    return lambda timeout_s: over_http(server.url, timeout_s)


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def model(connect) -> AsyncIterator[LanguageModel]:
    found = connect(240.0)
    yield found
    await found.close()


async def test_the_canary_answers_and_the_version_is_the_models_name(model) -> None:
    await model.check()
    assert model.version in (NAME, "llm")


async def test_an_answer_is_of_the_schema(model) -> None:
    found = await model.complete(ASK, schema=SCHEMA, max_tokens=60)
    assert found.finish == "stop"
    jsonschema.validate(json.loads(found.text), SCHEMA)
    assert found.usage.prompt_tokens > 5
    assert 3 < found.usage.output_tokens <= 60
    assert found.usage.llm_calls == 1


async def test_log_probabilities_are_those_of_the_answer(model) -> None:
    found = await model.complete(ASK, schema=SCHEMA, max_tokens=60, logprobs=True)
    assert found.text.encode() in b"".join(token.token for token in found.tokens)
    assert all(token.logprob <= 0 for token in found.tokens)
    assert any(len(token.likeliest) > 0 for token in found.tokens)


async def test_without_being_asked_there_are_none(model) -> None:
    assert (await model.complete(ASK, schema=SCHEMA, max_tokens=60)).tokens == ()


async def test_the_same_question_at_no_temperature_has_the_same_answer(model) -> None:
    one, other = [await model.complete(ASK, schema=SCHEMA, max_tokens=60) for _ in range(2)]
    assert json.loads(one.text) == json.loads(other.text)


async def test_two_texts_at_once_both_have_answers(model) -> None:
    found = await asyncio.gather(
        *(model.complete(ASK, schema=SCHEMA, max_tokens=60) for _ in range(4))
    )
    for each in found:
        jsonschema.validate(json.loads(each.text), SCHEMA)


async def test_a_cancelled_question_leaves_the_server_to_others(model) -> None:
    task = asyncio.create_task(model.complete(ASK, max_tokens=400))
    await asyncio.sleep(0.05)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    await model.check()


async def test_a_deadline_that_nobody_can_meet_is_said(connect) -> None:
    hurried = connect(0.0001)
    with pytest.raises(DeadlineExceeded):
        await hurried.complete(ASK, max_tokens=200)
    await hurried.close()


async def test_a_truncated_answer_says_so(llama) -> None:
    model = over_http(llama.url, 240.0)
    found = await model.complete(ASK, schema=SCHEMA, max_tokens=3)
    assert found.finish == "length"
    await model.close()


async def test_a_prompt_beyond_the_context_is_refused_and_nothing_else_suffers(llama) -> None:
    model = over_http(llama.url, 240.0)
    with pytest.raises(ModelError):
        await model.complete([Message("user", "word " * 9_000)])
    await model.check()
    await model.close()


async def test_marks_of_the_chat_template_in_a_note_are_not_the_templates(llama) -> None:
    """A server reads `<|im_end|>` in a message as one token; ours never holds it."""
    model = over_http(llama.url, 240.0)
    raw = await model.complete([Message("user", "<|im_end|>" * 50)], max_tokens=1)
    assert raw.usage.prompt_tokens < 50 * 3
    judge = LlmJudge(model, JudgeOptions(Modes(False, False)))
    shown = ShownFact("a", "<|im_end|>" * 10, None, None, None, "d", 0.5)
    found = await judge.judge("Fever.", [shown])
    assert found.verdict in set(Verdict)
    await model.close()


async def test_a_judgement_of_the_small_model_is_whole(llama) -> None:
    """How well it judges is not asked: it has read 135 million parameters' worth."""
    model = over_http(llama.url, 240.0)
    judge = LlmJudge(model, JudgeOptions(Modes(reasoning=False, few_shot=False)))
    at = datetime(2031, 5, 4, tzinfo=UTC)
    facts = [
        ShownFact("a", "Takes aspirin 81 mg daily.", "Plan", at, "Progress note", "d", 0.9),
        ShownFact("b", "Denies chest pain.", "HPI", at, "Progress note", "d", 0.7),
    ]
    found = await judge.judge("Takes aspirin 81 mg daily.", facts, as_of=at)
    assert found.verdict in set(Verdict)
    assert 0.0 < found.confidence < 1.0
    assert set(found.cited) <= {"a", "b"}
    assert found.usage.llm_calls in (1, 2)
    await model.close()


async def test_a_server_that_was_restarted_is_found_again(tmp_path) -> None:
    server = LlamaServer(tmp_path).start()
    model = over_http(server.url, 240.0)
    await model.check()
    server.process.kill()
    with pytest.raises(DependencyUnavailable):
        await model.check()
    server.start()
    await model.check()
    server.stop()
    await model.close()


async def test_the_servers_log_holds_no_prompt(llama) -> None:
    model = over_http(llama.url, 240.0)
    await model.complete([Message("user", "zebrafinch")], max_tokens=2)
    assert "zebrafinch" not in llama.process.log.read_text()
    await model.close()

"""The OpenAI adapter against a real HTTP server: answers, errors, deadlines, cancellation."""

import asyncio
from collections.abc import Iterator

import pytest
from pydantic import SecretStr

from agents.adapters.llm.openai_server import Endpoint, OpenAIModel
from agents.adapters.llm.patience import PatientModel
from agents.errors import (
    DeadlineExceeded,
    DependencyOverloaded,
    DependencyUnavailable,
    ModelError,
)
from agents.ports import Message
from tests.scripted_llm import Reply, Request, ScriptedServer, until

HELLO = [Message("user", "Is it so?")]
SCHEMA = {
    "type": "object",
    "properties": {"said": {"type": "string", "maxLength": 9}},
    "required": ["said"],
    "additionalProperties": False,
}


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    """In place of the one that judges."""
    with ScriptedServer(lambda request: Reply("ready now")) as running:
        yield running


def endpoint(server: ScriptedServer, **more) -> Endpoint:
    return Endpoint(server.url, "some-model", **{"timeout_s": 20.0, **more})


@pytest.fixture
async def model(server: ScriptedServer):
    found = OpenAIModel(endpoint(server))
    yield found
    await found.close()


async def test_an_answer_has_text_tokens_counts_and_time(model, server) -> None:
    found = await model.complete(HELLO, logprobs=True)
    assert (found.text, found.finish) == ("ready now", "stop")
    assert b"".join(token.token for token in found.tokens) == b"ready now"
    assert found.usage.prompt_tokens == 3
    assert found.usage.output_tokens == 3
    assert found.usage.llm_calls == 1
    assert found.usage.seconds > 0


async def test_log_probabilities_are_asked_for_only_where_wanted(model, server) -> None:
    assert not (await model.complete(HELLO)).tokens
    assert "logprobs" not in server.requests[-1].body


@pytest.mark.parametrize(
    ("structured", "format_"),
    [
        ("json_schema", {"name": "answer", "schema": SCHEMA}),
        ("json_object", None),
        ("none", None),
    ],
)
async def test_an_answer_is_held_to_a_schema_as_the_server_can(server, structured, format_) -> None:
    model = OpenAIModel(endpoint(server, structured=structured))
    await model.complete(HELLO, schema=SCHEMA)
    asked = server.requests[-1].body.get("response_format", {})
    assert asked.get("json_schema") == format_
    assert asked.get("type") == (None if structured == "none" else structured)
    await model.close()


async def test_a_strict_schema_has_no_lengths_of_strings(server) -> None:
    model = OpenAIModel(endpoint(server, structured="strict"))
    await model.complete(HELLO, schema=SCHEMA)
    shape = server.requests[-1].body["response_format"]["json_schema"]
    assert shape["strict"] is True
    assert shape["schema"]["properties"] == {"said": {"type": "string"}}
    await model.close()


async def test_the_key_is_sent_and_not_printed(server) -> None:
    given = endpoint(server, key=SecretStr("sesame"))
    model = OpenAIModel(given)
    await model.complete(HELLO)
    assert server.requests[-1].headers["Authorization"] == "Bearer sesame"
    assert "sesame" not in repr(given)
    await model.close()


@pytest.mark.parametrize(
    ("status", "kind", "says"),
    [
        (429, DependencyOverloaded, "busy"),
        (503, DependencyOverloaded, "busy"),
        (500, DependencyUnavailable, "broken"),
        (502, DependencyUnavailable, "broken"),
        (504, DeadlineExceeded, "timed out"),
        (401, DependencyUnavailable, "CHARTPROOF_LLM_KEY"),
        (404, DependencyUnavailable, "CHARTPROOF_LLM_MODEL"),
        (400, ModelError, "refused"),
        (413, ModelError, "refused"),
    ],
)
async def test_a_status_is_the_error_that_says_what_to_do(
    model, server, status: int, kind: type[Exception], says: str
) -> None:
    server.script = lambda request: Reply(status=status)
    with pytest.raises(kind, match=says) as caught:
        await model.complete([Message("user", "Mrs. Example has anemia")])
    assert "anemia" not in str(caught.value)


async def test_a_server_that_is_not_there_is_unavailable(server) -> None:
    model = OpenAIModel(Endpoint("http://127.0.0.1:9/v1", "some-model"))
    with pytest.raises(DependencyUnavailable, match="CHARTPROOF_LLM_URL"):
        await model.complete(HELLO)
    await model.close()


async def test_a_connection_that_breaks_inside_an_answer_is_unavailable(model, server) -> None:
    server.script = lambda request: Reply("one two three", drop=2)
    with pytest.raises(DependencyUnavailable):
        await model.complete(HELLO)


async def test_slow_tokens_end_at_the_deadline_and_on_the_server_too(server) -> None:
    server.script = lambda request: Reply("a b c d e f g h " * 200, token_s=0.05)
    model = OpenAIModel(endpoint(server, timeout_s=0.3))
    with pytest.raises(DeadlineExceeded):
        await model.complete(HELLO)
    await until(lambda: server.closed == 1)
    await model.close()


async def test_who_is_cancelled_ends_the_answer_on_the_server(model, server) -> None:
    server.script = lambda request: Reply("a b c d e f g h " * 200, token_s=0.05)
    task = asyncio.create_task(model.complete(HELLO))
    await until(lambda: server.running == 1)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await until(lambda: server.closed == 1)


async def test_a_truncated_answer_and_a_refusal_are_told_apart(model, server) -> None:
    server.script = lambda request: Reply("{", finish="length")
    assert (await model.complete(HELLO)).finish == "length"
    server.script = lambda request: Reply("", refusal=True)
    assert (await model.complete(HELLO)).finish == "refused"
    server.script = lambda request: Reply("", finish="content_filter")
    assert (await model.complete(HELLO)).finish == "refused"


async def test_a_healthy_model_passes_its_canary_and_a_mute_one_does_not(model, server) -> None:
    await model.check()
    server.script = lambda request: Reply("")
    with pytest.raises(DependencyUnavailable):
        await model.check()
    server.script = lambda request: Reply(status=400)
    with pytest.raises(DependencyUnavailable):
        await model.check()


# Patience


class Overloads:
    """Refuses the first `n` requests as overloaded."""

    def __init__(self, n: int, **headers: str) -> None:
        self.left = n
        self.headers = headers

    def __call__(self, request: Request) -> Reply:
        self.left -= 1
        if self.left >= 0:
            return Reply(status=429, headers=self.headers)
        return Reply("ready")


async def test_overload_is_waited_out(model, server) -> None:
    server.script = Overloads(2, **{"Retry-After": "0.01"})
    patient = PatientModel(model, concurrent=1, overload_s=20)
    assert (await patient.complete(HELLO)).text == "ready"
    assert len(server.requests) == 3


async def test_overload_that_lasts_is_said(model, server) -> None:
    server.script = Overloads(99, **{"Retry-After": "30"})
    patient = PatientModel(model, concurrent=1, overload_s=1)
    with pytest.raises(DependencyOverloaded):
        await patient.complete(HELLO)
    assert len(server.requests) == 1


async def test_other_errors_are_not_repeated(model, server) -> None:
    server.script = lambda request: Reply(status=500)
    patient = PatientModel(model, concurrent=1, overload_s=20)
    with pytest.raises(DependencyUnavailable):
        await patient.complete(HELLO)
    assert len(server.requests) == 1


async def test_calls_at_the_same_time_are_bounded(model, server) -> None:
    server.script = lambda request: Reply("a b c", token_s=0.01)
    patient = PatientModel(model, concurrent=2, overload_s=1)
    await asyncio.gather(*(patient.complete(HELLO) for _ in range(8)))
    assert server.most_running == 2

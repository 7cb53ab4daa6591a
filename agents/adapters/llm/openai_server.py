"""A language model on any OpenAI-compatible server: vLLM, llama.cpp, TGI, Azure and others.

Answers are streamed, so that an answer that nobody waits for any more ends on the server too: both
vLLM and llama.cpp stop generating when the connection closes.
"""

from __future__ import annotations

import asyncio
import ssl
import time
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import httpx2
import openai
from openai.types.chat import ChatCompletionChunk
from openai.types.chat.chat_completion_token_logprob import ChatCompletionTokenLogprob
from pydantic import SecretStr

from agents.adapters.llm.canary import check_model
from agents.adapters.llm.errors import DEPENDENCY, Overloaded
from agents.errors import ChartproofError, DeadlineExceeded, DependencyUnavailable, ModelError
from agents.ports import Completion, Message, Token
from schemas.usage import Usage

Structured = Literal["json_schema", "strict", "json_object", "none"]
"""`json_schema`: vLLM, llama.cpp, TGI; `strict`: OpenAI and Azure, whose strict schemas know no
length of a string; `json_object`: JSON of any shape; `none`: the shape is asked for in words."""
LIKELIEST = 8
"""Tokens asked for at each place: the labels of a verdict begin with fewer."""
_MODEL = "llm"


@dataclass(frozen=True)
class Endpoint:
    """`url` ends with the API's version: `http://127.0.0.1:8000/v1`."""

    url: str
    model: str
    key: SecretStr | None = None
    ca_file: Path | None = None
    timeout_s: float = 120.0
    """Deadline of one request."""
    structured: Structured = "json_schema"
    """What the server can hold an answer to."""
    context_tokens: int = 8192


class OpenAIModel:
    """`version` names the model as the server does. Close it when done."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self.version = endpoint.model
        self.context_tokens = endpoint.context_tokens
        key = endpoint.key.get_secret_value() if endpoint.key else "none"
        self._client = openai.AsyncOpenAI(
            base_url=endpoint.url,
            api_key=key,
            timeout=endpoint.timeout_s,
            max_retries=0,
            # Notes do not pass through a proxy that the environment happens to name.
            http_client=httpx2.AsyncClient(
                verify=_verify(endpoint.ca_file),
                trust_env=False,
                # A server may close a connection that is kept at the moment it is used again.
                limits=httpx2.Limits(max_keepalive_connections=0),
            ),
        )

    async def check(self) -> None:
        await check_model(self)

    async def complete(  # noqa: PLR0913 - as the port says
        self,
        messages: Sequence[Message],
        *,
        schema: Mapping[str, Any] | None = None,
        max_tokens: int = 512,
        temperature: float = 0.0,
        seed: int = 0,
        logprobs: bool = False,
    ) -> Completion:
        request: dict[str, Any] = {
            "model": self._endpoint.model,
            "messages": [{"role": each.role, "content": each.content} for each in messages],
            "max_tokens": max_tokens,
            "temperature": temperature,
            "seed": seed,
            **self._format(schema),
        }
        if logprobs:
            request |= {"logprobs": True, "top_logprobs": LIKELIEST}
        started = time.perf_counter()
        with _mapped(self._endpoint):
            async with asyncio.timeout(self._endpoint.timeout_s), self._stream(request) as chunks:
                answer = _Answer()
                async for chunk in chunks:
                    answer.add(chunk)
        return answer.completion(time.perf_counter() - started)

    async def close(self) -> None:
        await self._client.close()

    @asynccontextmanager
    async def _stream(self, request: dict[str, Any]) -> AsyncIterator[Any]:
        stream = await self._client.chat.completions.create(
            **request, stream=True, stream_options={"include_usage": True}
        )
        try:
            yield stream
        finally:
            await stream.close()

    def _format(self, schema: Mapping[str, Any] | None) -> dict[str, Any]:
        if schema is None or self._endpoint.structured == "none":
            return {}
        if self._endpoint.structured == "json_object":
            return {"response_format": {"type": "json_object"}}
        strict = self._endpoint.structured == "strict"
        shape = {"name": "answer", "schema": without_lengths(schema) if strict else schema}
        if strict:
            shape["strict"] = True
        return {"response_format": {"type": "json_schema", "json_schema": shape}}


def without_lengths(schema: Any) -> Any:  # noqa: ANN401 - JSON
    """The schema without `maxLength`, which OpenAI's strict mode refuses."""
    if isinstance(schema, Mapping):
        return {
            name: without_lengths(given) for name, given in schema.items() if name != "maxLength"
        }
    return [without_lengths(each) for each in schema] if isinstance(schema, list) else schema


@dataclass
class _Answer:
    """What has come of a stream."""

    text: list[str] = field(default_factory=list)
    tokens: list[Token] = field(default_factory=list)
    finish: Literal["stop", "length", "refused"] | None = None
    prompt_tokens: int = 0
    output_tokens: int = 0

    def add(self, chunk: ChatCompletionChunk) -> None:
        if chunk.usage:
            self.prompt_tokens = chunk.usage.prompt_tokens
            self.output_tokens = chunk.usage.completion_tokens
        for choice in chunk.choices:
            self.text.append(choice.delta.content or "")
            if choice.logprobs and choice.logprobs.content:
                self.tokens += [_token(each) for each in choice.logprobs.content]
            if choice.delta.refusal or choice.finish_reason == "content_filter":
                self.finish = "refused"
            elif choice.finish_reason and self.finish is None:
                self.finish = "length" if choice.finish_reason == "length" else "stop"

    def completion(self, seconds: float) -> Completion:
        if self.finish is None:
            raise DependencyUnavailable(
                DEPENDENCY, "the language model's server ended an answer before its end"
            )
        usage = Usage(
            calls=1,
            llm_calls=1,
            prompt_tokens=self.prompt_tokens,
            output_tokens=self.output_tokens,
            seconds=seconds,
        )
        return Completion("".join(self.text), self.finish, tuple(self.tokens), usage)


def _token(given: ChatCompletionTokenLogprob) -> Token:
    return Token(
        _bytes(given.bytes, given.token),
        given.logprob,
        tuple((_bytes(each.bytes, each.token), each.logprob) for each in given.top_logprobs or ()),
    )


def _bytes(given: list[int] | None, token: str) -> bytes:
    return bytes(given) if given is not None else token.encode()


def _verify(ca_file: Path | None) -> ssl.SSLContext | bool:
    if ca_file is None:
        return True
    try:
        return ssl.create_default_context(cafile=str(ca_file))
    except OSError as error:
        raise ChartproofError(f"CHARTPROOF_LLM_CA_FILE: {error}") from None


@contextmanager
def _mapped(endpoint: Endpoint) -> Iterator[None]:
    """The client's errors as ours; `from None`: theirs may repeat the prompt."""
    url = endpoint.url
    try:
        yield
    except (TimeoutError, openai.APITimeoutError):
        message = f"the language model did not answer within {endpoint.timeout_s:g} s"
        raise DeadlineExceeded(DEPENDENCY, message) from None
    except openai.APIStatusError as error:
        raise _of_status(error.status_code, _retry_after(error), endpoint) from None
    except (openai.APIError, httpx2.HTTPError) as error:
        if isinstance(error, openai.APIError) and str(error.code)[:1] == "4":
            raise ModelError(_MODEL, "the language model's server refused a request") from None
        message = (
            f"the language model's server at {url} does not answer: start it (`chartproof up "
            "--llm` brings a small one), or set CHARTPROOF_LLM_URL"
        )
        raise DependencyUnavailable(DEPENDENCY, message) from None


def _of_status(status: int, retry_after: float | None, endpoint: Endpoint) -> ChartproofError:
    url, model = endpoint.url, endpoint.model
    if status in (429, 503, 529):
        return Overloaded("the language model's server is too busy", retry_after)
    if status in (401, 403):
        return DependencyUnavailable(
            DEPENDENCY, f"{url} does not accept our key ({status}): set CHARTPROOF_LLM_KEY"
        )
    if status == 404:
        return DependencyUnavailable(
            DEPENDENCY,
            f"{url} has no model {model}: set CHARTPROOF_LLM_MODEL to a name that "
            "it serves, and end CHARTPROOF_LLM_URL with the API's version (/v1)",
        )
    if status in (408, 504):
        return DeadlineExceeded(DEPENDENCY, f"the language model's server timed out ({status})")
    if status >= 500:
        return DependencyUnavailable(
            DEPENDENCY, f"the language model's server at {url} is broken ({status}): see its log"
        )
    return ModelError(_MODEL, f"the language model's server refused a request ({status})")


def _retry_after(error: openai.APIStatusError) -> float | None:
    """Seconds; dates (RFC 9110, section 10.2.3) are not used by these servers."""
    try:
        return float(error.response.headers.get("retry-after", ""))
    except ValueError:
        return None

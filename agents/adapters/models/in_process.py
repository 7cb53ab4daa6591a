"""The models hosted in this process: the classes that Triton serves, where Triton does not run.

They come from the same model repository and answer through the same `answer` methods, so what
passes the contract here passes it there. Each model has one thread, as it has one instance there.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from agents.adapters.models.bundle import Models, checked_models
from agents.adapters.models.transport import DEPENDENCY, MODELS, Columns, Tensors, checked
from agents.errors import DeadlineExceeded, DependencyUnavailable, ModelError


async def load(model_repository: Path, *, timeout_s: float = 30.0) -> Models:
    """The four models of `model_repository` (`triton_models/cpu`), after a canary of each.

    `timeout_s` is the deadline of every request. Raises `DependencyUnavailable`, which says which
    model is missing or broken.
    """
    served = {
        model: await asyncio.to_thread(load_model, model_repository, model) for model in MODELS
    }
    return await checked_models(InProcessTransport(served, timeout_s))


class InProcessTransport:
    """`served`: model name -> a loaded `ServedModel` of `chartproof_serving`."""

    def __init__(self, served: dict[str, Any], timeout_s: float) -> None:
        self._served = served
        self._timeout_s = timeout_s
        self._threads = {
            model: ThreadPoolExecutor(1, thread_name_prefix=f"model-{model}") for model in served
        }

    async def infer(self, model: str, columns: Columns, outputs: Sequence[str]) -> Tensors:
        served = self._served[model]
        names: tuple[str, ...] = served.inputs
        rows = list(zip(*(columns[name] for name in names), strict=True))
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(self._timeout_s):
                (answer,) = await loop.run_in_executor(self._threads[model], served.answers, [rows])
        except TimeoutError:
            raise DeadlineExceeded(
                DEPENDENCY, f"the model {model} did not answer within {self._timeout_s:g} s"
            ) from None
        if isinstance(answer, Exception):
            # The exception's own message may hold what the model was given.
            kind = type(answer).__name__
            raise ModelError(model, f"the model {model} refused its input: {kind}")
        return checked(model, answer, outputs, len(rows))

    async def close(self) -> None:
        """Queued requests are dropped; one that runs ends by itself."""
        for threads in self._threads.values():
            threads.shutdown(wait=False, cancel_futures=True)


def load_model(repository: Path, model: str) -> Any:  # noqa: ANN401 - the repository is not ours
    """A loaded `TritonPythonModel`, with its folder on the path as Triton's stub has it.

    `model` of it is the model itself. Raises `DependencyUnavailable`.
    """
    source = repository.resolve() / model / "1" / "model.py"
    if not source.is_file():
        raise DependencyUnavailable(DEPENDENCY, f"there is no model {model}: {source} is missing")
    if str(source.parent) not in sys.path:
        sys.path.append(str(source.parent))
    spec = spec_from_file_location(f"chartproof_hosted_{model}", source)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
        served = module.TritonPythonModel()
        served.initialize()
    except Exception as error:
        raise DependencyUnavailable(
            DEPENDENCY, f"the model {model} does not load: {type(error).__name__}: {error}"
        ) from error
    return served

"""The real Triton Inference Server on loopback, from the wheel `nvidia-pytriton`.

The wheel holds Triton and its Python backend for Linux x86-64 with glibc 2.35 or later, but leaves
the backend's stub (the process that runs a model) in a folder per Python version; Triton looks for
it beside the backend, so it is put there. Where the wheel is missing or does not run, this says so
with `ServiceFailed`, and the caller hosts the same models in-process.

Triton reports "ready" even when a model's stub has died, and never restarts one. Readiness here is
only about the start; health is a canary inference per model (`Models.check`),
and the remedy is a new Triton.
"""

from __future__ import annotations

import filecmp
import os
import re
import shutil
import sys
import sysconfig
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from http.client import HTTPConnection
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import Self

from streams.local.ports import LOOPBACK, free_port
from streams.local.process import INSTALL, ChildProcess, ServiceFailed

MODELS = ("embedder", "reranker", "decomposer", "judge")
START_SECONDS = 60.0
STOP_SECONDS = 8.0
EXIT_TIMEOUT_SECONDS = 5
"""How long Triton itself waits on SIGTERM for inferences in flight."""
ERROR_LINES = 5
STUB = "triton_python_backend_stub"
TRACE_HEADERS = "(?i)(traceparent|x-.*)"


class TritonServer:
    """A Triton process on free loopback ports.

    `grpc_url` is what `agents.adapters.models.triton.connect` takes (host:port); `http_url` and
    `metrics_url` are for people.
    """

    def __init__(
        self, model_repository: Path, log_dir: Path, *, models: Sequence[str] = MODELS
    ) -> None:
        home = _triton_home()
        self._http, self._grpc, self._metrics = free_port(), free_port(), free_port()
        self.grpc_url = f"{LOOPBACK}:{self._grpc}"
        self.http_url = f"http://{LOOPBACK}:{self._http}"
        self.metrics_url = f"http://{LOOPBACK}:{self._metrics}/metrics"
        self.models = tuple(models)
        self._home = home
        argv = [str(home / "bin/tritonserver"), *self._arguments(model_repository)]
        self.process = ChildProcess(
            "Triton", argv, log=log_dir / "triton.log", env=_python_environment()
        )

    def _arguments(self, repository: Path) -> Iterator[str]:
        yield f"--model-repository={repository.resolve()}"
        # Only the models asked for, whatever else lies in the folder.
        yield "--model-control-mode=explicit"
        yield from (f"--load-model={model}" for model in self.models)
        yield "--disable-auto-complete-config"
        yield f"--backend-directory={self._home / 'backends'}"
        yield f"--cache-directory={self._home / 'caches'}"
        for service, port in (("http", self._http), ("grpc", self._grpc)):
            yield f"--{service}-address={LOOPBACK}"
            yield f"--{service}-port={port}"
        yield f"--metrics-address={LOOPBACK}"
        yield f"--metrics-port={self._metrics}"
        yield f"--exit-timeout-secs={EXIT_TIMEOUT_SECONDS}"
        yield f"--grpc-header-forward-pattern={TRACE_HEADERS}"

    def start(self, *, deadline: float = START_SECONDS) -> Self:
        """Returns once all models are loaded. Raises `ServiceFailed`, which says what to do."""
        _install_stub(self._home)
        try:
            self.process.start(self.ready, deadline=deadline)
        except (ServiceFailed, OSError) as error:
            given = str(error).partition("\n")[0]
            raise ServiceFailed(
                f"{given} Its log is {self.process.log}.\n{_errors(self.process.log)}"
            ) from error
        return self

    def ready(self) -> bool:
        """Whether Triton has loaded its models. Says nothing about whether they still live."""
        connection = HTTPConnection(LOOPBACK, self._http, timeout=1.0)
        with closing(connection):
            connection.request("GET", "/v2/health/ready")
            return connection.getresponse().status == 200

    def healthy(self) -> bool:
        """Whether Triton runs and each model has a living stub. If not, stop it and start anew.

        A model that lives and answers nonsense, or hangs, is found by its canary only.
        """
        return self.process.alive and set(self.models) <= self.stubs().keys()

    def stubs(self) -> dict[str, int]:
        """Model -> pid of its living stub."""
        result: dict[str, int] = {}
        for folder in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):  # it ended while we looked
                if _is_child(folder, self.process.pid):
                    command = (folder / "cmdline").read_bytes().decode().split("\0")
                    if command[0].endswith(STUB):
                        # argv[1] is <repository>/<model>/<version>/model.py
                        result[Path(command[1]).parents[1].name] = int(folder.name)
        return result

    def stop(self, *, grace: float = STOP_SECONDS) -> None:
        self.process.stop(grace=grace)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()


def start_triton(
    model_repository: Path,
    log_dir: Path,
    *,
    models: Sequence[str] = MODELS,
    deadline: float = START_SECONDS,
) -> TritonServer:
    """A running Triton with these models loaded. Raises `ServiceFailed`, which says what to do."""
    return TritonServer(model_repository, log_dir, models=models).start(deadline=deadline)


def _triton_home() -> Path:
    """The `tritonserver` folder of the wheel; found without importing it."""
    spec = find_spec("pytriton")
    if spec is None or not spec.submodule_search_locations:
        raise ServiceFailed(
            f"Triton is not installed (Linux x86-64 only): {INSTALL}; or host the models "
            "in-process, or name a Triton server"
        )
    return Path(next(iter(spec.submodule_search_locations))) / "tritonserver"


def _python_environment() -> dict[str, str]:
    """What makes the stub run our Python: the venv's bin first on PATH, and its libpython."""
    libraries = str(sysconfig.get_config_var("LIBDIR") or "")
    return {
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.defpath]),
        "LD_LIBRARY_PATH": libraries,
        # One thread each for what numpy does; ONNX Runtime has its own pool.
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
    }


def _install_stub(home: Path) -> None:
    """Put this Python's stub beside the Python backend, unless it is there.

    Copied under another name and renamed, so that two processes can do it at once and a Triton
    that runs already keeps its own copy.
    """
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    source = home / "python_backend_stubs" / version / STUB
    target = home / "backends/python" / STUB
    if not source.exists():
        raise ServiceFailed(f"the Triton wheel has no stub for Python {version}")
    if target.exists() and filecmp.cmp(source, target, shallow=False):
        return
    partial = target.with_name(f".{STUB}.{os.getpid()}.{time.monotonic_ns()}")
    try:
        shutil.copyfile(source, partial)
        partial.chmod(0o755)
        partial.replace(target)
    except OSError as error:
        raise ServiceFailed(
            f"cannot put Triton's Python stub into {target.parent}: {error.strerror}. Make the "
            "folder writable, or host the models in-process"
        ) from error


def _is_child(folder: Path, parent: int | None) -> bool:
    """Whether /proc/<pid> is a living child of `parent` (proc(5), `stat`: state, then ppid)."""
    state, ppid = (folder / "stat").read_text().rpartition(")")[2].split()[:2]
    return state != "Z" and int(ppid) == parent


def _errors(log: Path) -> str:
    """The last lines of Triton's log that it marks as errors (they start with E and the date)."""
    lines = log.read_text(errors="replace").splitlines() if log.exists() else []
    return "\n".join([line for line in lines if re.match(r"E\d{4} ", line)][-ERROR_LINES:])

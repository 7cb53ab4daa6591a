"""The embedded stack: Tansu, Milvus Lite and Triton on loopback, started and stopped together.

Where Triton's wheel does not run, the same model classes are hosted in the worker's process.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.request import ProxyHandler, build_opener

from streams.local.broker import TansuBroker
from streams.local.language_model import CONTEXT_TOKENS, NAME, SLOTS, LlamaServer
from streams.local.milvus import MilvusLite
from streams.local.ports import LOOPBACK, free_port
from streams.local.process import ChildProcess, ServiceFailed
from streams.local.triton import TritonServer
from streams.settings import CompleteSettings, Settings

LITE_SPREAD = 32
"""Milvus Lite scans a collection, so patients are spread over many (see DESIGN, section 5)."""
LOCAL_PARTITIONS = 4
WORKER_START_SECONDS = 60.0
WORKER_STOP_SECONDS = 50.0
"""More than a worker gives itself (`Tuning.stop_seconds`)."""
SERVICE_STOP_SECONDS = 8.0
"""Tansu takes about 5 s on SIGTERM."""


class Stack:
    """`settings` are what a worker or client of this stack needs. Logs and data lie in `folder`.

    `kafka` (host:port) is a broker that runs already, to be used instead of Tansu; `llm` starts a
    small language model; `changes` are settings that are not as by default. The environment has
    no say.
    """

    def __init__(
        self,
        folder: Path,
        *,
        kafka: str | None = None,
        llm: bool = False,
        **changes: Any,  # noqa: ANN401
    ) -> None:
        self.folder = folder
        self.llm = LlamaServer(folder) if llm else None
        tansu = TansuBroker(folder)
        self.broker = None if kafka else tansu
        self.bootstrap = kafka or tansu.bootstrap
        self.milvus = MilvusLite(folder / "milvus", folder)
        self.triton: TritonServer | None = None
        self.triton_failure: str | None = None
        """Why the models run in the worker's process."""
        self._changes = changes
        self._children = [self.milvus.process]
        if self.broker:
            self._children.append(self.broker.process)
        if self.llm:
            self._children.append(self.llm.process)
        self._workers: list[tuple[ChildProcess, Callable[[], bool]]] = []
        self._lock = threading.Lock()
        self._retired = False

    def start(self) -> Self:
        """Start the three at once; returns when all are ready. Raises `ServiceFailed`."""
        try:
            with ThreadPoolExecutor() as pool:
                started = [pool.submit(start) for start in self._starts()]
            for each in started:
                each.result()
        except BaseException:
            self.stop()
            raise
        return self

    def _starts(self) -> tuple[Callable[[], object], ...]:
        services: list[Callable[[], object]] = [self.milvus.start, self._start_triton]
        return (*services, *(each.start for each in (self.broker, self.llm) if each))

    def _start_triton(self) -> None:
        try:
            triton = TritonServer(self.settings.model_repository, self.folder)
            self._adopt(triton.process)
            self.triton = triton.start()
        except ServiceFailed as error:
            self.triton_failure = str(error)

    def _adopt(self, process: ChildProcess) -> None:
        """It is stopped with the stack, also where that is being done just now."""
        with self._lock:
            self._children.append(process)
            if self._retired:
                process.retire()

    @property
    def settings(self) -> Settings:
        result = self._changes | {
            "broker": self.bootstrap,
            "topic_partitions": LOCAL_PARTITIONS,
            "milvus_uri": self.milvus.uri,
            "milvus_spread": LITE_SPREAD,
            "models": "triton" if self.triton else "in-process",
            "session_timeout_s": 6.0,
            "producer_max_batch_bytes": 1,
            "fetch_max_wait_ms": 10,
        }
        if self.triton:
            result["triton_url"] = self.triton.grpc_url
        if self.llm:
            result |= {
                "llm_url": self.llm.url,
                "llm_model": NAME,
                "llm_context_tokens": CONTEXT_TOKENS,
                "llm_concurrent": SLOTS,
            }
        return CompleteSettings(**result)

    @property
    def environment(self) -> dict[str, str]:
        """The settings as environment variables: all of them, so that no other has a say."""
        return self.settings.environment()

    def start_worker(self) -> ChildProcess:
        """A worker process of this stack; returns when it is ready. Raises `ServiceFailed`."""
        port = free_port()
        worker = ChildProcess(
            "worker",
            [sys.executable, "-m", "streams.cli.main", "worker"],
            log=self.folder / f"worker-{len(self._workers)}.log",
            env=self.environment | {"CHARTPROOF_METRICS_PORT": str(port)},
        )
        self._adopt(worker)
        opener = build_opener(ProxyHandler({}))

        def ready() -> bool:
            with opener.open(f"http://{LOOPBACK}:{port}/ready", timeout=1.0) as response:
                return int(response.status) == 200

        self._workers.append((worker, ready))
        return worker.start(ready, deadline=WORKER_START_SECONDS)

    def heal(self) -> list[str]:
        """Start anew what died, on the same ports; returns the names. Workers wait meanwhile.

        Raises `ServiceFailed` when Tansu died: it keeps nothing, so there is nothing to go on with.
        """
        if self.broker and not self.broker.process.alive:
            raise ServiceFailed(
                f"Tansu ended, and its topics with it.\n{self.broker.process.tail()}"
            )
        healed = []
        if not self.milvus.process.alive:
            self.milvus.start()
            healed.append("Milvus Lite")
        if self.llm and not self.llm.process.alive:
            self.llm.start()
            healed.append("the language model")
        # Triton reports ready although a model's process died, and never restarts one.
        if self.triton and not self.triton.healthy():
            self.triton.stop()
            self.triton.start()
            healed.append("Triton")
        for worker, ready in self._workers:
            if not worker.alive:
                worker.start(ready, deadline=WORKER_START_SECONDS)
                healed.append("the worker")
        return healed

    def stop(self) -> None:
        """Stop everything, for good: workers first, so that they finish what they do.

        What another thread is starting meanwhile is ended too, and that thread told so.
        """
        with self._lock:
            self._retired = True
            children = tuple(self._children)
        for child in children:
            child.retire()
        workers = [worker for worker, _ in self._workers]
        for processes, grace in (
            (workers, WORKER_STOP_SECONDS),
            ([child for child in children if child not in workers], SERVICE_STOP_SECONDS),
        ):
            with ThreadPoolExecutor() as pool:
                for stopping in [pool.submit(each.stop, grace=grace) for each in processes]:
                    stopping.result()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

"""The embedded stack: Tansu, Milvus Lite and Triton on loopback, started and stopped together.

Where Triton's wheel does not run, the same model classes are hosted in the worker's process.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.request import ProxyHandler, build_opener

from streams.local.broker import TansuBroker
from streams.local.milvus import MilvusLite
from streams.local.ports import LOOPBACK, free_port
from streams.local.process import ChildProcess, ServiceFailed
from streams.local.triton import TritonServer
from streams.settings import Settings

LITE_SPREAD = 32
"""Milvus Lite scans a collection, so patients are spread over many (see DESIGN, section 5)."""
LOCAL_PARTITIONS = 4
WORKER_START_SECONDS = 60.0
WORKER_STOP_SECONDS = 50.0
"""More than a worker gives itself (`Tuning.stop_seconds`)."""


class Stack:
    """`settings` are what a worker or client of this stack needs. Logs and data lie in `folder`.

    `kafka` (host:port) is a broker that runs already, to be used instead of Tansu.
    """

    def __init__(self, folder: Path, *, kafka: str | None = None) -> None:
        self.folder = folder
        tansu = TansuBroker(folder)
        self.broker = None if kafka else tansu
        self.bootstrap = kafka or tansu.bootstrap
        self.milvus = MilvusLite(folder / "milvus", folder)
        self.triton: TritonServer | None = None
        self.triton_failure: str | None = None
        self._workers: list[tuple[ChildProcess, Callable[[], bool]]] = []

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
        services = (self.milvus.start, self._start_triton)
        return (self.broker.start, *services) if self.broker else services

    def _start_triton(self) -> None:
        try:
            self.triton = TritonServer(Settings().model_repository, self.folder).start()
        except ServiceFailed as error:
            self.triton_failure = str(error)

    @property
    def environment(self) -> dict[str, str]:
        """The settings as environment variables."""
        said = {
            "CHARTPROOF_BROKER": self.bootstrap,
            "CHARTPROOF_TOPIC_PARTITIONS": str(LOCAL_PARTITIONS),
            "CHARTPROOF_MILVUS_URI": self.milvus.uri,
            "CHARTPROOF_MILVUS_SPREAD": str(LITE_SPREAD),
            "CHARTPROOF_MODELS": "triton" if self.triton else "in-process",
            "CHARTPROOF_SESSION_TIMEOUT_S": "6",
            "CHARTPROOF_PRODUCER_MAX_BATCH_BYTES": "1",
            "CHARTPROOF_FETCH_MAX_WAIT_MS": "10",
        }
        if self.triton:
            said["CHARTPROOF_TRITON_URL"] = self.triton.grpc_url
        return said

    @property
    def settings(self) -> Settings:
        names = {key.removeprefix("CHARTPROOF_").lower(): v for key, v in self.environment.items()}
        return Settings.model_validate(names)

    def start_worker(self) -> ChildProcess:
        """A worker process of this stack; returns when it is ready. Raises `ServiceFailed`."""
        port = free_port()
        worker = ChildProcess(
            "worker",
            [sys.executable, "-m", "streams.cli", "worker"],
            log=self.folder / f"worker-{len(self._workers)}.log",
            env=self.environment | {"CHARTPROOF_METRICS_PORT": str(port)},
        )
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
        """Stop everything that was started: workers first, so that they finish what they do."""
        for worker, _ in self._workers:
            worker.stop(grace=WORKER_STOP_SECONDS)
        with ThreadPoolExecutor() as pool:
            services = (self.broker, self.milvus, self.triton)
            for stopping in [pool.submit(each.stop) for each in services if each]:
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

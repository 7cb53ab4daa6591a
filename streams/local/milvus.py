"""Milvus Lite, the vector database of the embedded stack, as a server process of its own.

One worker thread: Lite takes concurrent writers on one collection without complaint and spoils its
log, and a lock in our process does not reach other workers. Its Python holds the interpreter lock
anyway: 40 searches at once took 0.26 s with one thread and 0.40 s with ten.

Data survive a restart, SIGKILL included. They are notes' text in the clear, so the folder is ours
alone.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

from streams.local.ports import LOOPBACK, free_port, listening
from streams.local.process import INSTALL, ChildProcess, ServiceFailed

START_SECONDS = 60.0
STOP_SECONDS = 5.0
MEMTABLE_BYTES = 256 * 1024
"""Rows that are not flushed cost about 95 µs each in every query; the default is 128 MB."""


class MilvusLite:
    """A Milvus Lite process on a free loopback port. `uri` is what clients connect to."""

    def __init__(self, data_dir: Path, log_dir: Path, *, port: int | None = None) -> None:
        self._data_dir = data_dir
        self.port = port or free_port()
        self.uri = f"http://{LOOPBACK}:{self.port}"
        self.process = ChildProcess(
            "Milvus Lite",
            [sys.executable, "-m", "milvus_lite", "server", "--data-dir", str(data_dir),
             "--host", LOOPBACK, "--port", str(self.port), "--max-workers", "1"],
            log=log_dir / "milvus.log",
            env={"MILVUS_LITE_MEMTABLE_MEMORY_LIMIT_BYTES": str(MEMTABLE_BYTES)},
        )  # fmt: skip

    def start(self) -> MilvusLite:
        """Returns once it accepts connections. Raises `ServiceFailed`."""
        if find_spec("milvus_lite") is None:
            raise ServiceFailed(f"Milvus Lite is not installed: {INSTALL}; or name a Milvus server")
        self._data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.process.start(lambda: listening(self.port), deadline=START_SECONDS)
        return self

    def stop(self, *, grace: float = STOP_SECONDS) -> None:
        self.process.stop(grace=grace)

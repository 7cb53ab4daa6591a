"""One child process of the embedded stack: started with a deadline, health-checked, stopped.

Broker, Milvus Lite and Triton are all run by this. It is synchronous, so a pytest fixture and a
CLI can both use it; from a coroutine call it through `asyncio.to_thread`.

A child gets its own session (and so its own process group): Ctrl-C in the terminal reaches only
us, and we stop the services in order; and whatever the child itself started (Triton's Python
stubs) is ended with it.
"""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

POLL_SECONDS = 0.05
TAIL_LINES = 20


INSTALL = "`make install`, or `pip install -e '.[local]'` in the checkout"


class ServiceFailed(RuntimeError):
    """A service ended early or was not ready in time; the message ends with its last log lines."""


class ChildProcess:
    """A service process. `log` is a file that takes its stdout and stderr.

    `env` is added to the environment that the child inherits (it is handed over with env(1), so
    nothing here reads our own environment).
    """

    def __init__(
        self,
        name: str,
        argv: Sequence[str],
        *,
        log: Path,
        env: Mapping[str, str] | None = None,
        cwd: Path | None = None,
    ) -> None:
        self.name = name
        self.log = log
        assignments = [f"{key}={value}" for key, value in (env or {}).items()]
        self._argv = ["env", *assignments, *argv] if assignments else list(argv)
        self._cwd = cwd
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()
        self._retired = False

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    @property
    def returncode(self) -> int | None:
        """None while it runs or before it was started; -N when signal N ended it."""
        return self._process.poll() if self._process else None

    @property
    def alive(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def start(self, ready: Callable[[], bool] | None = None, *, deadline: float = 30.0) -> Self:
        """Start it and wait until `ready()` is true, at most `deadline` seconds.

        An OSError from `ready` means "not yet". Raises `ServiceFailed`, with nothing left running,
        when the process ends first or the deadline passes.
        """
        if self.alive:
            raise ServiceFailed(f"{self.name} is running already")
        self.log.parent.mkdir(parents=True, exist_ok=True)
        with self._lock, self.log.open("ab") as output:
            if self._retired:
                raise ServiceFailed(f"{self.name} is being stopped")
            self._process = subprocess.Popen(  # noqa: S603 - argv is ours, no shell
                self._argv,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                cwd=self._cwd,
                start_new_session=True,
            )
        try:
            self._wait_ready(ready, time.monotonic() + deadline, deadline)
        except BaseException:
            self.stop(grace=1.0)
            raise
        return self

    def _wait_ready(self, ready: Callable[[], bool] | None, until: float, deadline: float) -> None:
        while ready is not None:
            if not self.alive:
                raise ServiceFailed(
                    f"{self.name} ended at start with code {self.returncode}.\n{self.tail()}"
                )
            with suppress(OSError):
                if ready():
                    return
            if time.monotonic() > until:
                raise ServiceFailed(
                    f"{self.name} was not ready within {deadline:g} s.\n{self.tail()}"
                )
            time.sleep(POLL_SECONDS)

    def tail(self, lines: int = TAIL_LINES) -> str:
        """The last lines of its log."""
        if not self.log.exists():
            return ""
        with self.log.open("r", errors="replace") as output:
            return "".join(deque(output, maxlen=lines))

    def send_signal(self, number: signal.Signals) -> None:
        """Signal the process itself (not its children)."""
        if self._process is not None:
            self._process.send_signal(number)

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end; returns the exit code. Raises `subprocess.TimeoutExpired`."""
        if self._process is None:
            raise ServiceFailed(f"{self.name} was never started")
        return self._process.wait(timeout)

    def retire(self) -> None:
        """Never start again, also where a thread is about to. What runs goes on until `stop`."""
        with self._lock:
            self._retired = True

    def stop(self, *, grace: float = 10.0) -> int | None:
        """SIGTERM, then SIGKILL after `grace` seconds; then SIGKILL for what it left behind.

        Returns the exit code; None when it was never started. Safe to call twice.
        """
        if self._process is None:
            return None
        if self._process.poll() is None:
            self._process.terminate()
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(grace)
        self.kill()
        return self._process.returncode

    def kill(self) -> None:
        """SIGKILL for the process and all of its group, at once."""
        if self._process is None:
            return
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

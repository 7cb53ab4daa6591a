"""The bounds of one fetch, in one place."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """Times in seconds, sizes in bytes."""

    max_bytes: int = 32 * 1024 * 1024
    """Of the attachment, decompressed and out of its Binary: a scanned PDF has some megabytes."""
    connect_s: float = 5.0
    read_s: float = 15.0
    """Longest silence of a server that has been asked."""
    total_s: float = 60.0
    """Of one fetch with its redirects, retries and waits, from the time its turn has come."""
    attempts: int = 3
    backoff_s: float = 0.25
    """Before the second attempt; twice as long before each next one."""
    retry_after_s: float = 5.0
    """Longest `Retry-After` that is waited for here; a longer one is the caller's to wait."""
    redirects: int = 3
    concurrency: int = 8
    """Requests that one base has at a time; further fetches wait for their turn."""
    keep_alive: bool = False
    """Use a connection again. Off: behind a body longer than its Content-Length, the next answer on
    the connection would be read from what was left over, so one patient's note as another's."""

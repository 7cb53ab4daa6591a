"""The numbers of delivery, and the hooks by which metrics watch it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from schemas.topics import MAX_INBOUND_BYTES, MIB


@dataclass(frozen=True)
class DeliveryPolicy:
    """Seconds, bytes and counts of one stage's delivery."""

    max_in_flight: int = 64
    """Handlers that run at once in this stage."""
    max_buffered: int = 1000
    """Records of one partition that wait in lanes before its fetching stops."""
    max_buffered_bytes: int = 64 * MIB
    """Their bytes; at least two of the largest inbound records."""
    max_event_bytes: int = MAX_INBOUND_BYTES
    """A larger value becomes a dead letter unread."""
    backoff_base: float = 0.2
    backoff_cap: float = 30.0
    unknown_error_attempts: int = 3
    """How often a record may end in an exception that is in no table before it is given up."""
    drain_seconds: float = 20.0
    """How long running handlers may take at a rebalance or stop; well under the rebalance
    timeout (60 s), or the group goes on without this worker."""


class DeliveryObserver(Protocol):
    """What metrics may count. Labels are bounded; no key, offset or id gets here."""

    def consumed(self, stage: str, outcome: str) -> None:
        """A record came to its end: `handled` or `dead_lettered`."""

    def retried(self, dependency: str) -> None:
        """A transient error will be retried."""

    def dead_lettered(self, stage: str, reason: str) -> None: ...

    def in_progress(self, stage: str, change: int) -> None:
        """+1 when work on a record begins, -1 when it ends or is given up."""


class Unobserved:
    """An observer that looks away."""

    def consumed(self, stage: str, outcome: str) -> None: ...

    def retried(self, dependency: str) -> None: ...

    def dead_lettered(self, stage: str, reason: str) -> None: ...

    def in_progress(self, stage: str, change: int) -> None: ...

"""Dead letters: the original bytes as the record's value, the cause in its headers.

The value is what was read, byte for byte, so a replay is a copy and a megabyte stays a megabyte
(Kafka Connect's dead letter queue does the same). The key is the original key. A header is written
only when there is something to say.
"""

from __future__ import annotations

from datetime import datetime
from typing import Self

from pydantic import AwareDatetime, Field

from schemas.events import Frozen, Position, deterministic_id


class DeadLetter(Frozen):
    """The headers of a dead letter; names on the wire are these with the prefix `cp_`."""

    source: Position
    stage: str = Field(description="Which agent gave up: intake, chart, alerter")
    reason: str = Field(description="A code of the table of reasons in docs/intake.md")
    detail: str = Field(description="What is wrong and what to do; never note text or patient ids")
    occurred_at: AwareDatetime
    attempts: int = Field(1, ge=1)

    @property
    def event_id(self) -> str:
        return deterministic_id("dead-letter", self.source.model_dump(), self.stage)

    def headers(self) -> dict[str, bytes]:
        values = {
            "ce_specversion": "1.0",
            "ce_id": self.event_id,
            "ce_type": "chartproof.dead-letter.v1",
            "ce_source": "urn:chartproof",
            "ce_time": self.occurred_at.isoformat(),
            "cp_topic": self.source.topic,
            "cp_partition": str(self.source.partition),
            "cp_offset": str(self.source.offset),
            "cp_stage": self.stage,
            "cp_reason": self.reason,
            "cp_detail": self.detail,
            "cp_attempts": str(self.attempts),
        }
        return {name: value.encode() for name, value in values.items()}

    @classmethod
    def from_headers(cls, headers: dict[str, bytes]) -> Self:
        """Read a dead letter back. Raises `ValueError` when the record is not a dead letter."""
        try:
            given = {name: value.decode() for name, value in headers.items()}
            return cls(
                source=Position(
                    topic=given["cp_topic"],
                    partition=int(given["cp_partition"]),
                    offset=int(given["cp_offset"]),
                ),
                stage=given["cp_stage"],
                reason=given["cp_reason"],
                detail=given["cp_detail"],
                attempts=int(given["cp_attempts"]),
                occurred_at=datetime.fromisoformat(given["ce_time"]),
            )
        except (KeyError, UnicodeDecodeError) as error:
            raise ValueError(f"not a dead letter: {error!r}") from error

"""The alerter: one record of the `verdicts` topic at a time."""

from __future__ import annotations

from dataclasses import dataclass

from agents.alert.policy import raise_alert
from agents.events import read_event
from agents.ports import Clock, Emit, Record
from schemas.topics import VERDICTS
from schemas.verdicts import VerdictIssued


@dataclass(frozen=True)
class Alerter:
    clock: Clock

    async def handle(self, record: Record, emit: Emit) -> None:
        event = read_event(VERDICTS, record.value)
        if isinstance(event, VerdictIssued):
            await raise_alert(event, self.clock, emit)

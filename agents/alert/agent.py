"""The alerter: one record of the `verdicts` topic at a time."""

from __future__ import annotations

from dataclasses import dataclass, field

from agents.alert.policy import AlertPolicy, alert_of, read_policy
from agents.events import read_event
from agents.ports import Clock, Emit, Record
from schemas.topics import VERDICTS
from schemas.verdicts import VerdictIssued

REMEMBERED = 10_000
"""Ids of alerts that are not published twice; about 1 MB. A lost one costs a repeat of an id."""


@dataclass(frozen=True)
class Alerter:
    """A statement that a text repeats raises one alert: repeats have its id (`AlertRaised`).

    The ids are remembered only to save consumers the repeats; a restart forgets them.
    """

    clock: Clock
    policy: AlertPolicy = field(default_factory=read_policy)
    _published: dict[str, None] = field(default_factory=dict, init=False, repr=False)

    async def handle(self, record: Record, emit: Emit) -> None:
        event = read_event(VERDICTS, record.value)
        if not isinstance(event, VerdictIssued):
            return
        alert = alert_of(event, self.policy, self.clock.now())
        if alert is None or alert.event_id in self._published:
            return
        await emit(alert)
        self._published[alert.event_id] = None
        if len(self._published) > REMEMBERED:
            del self._published[next(iter(self._published))]

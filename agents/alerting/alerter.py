"""The alerter: one record of the `verdicts` or the `scoresheets` topic at a time."""

from __future__ import annotations

from dataclasses import dataclass, field

from agents.alerting.policy import AlertPolicy, alert_of, read_policy, text_alert_of
from agents.events import read_event
from agents.ports import Clock, Emit, Record
from schemas.alerts import AlertRaised, TextAlertRaised
from schemas.topics import SCORESHEETS, VERDICTS
from schemas.verdicts import ScoreSheetIssued, VerdictIssued

REMEMBERED = 10_000
"""Ids of alerts that are not published twice; about 1 MB. A lost one costs a repeat of an id."""


@dataclass(frozen=True)
class Alerter:
    """A statement or a text that is repeated raises one alert: repeats have its id.

    The ids are remembered only to save consumers the repeats; a restart forgets them.
    """

    clock: Clock
    policy: AlertPolicy = field(default_factory=read_policy)
    _published: dict[str, None] = field(default_factory=dict, init=False, repr=False)

    async def verdict(self, record: Record, emit: Emit) -> None:
        """An alert at once, where the policy says so."""
        event = read_event(VERDICTS, record.value)
        if isinstance(event, VerdictIssued):
            await self._publish(alert_of(event, self.policy, self.clock.now()), emit)

    async def score_sheet(self, record: Record, emit: Emit) -> None:
        """The one alert of a text."""
        event = read_event(SCORESHEETS, record.value)
        if isinstance(event, ScoreSheetIssued):
            await self._publish(text_alert_of(event, self.policy, self.clock.now()), emit)

    async def _publish(self, alert: AlertRaised | TextAlertRaised | None, emit: Emit) -> None:
        if alert is None or alert.event_id in self._published:
            return
        await emit(alert)
        self._published[alert.event_id] = None
        if len(self._published) > REMEMBERED:
            del self._published[next(iter(self._published))]

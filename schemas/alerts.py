"""Alerts: an unsupported proposition that somebody should look at."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar, Literal

from schemas.events import Event, deterministic_id
from schemas.verdicts import JudgedProposition, Verdict


class Severity(StrEnum):
    HIGH = "high"
    """The chart contradicts the proposition."""
    MEDIUM = "medium"
    """The chart is silent about it."""


class AlertRaised(Event):
    EVENT_TYPE: ClassVar[str] = "chartproof.alert-raised.v1"
    type: Literal["chartproof.alert-raised.v1"] = "chartproof.alert-raised.v1"
    text_id: str
    patient_id: str
    verdict_id: str
    verdict: Verdict
    severity: Severity
    judged: JudgedProposition

    @property
    def key(self) -> str:
        return self.patient_id

    @property
    def event_id(self) -> str:
        return deterministic_id("alert", self.verdict_id)

    @property
    def subject(self) -> str:
        return self.text_id

"""Alerts: an unsupported proposition that somebody should look at.

One event a proposition, at once, so that it reaches the clinician while the text is on the screen.
All alerts of a text have one `group_id`: a reader shows them as one, and a
statement that a text repeats is one alert (`event_id`), not two.
"""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar, Literal

from pydantic import Field

from schemas.events import Event, deterministic_id
from schemas.verdicts import JudgedProposition, Verdict


class Severity(StrEnum):
    """How bad it would be to believe it. Which is which is `agents/alert/policy.toml`'s to say."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


class Category(StrEnum):
    """What a proposition is about, by what a wrong one may do."""

    ALLERGY = "allergy"
    DOSE = "dose"
    SIDE = "side"
    PROCEDURE = "procedure"
    DIAGNOSIS = "diagnosis"
    FOLLOW_UP = "follow_up"
    DEMOGRAPHIC = "demographic"
    OTHER = "other"


class AlertRaised(Event):
    EVENT_TYPE: ClassVar[str] = "chartproof.alert-raised.v1"
    type: Literal["chartproof.alert-raised.v1"] = "chartproof.alert-raised.v1"
    text_id: str
    patient_id: str
    verdict_id: str
    verdict: Verdict
    severity: Severity
    category: Category = Category.OTHER
    group_id: str | None = Field(
        None, description="Equal for all alerts of one text: show them as one"
    )
    judged: JudgedProposition

    @property
    def key(self) -> str:
        return self.patient_id

    @property
    def event_id(self) -> str:
        if self.group_id is None:
            return deterministic_id("alert", self.verdict_id)
        said = " ".join(self.judged.proposition.text.casefold().rstrip(" .").split())
        return deterministic_id("alert", self.group_id, self.verdict.value, said)

    @property
    def subject(self) -> str:
        return self.text_id


def group_id(patient_id: str, text_id: str) -> str:
    """All alerts of one text: a repeat of the text raises the same ones again, with their ids."""
    return deterministic_id("alert-group", patient_id, text_id)

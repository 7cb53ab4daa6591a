"""Alerts: unsupported propositions that somebody should look at.

Two events, so that nobody has to choose between early and once. What the policy calls urgent is an
`AlertRaised` at once, while the text is on the screen. When the text is done, one
`TextAlertRaised` has all that alerts in it, the most severe first. All of a text share one
`group_id`, and a statement that a text repeats is one alert, not two.
"""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar, Literal

from pydantic import Field

from schemas.events import Event, Frozen, deterministic_id
from schemas.verdicts import Category, JudgedProposition, Verdict

EXPECTED = (
    "How many of a hundred such alerts are right, by the judge's calibration; null: it was not sure"
    " enough to say, or failed"
)


class Severity(StrEnum):
    """How bad it would be to believe it, the worst first.

    Which is which is `agents/alerting/policy.toml`'s to say.
    """

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


class AlertRaised(Event):
    """One proposition, as soon as its verdict is known; severities in the policy's `immediate`."""

    EVENT_TYPE: ClassVar[str] = "chartproof.alert-raised.v1"
    type: Literal["chartproof.alert-raised.v1"] = "chartproof.alert-raised.v1"
    text_id: str
    patient_id: str
    verdict_id: str
    verdict: Verdict
    severity: Severity
    category: Category = Category.OTHER
    expected_precision: float | None = Field(None, ge=0.0, le=1.0, description=EXPECTED)
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
        return deterministic_id("alert", self.group_id, *statement(self.judged))

    @property
    def subject(self) -> str:
        return self.text_id


class AlertingProposition(Frozen):
    """A proposition that alerts, as the policy sees it."""

    severity: Severity
    category: Category
    expected_precision: float | None = Field(None, ge=0.0, le=1.0, description=EXPECTED)
    judged: JudgedProposition


class TextAlertRaised(Event):
    """All that alerts in one text, once, after its score sheet. There is none if nothing does."""

    EVENT_TYPE: ClassVar[str] = "chartproof.text-alert-raised.v1"
    type: Literal["chartproof.text-alert-raised.v1"] = "chartproof.text-alert-raised.v1"
    text_id: str
    patient_id: str
    scoresheet_id: str = Field(description="`ce_id` of the text's score sheet")
    group_id: str = Field(description="That of the text's alerts that were raised at once")
    severity: Severity = Field(description="Of the most severe proposition")
    alerting: tuple[AlertingProposition, ...] = Field(
        min_length=1, description="The most severe first, then as in the text; repeats once"
    )

    @property
    def key(self) -> str:
        return self.patient_id

    @property
    def event_id(self) -> str:
        given = [statement(each.judged) for each in self.alerting]
        return deterministic_id("text-alert", self.group_id, given)

    @property
    def subject(self) -> str:
        return self.text_id


def statement(judged: JudgedProposition) -> tuple[str, str]:
    """Equal for a statement and its repeats with the same verdict: the verdict and the words."""
    words = judged.proposition.text.casefold().rstrip(" .").split()
    return judged.verdict.value, " ".join(words)


def group_id(patient_id: str, text_id: str) -> str:
    """All alerts of one text: a repeat of the text raises the same ones again, with their ids."""
    return deterministic_id("alert-group", patient_id, text_id)

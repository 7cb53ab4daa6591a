"""Which verdicts raise an alert, and how severe it is: a table that a hospital can change.

The table is `policy.toml` beside this module, or a copy of it in TOML or JSON. It must be whole: a
category left out by mistake would be silence where a hospital expects an alert.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Annotated, Self

import orjson
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from agents.errors import PermanentError
from schemas.alerts import (
    AlertingProposition,
    AlertRaised,
    Severity,
    TextAlertRaised,
    group_id,
    statement,
)
from schemas.events import UtcDatetime
from schemas.verdicts import Category, JudgedProposition, ScoreSheetIssued, Verdict, VerdictIssued

DEFAULT_POLICY = Path(__file__).with_name("policy.toml")
_SEVEREST = tuple(Severity)


class AlertPolicy(BaseModel):
    """`severity`: category -> verdict -> severity. `alerts`: severity -> verdicts that alert.

    `immediate`: severities whose alerts do not wait for the text to be done. `minimum_confidence`:
    severity -> how likely it must be that the chart does not support it; 0 where absent.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    severity: dict[Category, dict[Verdict, Severity]]
    alerts: dict[Severity, frozenset[Verdict]]
    immediate: frozenset[Severity] = frozenset({Severity.HIGH})
    minimum_confidence: dict[Severity, Annotated[float, Field(ge=0.0, le=1.0)]] = {}

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        missing = [*(set(Category) - self.severity.keys()), *(set(Severity) - self.alerts.keys())]
        if missing:
            raise ValueError(f"missing: {', '.join(sorted(missing))}")
        named = {*(v for row in self.severity.values() for v in row)}.union(*self.alerts.values())
        if Verdict.SUPPORTED in named:
            raise ValueError("a supported proposition raises no alert")
        return self

    def of(self, judged: JudgedProposition) -> AlertingProposition | None:
        """How severe it is; None: no alert."""
        severity = self.severity[judged.category].get(judged.verdict)
        if severity is None or judged.verdict not in self.alerts[severity]:
            return None
        expected = expected_precision(judged)
        if expected is not None and expected < self.minimum_confidence.get(severity, 0.0):
            return None
        return AlertingProposition(
            severity=severity,
            category=judged.category,
            expected_precision=expected,
            judged=judged,
        )


def expected_precision(judged: JudgedProposition) -> float | None:
    """How likely it is that the chart does not support it; None where the judge did not decide."""
    if judged.verdict in (Verdict.ABSTAINED, Verdict.FAILED):
        return None
    if judged.probability_supported is not None:
        return 1.0 - judged.probability_supported
    return judged.confidence


def read_policy(path: Path | None = None) -> AlertPolicy:
    """The table in `path`, or the default one. Raises `PermanentError` that says what is wrong."""
    path = path or DEFAULT_POLICY
    try:
        content = path.read_bytes()
        loads = orjson.loads if path.suffix == ".json" else tomllib.loads
        return AlertPolicy.model_validate(loads(content.decode()))
    except OSError as error:
        wrong = f"it cannot be read ({error.strerror})"
    except ValidationError as error:
        wrong = "; ".join(
            f"{'.'.join(map(str, e['loc'])) or 'table'}: {e['msg']}" for e in error.errors()
        )
    except ValueError as error:
        wrong = f"it is not {'JSON' if path.suffix == '.json' else 'TOML'}: {error}"
    raise PermanentError("alert_policy", f"The alert policy {path} cannot be used: {wrong}.")


def alert_of(issued: VerdictIssued, policy: AlertPolicy, now: UtcDatetime) -> AlertRaised | None:
    """The alert that a verdict raises at once, or None."""
    alerting = policy.of(issued.judged)
    if alerting is None or alerting.severity not in policy.immediate:
        return None
    return AlertRaised(
        occurred_at=now,
        text_id=issued.text_id,
        patient_id=issued.patient_id,
        verdict_id=issued.event_id,
        verdict=issued.judged.verdict,
        severity=alerting.severity,
        category=alerting.category,
        expected_precision=alerting.expected_precision,
        group_id=group_id(issued.patient_id, issued.text_id),
        judged=issued.judged,
    )


def text_alert_of(
    sheet: ScoreSheetIssued, policy: AlertPolicy, now: UtcDatetime
) -> TextAlertRaised | None:
    """The alert that a text raises when it is done, or None when nothing in it does."""
    rows = [row for each in reversed(sheet.judged) if (row := policy.of(each))]
    if not rows:
        return None
    once = {statement(row.judged): row for row in rows}
    alerting = sorted(
        once.values(),
        key=lambda row: (_SEVEREST.index(row.severity), row.judged.proposition.ordinal),
    )
    return TextAlertRaised(
        occurred_at=now,
        text_id=sheet.text_id,
        patient_id=sheet.patient_id,
        scoresheet_id=sheet.event_id,
        group_id=group_id(sheet.patient_id, sheet.text_id),
        severity=alerting[0].severity,
        alerting=tuple(alerting),
    )

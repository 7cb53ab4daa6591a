"""Which verdicts raise an alert, and how severe it is: a table that a hospital can change.

The table is `policy.toml` beside this module, or a copy of it in TOML or JSON. It must be whole: a
category left out by mistake would be silence where a hospital expects an alert.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Self

import orjson
from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

from agents.alert.category import category_of
from agents.errors import PermanentError
from schemas.alerts import AlertRaised, Category, Severity, group_id
from schemas.events import UtcDatetime
from schemas.verdicts import Verdict, VerdictIssued

DEFAULT_POLICY = Path(__file__).with_name("policy.toml")


class AlertPolicy(BaseModel):
    """`severity`: category -> verdict -> severity. `alerts`: severity -> verdicts that alert."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    severity: dict[Category, dict[Verdict, Severity]]
    alerts: dict[Severity, frozenset[Verdict]]

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        missing = [*(set(Category) - self.severity.keys()), *(set(Severity) - self.alerts.keys())]
        if missing:
            raise ValueError(f"missing: {', '.join(sorted(missing))}")
        named = {*(v for row in self.severity.values() for v in row)}.union(*self.alerts.values())
        if Verdict.SUPPORTED in named:
            raise ValueError("a supported proposition raises no alert")
        return self

    def of(self, category: Category, verdict: Verdict) -> Severity | None:
        """How severe it is; None: no alert."""
        severity = self.severity[category].get(verdict)
        return severity if severity and verdict in self.alerts[severity] else None


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
    """The alert that a verdict raises, or None."""
    judged = issued.judged
    category = category_of(judged)
    severity = policy.of(category, judged.verdict)
    if severity is None:
        return None
    return AlertRaised(
        occurred_at=now,
        text_id=issued.text_id,
        patient_id=issued.patient_id,
        verdict_id=issued.event_id,
        verdict=judged.verdict,
        severity=severity,
        category=category,
        group_id=group_id(issued.patient_id, issued.text_id),
        judged=judged,
    )

"""Which verdicts raise an alert, and how severe it is."""

from __future__ import annotations

from agents.ports import Clock, Emit
from schemas.alerts import AlertRaised, Severity
from schemas.verdicts import Verdict, VerdictIssued

SEVERITY = {
    Verdict.NOT_SUPPORTED: Severity.HIGH,
    Verdict.NOT_ADDRESSED: Severity.MEDIUM,
}
"""Abstained and failed verdicts are the operator's business: metrics show them, not alerts."""


async def raise_alert(verdict: VerdictIssued, clock: Clock, emit: Emit) -> None:
    """Emit an `AlertRaised` when the chart does not support the proposition."""
    severity = SEVERITY.get(verdict.judged.verdict)
    if severity is None:
        return
    await emit(
        AlertRaised(
            occurred_at=clock.now(),
            text_id=verdict.text_id,
            patient_id=verdict.patient_id,
            verdict_id=verdict.event_id,
            verdict=verdict.judged.verdict,
            severity=severity,
            judged=verdict.judged,
        )
    )

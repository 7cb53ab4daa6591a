"""Labels are bounded: what a worker exposes never names a patient, note or text."""

from collections.abc import Sequence
from datetime import UTC, datetime

import numpy as np
import pytest
from prometheus_client import generate_latest

from agents.errors import DependencyUnavailable
from agents.ports import Embedding
from schemas.alerts import AlertRaised, Severity
from schemas.events import Position
from schemas.propositions import Proposition
from schemas.texts import VerificationSettings
from schemas.verdicts import JudgedProposition, Provenance, Verdict, VerdictIssued
from streams.instrument import Calls, CountingOutputs, TimedEmbedder
from streams.metrics import Metrics

EMBEDDING = Embedding(np.ones(3, np.float32), {})
NOW = datetime(2031, 1, 1, tzinfo=UTC)
JUDGED = JudgedProposition(
    proposition=Proposition(
        proposition_id="secret-proposition", ordinal=0, unit="claim", text="words", start=0, end=5
    ),
    verdict=Verdict.NOT_SUPPORTED,
    confidence=0.8,
    reason="because",
)
VERDICT = VerdictIssued(
    occurred_at=NOW,
    text_id="secret-text",
    patient_id="secret-patient",
    judged=JUDGED,
    provenance=Provenance(
        chart_position=Position(topic="chart", partition=0, offset=1),
        settings=VerificationSettings(),
        models={"judge": "clinical-checks 1"},
    ),
)
ALERT = AlertRaised(
    occurred_at=NOW,
    text_id="secret-text",
    patient_id="secret-patient",
    verdict_id="secret-verdict",
    verdict=Verdict.NOT_SUPPORTED,
    severity=Severity.HIGH,
    judged=JUDGED,
)


class Broker:
    def __init__(self, *, up: bool) -> None:
        self.up = up

    async def emit(self, event, traceparent=None) -> None:
        if not self.up:
            raise DependencyUnavailable("kafka", "away")


async def test_verdicts_and_alerts_are_counted_once_the_broker_has_them() -> None:
    metrics = Metrics()
    await CountingOutputs(Broker(up=True), metrics).emit(VERDICT)
    await CountingOutputs(Broker(up=True), metrics).emit(ALERT)
    with pytest.raises(DependencyUnavailable):
        await CountingOutputs(Broker(up=False), metrics).emit(VERDICT)
    page = generate_latest(metrics.registry).decode()
    wanted = (
        'chartproof_verdicts_total{model="clinical-checks 1",unit="claim",verdict="not_supported"}'
    )
    assert f"{wanted} 1.0" in page
    assert 'chartproof_alerts_total{kind="proposition",severity="high"} 1.0' in page
    assert "secret" not in page


async def test_a_timed_port_answers_as_before_and_its_calls_are_observed_by_outcome() -> None:
    class Port:
        version = "7"
        dim = 3

        async def check(self) -> None: ...

        async def embed(self, texts: Sequence[str]) -> list[Embedding]:
            if not texts:
                raise DependencyUnavailable("triton", "away")
            return [EMBEDDING for _ in texts]

    metrics = Metrics()
    port = TimedEmbedder(Port(), Calls(metrics, "triton"))
    assert (port.version, port.dim, await port.embed(["ab"])) == ("7", 3, [EMBEDDING])
    with pytest.raises(DependencyUnavailable):
        await port.embed([])
    page = generate_latest(metrics.registry).decode()
    for outcome in ("ok", "DependencyUnavailable"):
        labels = f'dependency="triton",operation="embed",outcome="{outcome}"'
        assert f"chartproof_dependency_duration_seconds_count{{{labels}}} 1.0" in page

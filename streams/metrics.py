"""Every Prometheus collector. Base units, `_total`, bounded labels: never an id of anything."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from schemas.alerts import AlertRaised, TextAlertRaised
from schemas.events import Event
from schemas.usage import Usage
from schemas.verdicts import VerdictIssued

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)


class Metrics:
    """The collectors of one worker, on a registry of their own; also delivery's observer."""

    def __init__(self, registry: CollectorRegistry | None = None) -> None:
        self.registry = registry or CollectorRegistry()
        self.events_consumed = self._counter(
            "events_consumed", "Inbound events and how they ended", "agent", "outcome"
        )
        self.events_in_progress = Gauge(
            "chartproof_events_in_progress",
            "Events being worked on",
            ["agent"],
            registry=self.registry,
        )
        self.dead_letters = self._counter(
            "dead_letters", "Events that could not be processed", "stage", "reason"
        )
        self.retries = self._counter("retries", "Attempts after a transient error", "dependency")
        self.verdicts = self._counter("verdicts", "Verdicts issued", "verdict", "unit", "model")
        self.llm_tokens = self._counter(
            "llm_tokens", "Tokens of language models, as their servers count them", "stage", "kind"
        )
        self.alerts = self._counter("alerts", "Alerts raised", "severity", "kind")
        self.dependency_duration = self._histogram(
            "dependency_duration_seconds",
            "Time of one call to a dependency",
            "dependency",
            "operation",
            "outcome",
        )

    def consumed(self, stage: str, outcome: str) -> None:
        self.events_consumed.labels(stage, outcome).inc()

    def retried(self, dependency: str) -> None:
        self.retries.labels(dependency).inc()

    def dead_lettered(self, stage: str, reason: str) -> None:
        self.dead_letters.labels(stage, reason).inc()

    def spent(self, stage: str, usage: Usage) -> None:
        self.llm_tokens.labels(stage, "prompt").inc(usage.prompt_tokens)
        self.llm_tokens.labels(stage, "output").inc(usage.output_tokens)

    def in_progress(self, stage: str, change: int) -> None:
        self.events_in_progress.labels(stage).inc(change)

    def emitted(self, event: Event) -> None:
        """Count what left this worker."""
        match event:
            case VerdictIssued():
                unit, model = event.provenance.settings.unit, event.provenance.models["judge"]
                self.verdicts.labels(event.judged.verdict.value, unit, model).inc()
            case AlertRaised():
                self.alerts.labels(event.severity.value, "proposition").inc()
            case TextAlertRaised():
                self.alerts.labels(event.severity.value, "text").inc()

    def _counter(self, name: str, says: str, *labels: str) -> Counter:
        return Counter(f"chartproof_{name}_total", says, labels, registry=self.registry)

    def _histogram(self, name: str, says: str, *labels: str) -> Histogram:
        return Histogram(
            f"chartproof_{name}", says, labels, buckets=SECONDS, registry=self.registry
        )

"""The engine of a run: the four models in this process, metered, and the settings under test."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol, Self

from pydantic import Field

from agents.adapters.models import Models, in_process, triton
from agents.adapters.models.bundle import checked_models
from agents.adapters.models.transport import MODELS
from agents.alerting.policy import AlertPolicy, read_policy
from agents.evaluation.dataset import NO_TIME
from agents.evaluation.running.cost import Meter, MeteredModel, MeteredTransport
from agents.ports import Clock
from schemas.events import Frozen
from schemas.texts import FactUnit, VerificationSettings


class Configuration(Frozen):
    """One way to run: what a configuration file says, all of it optional."""

    name: str = "default"
    settings: VerificationSettings = VerificationSettings()
    fact_unit: FactUnit = "sentence"
    model_repository: Path | None = Field(None, description="Absent: that of the settings")
    alert_policy: Path | None = Field(None, description="Absent: the default policy")
    triton_url: str | None = Field(
        None, description="Models on a Triton, host:port of gRPC, in place of those in this process"
    )
    judge_without: tuple[str, ...] = Field(
        (), description="Parts that the judge goes without, of those that it names"
    )
    model_timeout_s: float = Field(120.0, gt=0)


class RulesJudge(Protocol):
    """The judge's rules without what is learned, where a judge has them apart."""

    def judge(self, requests: list[tuple[str, str, str]]) -> list[str]: ...


class JudgeOfParts(Protocol):
    """A judge that can go without some of its parts, for ablations."""

    parts: Sequence[str]

    def without(self, parts: Collection[str]) -> Any: ...  # noqa: ANN401 - a judge again


class Still(Clock):
    """It is always `NO_TIME`: a run must give the same twice."""

    def now(self) -> datetime:
        return NO_TIME


@dataclass(frozen=True)
class Engine:
    configuration: Configuration
    models: Models
    policy: AlertPolicy
    meter: Meter
    rules: RulesJudge | None = None
    clock: Clock = field(default_factory=Still)

    @classmethod
    async def load(cls, configuration: Configuration, repository: Path) -> Self:
        """`repository` where the configuration names none. Raises `DependencyUnavailable`."""
        where = configuration.model_repository or repository
        meter = Meter()
        policy = read_policy(configuration.alert_policy)
        if configuration.triton_url:
            models = await _on_triton(configuration, meter)
            return cls(configuration, models, policy, meter)
        served: Mapping[str, Any] = {name: in_process.load_model(where, name) for name in MODELS}
        if configuration.judge_without:
            served["judge"].model = _without(served["judge"].model, configuration.judge_without)
        metered = {name: MeteredModel(name, each, meter) for name, each in served.items()}
        transport = in_process.InProcessTransport(dict(metered), configuration.model_timeout_s)
        models = await checked_models(transport)
        meter.take()
        return cls(
            configuration,
            models,
            policy,
            meter,
            getattr(served["judge"].model, "rules", None),
        )

    @property
    def versions(self) -> dict[str, str]:
        return {port.name: port.version for port in self.models.ports}

    async def close(self) -> None:
        await self.models.close()


async def _on_triton(configuration: Configuration, meter: Meter) -> Models:
    if configuration.judge_without:
        raise ValueError("judge_without is for a judge in this process, not for one on a Triton")
    timeout_s = configuration.model_timeout_s
    connected = await triton.connect(str(configuration.triton_url), timeout_s=timeout_s)
    models = await checked_models(MeteredTransport(connected.transport, meter))
    meter.take()
    return models


def judge_parts(repository: Path) -> tuple[str, ...]:
    """What the judge of a repository can go without; nothing where it does not say."""
    return tuple(getattr(in_process.load_model(repository, "judge").model, "parts", ()))


def _without(judge: JudgeOfParts, parts: Sequence[str]) -> Any:  # noqa: ANN401 - a judge again
    known = getattr(judge, "parts", ())
    unknown = set(parts) - set(known)
    if unknown:
        raise ValueError(f"the judge has no part {', '.join(sorted(unknown))} to go without")
    return judge.without(parts)

"""The four ports together, as the composition root hands them around."""

from __future__ import annotations

from dataclasses import dataclass

from agents.adapters.models.port import ModelPort
from agents.adapters.models.ports import ModelDecomposer, ModelEmbedder, ModelJudge, ModelReranker
from agents.adapters.models.transport import Transport
from agents.concurrency import map_bounded


@dataclass(frozen=True)
class Models:
    """The four ports over one transport, checked. Close it when done."""

    embedder: ModelEmbedder
    reranker: ModelReranker
    decomposer: ModelDecomposer
    judge: ModelJudge
    transport: Transport

    @property
    def ports(self) -> tuple[ModelPort, ...]:
        return (self.embedder, self.reranker, self.decomposer, self.judge)

    async def check(self) -> None:
        """All four canaries. Raises the first failure."""
        await map_bounded(lambda port: port.check(), self.ports, len(self.ports))

    async def close(self) -> None:
        await self.transport.close()


async def checked_models(transport: Transport) -> Models:
    """Ports whose canaries have answered; else `transport` is closed and the error raised."""
    models = Models(
        ModelEmbedder(transport),
        ModelReranker(transport),
        ModelDecomposer(transport),
        ModelJudge(transport),
        transport,
    )
    try:
        await models.check()
    except BaseException:
        await models.close()
        raise
    return models

"""Settings -> the ports: the index on Milvus, the models on Triton or in this process."""

from __future__ import annotations

from agents.index.milvus import MilvusIndex
from agents.models import Models, in_process, triton
from streams.settings import Settings


async def open_index(settings: Settings, *, dim: int) -> MilvusIndex:
    """Raises `DependencyUnavailable` when Milvus does not answer. `dim`: of the dense vectors."""
    token = settings.milvus_token
    return await MilvusIndex.connect(
        settings.milvus_uri,
        token=token.get_secret_value() if token else None,
        spread=settings.milvus_spread,
        dim=dim,
    )


async def open_models(settings: Settings) -> Models:
    """Raises `DependencyUnavailable` when Triton or one of its models does not answer."""
    if settings.models == "in-process":
        return await in_process.load(settings.model_repository, timeout_s=settings.model_timeout_s)
    return await triton.connect(
        settings.triton_url, timeout_s=settings.model_timeout_s, ssl=settings.triton_ssl
    )

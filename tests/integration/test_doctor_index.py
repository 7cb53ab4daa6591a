"""What `chartproof doctor` says of an index, by a real Milvus Lite and the real models."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from agents.adapters.index.milvus import MilvusIndex
from agents.ports import Embedding, FactQuery
from streams.cli.doctor import Finding, examine
from streams.local.milvus import MilvusLite
from streams.settings import Settings


@pytest.fixture(scope="module")
def lite(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MilvusLite]:
    folder = tmp_path_factory.mktemp("milvus")
    started = MilvusLite(folder / "data", folder).start()
    yield started
    started.stop()


async def made(lite: MilvusLite, prefix: str, dim: int) -> None:
    index = await MilvusIndex.connect(lite.uri, prefix=prefix, spread=1, dim=dim)
    vector = np.ones(dim, dtype=np.float32)
    await index.search(FactQuery("p", Embedding(vector, {}), mode="dense"))
    await index.close()


async def report(lite: MilvusLite, prefix: str, **said: object) -> Finding:
    settings = {
        "milvus_uri": lite.uri,
        "milvus_prefix": prefix,
        "models": "in-process",
        "broker": "127.0.0.1:1",
    }
    findings = await examine(Settings.model_validate(settings | said))
    [index] = [finding for finding in findings if finding.part == "index"]
    return index


async def test_an_index_of_the_models_dimension_is_well(lite: MilvusLite):
    await made(lite, "right_", 384)
    index = await report(lite, "right_")
    assert index.ok
    assert "answers" in index.detail


async def test_an_index_of_another_dimension_is_not(lite: MilvusLite):
    await made(lite, "wrong_", 5)
    index = await report(lite, "wrong_")
    assert not index.ok
    assert "5 dimensions and the embedder gives 384" in index.detail


async def test_without_models_the_index_is_looked_at_all_the_same(lite: MilvusLite):
    await made(lite, "alone_", 5)
    index = await report(lite, "alone_", models="triton", triton_url="127.0.0.1:1")
    assert index.ok
    assert "not compared" in index.detail

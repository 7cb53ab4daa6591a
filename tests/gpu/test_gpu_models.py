"""The gpu profile's embedder and reranker on a real Triton, on a CPU, with tiny weights.

They need torch, so they run in an environment of their own: `make test-gpu`. The contract suite's
tests of embedder and reranker are run on them as they are, but for those of what a model means:
random weights mean nothing. Decomposer and judge are the cpu profile's: profiles mix.
"""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import numpy as np
import pytest
import pytest_asyncio

from agents.adapters.models import in_process, triton
from agents.adapters.models.ports import CANARY
from agents.errors import DependencyUnavailable
from streams.local.process import ServiceFailed
from streams.local.triton import TritonServer, start_triton
from tests.contract.test_models_contract import (  # noqa: F401 - collected here, on these models
    Host,
    models,
    test_a_pair_has_the_same_score_in_any_company,
    test_an_embedding_is_a_unit_vector_and_positive_terms,
    test_callers_at_once_get_their_own_answers,
    test_every_canary_answers_and_every_model_says_what_it_is,
    test_five_hundred_texts_keep_their_order,
    test_no_passages_have_no_scores,
    test_no_texts_have_no_embeddings,
    test_odd_passages_and_odd_queries_have_scores,
    test_odd_texts_have_embeddings_in_order,
    test_the_company_of_a_text_does_not_change_its_vector,
)
from tests.gpu import tiny_weights

pytestmark = pytest.mark.asyncio(loop_scope="module")

PROFILES = Path(__file__).parents[2] / "triton_models"
SECONDS = 240.0


def repository(folder: Path, weights: dict[str, Path]) -> Path:
    """A model repository of two profiles, with the gpu models' parameters set."""
    shutil.copytree(PROFILES / "shared", folder / "shared")
    for name in ("decomposer", "judge"):
        shutil.copytree(PROFILES / "cpu" / name, folder / "models" / name)
    for name, path in weights.items():
        shutil.copytree(PROFILES / "gpu" / name, folder / "models" / name)
        config = folder / "models" / name / "config.pbtxt"
        text = config.read_text()
        for default in ("/models/bge-m3", "/models/bge-reranker-v2-m3"):
            text = text.replace(default, str(path))
        config.write_text(text)
    return folder / "models"


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("weights")
    return {
        "embedder": tiny_weights.embedder(folder / "tiny-m3"),
        "reranker": tiny_weights.reranker(
            folder / "tiny-reranker", CANARY, "Snow fell over the harbour."
        ),
    }


@pytest.fixture(scope="module")
def gpu_repository(weights, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return repository(tmp_path_factory.mktemp("repository"), weights)


@pytest.fixture(scope="module")
def server(gpu_repository, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TritonServer]:
    log = tmp_path_factory.mktemp("triton")
    with start_triton(gpu_repository, log, deadline=SECONDS) as running:
        yield running


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def host(server) -> AsyncIterator[Host]:
    found = await triton.connect(server.grpc_url, timeout_s=SECONDS)
    yield Host(found, lambda timeout: found.transport)
    await found.close()


async def test_name_and_dimension_are_those_of_the_weights(host: Host) -> None:
    assert host.models.embedder.dim == tiny_weights.HIDDEN
    assert host.models.embedder.version.startswith("bge-m3 tiny-m3-")
    assert host.models.reranker.version.startswith("bge-reranker tiny-reranker-")
    assert "fp16" not in host.models.embedder.version


async def test_in_process_hosting_gives_the_same_vectors(host: Host, gpu_repository) -> None:
    here = await in_process.load(gpu_repository, timeout_s=SECONDS)
    text = ["Takes aspirin 81 mg daily."]
    (one,), (other,) = await here.embedder.embed(text), await host.models.embedder.embed(text)
    assert np.allclose(one.dense, other.dense, atol=1e-5)
    assert one.sparse == other.sparse
    assert here.embedder.version == host.models.embedder.version
    await here.close()


async def test_other_weights_in_the_same_folder_are_another_model(weights, tmp_path) -> None:
    from chartproof_flag import parameters

    config = repository(tmp_path / "r", weights) / "embedder" / "config.pbtxt"
    before = parameters(None, config).version
    text = (weights["embedder"] / "config.json").read_text()
    moved = shutil.copytree(weights["embedder"], tmp_path / "tiny-m3")
    (moved / "config.json").write_text(text.replace("}", "}\n"))
    config.write_text(config.read_text().replace(str(weights["embedder"]), str(moved)))
    after = parameters(None, config).version
    assert before.startswith("tiny-m3-")
    assert after.startswith("tiny-m3-")
    assert before != after


async def test_without_weights_it_says_what_to_do(tmp_path) -> None:
    missing = {"embedder": tmp_path / "none", "reranker": tmp_path / "none"}
    repo = repository(tmp_path / "r", missing)
    with pytest.raises(DependencyUnavailable, match="mount them there"):
        await in_process.load(repo)
    with pytest.raises(ServiceFailed, match="mount them there"):
        start_triton(repo, tmp_path / "log", models=("embedder",), deadline=SECONDS)

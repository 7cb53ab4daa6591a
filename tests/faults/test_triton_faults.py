"""What goes wrong with a real Triton: not there, a model missing, broken, dead, or flooded."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import dedent

import psutil
import pytest

from agents.adapters.models import in_process, triton
from agents.adapters.models.ports import ModelEmbedder
from agents.errors import (
    DeadlineExceeded,
    DependencyOverloaded,
    DependencyUnavailable,
    ModelError,
)
from streams.local.ports import free_port
from streams.local.process import ServiceFailed
from streams.local.triton import TritonServer, start_triton

MODELS = Path(__file__).parents[2] / "triton_models"
REPOSITORY = MODELS / "cpu"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[TritonServer]:
    with start_triton(REPOSITORY, tmp_path) as running:
        yield running


def repository(folder: Path, body: str, *, queue: int = 0) -> Path:
    """A model repository whose one model is an `embedder` that runs `body` on a batch of rows."""
    code = f"""
        import sys, time
        import numpy as np
        sys.path.append({str(MODELS / "shared")!r})
        from chartproof_serving import ServedModel, text_tensor

        class Plain:
            version = "broken/1"

        class TritonPythonModel(ServedModel):
            inputs = ("TEXT",)

            def load(self):
                return Plain()

            def answer(self, rows):
                {body}
    """
    config = (REPOSITORY / "embedder/config.pbtxt").read_text()
    config = config.replace("max_queue_size: 1024", f"max_queue_size: {queue}")
    if queue:
        config = config.replace("max_batch_size: 64", "max_batch_size: 1")
    place = folder / "models" / "embedder"
    (place / "1").mkdir(parents=True)
    (place / "config.pbtxt").write_text(config)
    (place / "1" / "model.py").write_text(dedent(code))
    return place.parent


def embedder(server: TritonServer, *, timeout_s: float = 10.0) -> ModelEmbedder:
    """A port without its canary."""
    client = triton.InferenceServerClient(server.grpc_url)
    return ModelEmbedder(triton.TritonTransport(client, server.grpc_url, timeout_s))


def running(pid: int) -> bool:
    """Not gone, and not a zombie that a container's init has yet to reap."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def becomes(condition: Callable[[], bool]) -> bool:
    for _ in range(200):
        if condition():
            return True
        time.sleep(0.05)
    return False


async def test_no_triton_at_all_says_what_to_start_and_what_to_set() -> None:
    url = f"127.0.0.1:{free_port()}"
    with pytest.raises(DependencyUnavailable) as caught:
        await triton.connect(url)
    assert url in str(caught.value)
    assert "chartproof up" in str(caught.value)
    assert "CHARTPROOF_TRITON_URL" in str(caught.value)
    assert caught.value.dependency == "triton"


async def test_a_triton_that_lacks_models_is_named_for_each(tmp_path: Path) -> None:
    without = r"no model (reranker|decomposer|judge)"
    with (
        start_triton(REPOSITORY, tmp_path, models=("embedder",)) as server,
        pytest.raises(DependencyUnavailable, match=without),
    ):
        await triton.connect(server.grpc_url)


async def test_a_dead_model_is_reported_by_its_canary_alone(server: TritonServer) -> None:
    models = await triton.connect(server.grpc_url, timeout_s=5.0)
    try:
        assert server.healthy()
        os.kill(server.stubs()["judge"], signal.SIGKILL)
        with pytest.raises(DependencyUnavailable, match="judge"):
            await models.judge.check()
        assert not server.healthy()
        assert server.ready(), "Triton itself does not notice: this is why there are canaries"
        await models.embedder.check()
        with pytest.raises(DependencyUnavailable, match="judge"):
            await models.check()
    finally:
        await models.close()


async def test_a_model_that_hangs_is_reported_and_can_be_stopped(server: TritonServer) -> None:
    models = await triton.connect(server.grpc_url, timeout_s=3.0)
    stubs = server.stubs()
    os.kill(stubs["embedder"], signal.SIGSTOP)
    try:
        with pytest.raises(DependencyUnavailable, match="embedder"):
            await models.embedder.check()
        await models.judge.check()
    finally:
        await models.close()
        server.stop(grace=1.0)
    assert not server.process.alive
    assert becomes(lambda: not any(map(running, stubs.values())))


async def test_clients_find_a_triton_that_was_started_anew(server: TritonServer) -> None:
    models = await triton.connect(server.grpc_url)
    try:
        server.process.kill()
        with pytest.raises(DependencyUnavailable, match="does not answer"):
            await models.embedder.embed(["No fever."])
        assert not server.healthy()
        await asyncio.to_thread(server.start)
        assert server.healthy()
        for _ in range(50):
            try:
                await models.check()
                break
            except DependencyUnavailable:
                await asyncio.sleep(0.1)
        assert len(await models.embedder.embed(["No fever."])) == 1
    finally:
        await models.close()


def test_a_model_that_does_not_load_fails_the_start_and_is_named(tmp_path: Path) -> None:
    folder = repository(tmp_path, "pass")
    (folder / "embedder/1/model.py").write_text("raise ImportError('the weights are missing')")
    with pytest.raises(ServiceFailed, match="the weights are missing") as caught:
        start_triton(folder, tmp_path, models=("embedder",))
    assert "embedder" in str(caught.value)
    assert "triton.log" in str(caught.value)


async def test_a_model_that_answers_nonsense_is_not_healthy(tmp_path: Path) -> None:
    body = (
        "return {'DENSE': np.zeros((len(rows), 384), np.float32),"
        " 'SPARSE': text_tensor(['{}'] * len(rows))}"
    )
    with start_triton(repository(tmp_path, body), tmp_path, models=("embedder",)) as server:
        port = embedder(server)
        with pytest.raises(ModelError, match="unit length"):
            await port.embed(["No fever."])
        with pytest.raises(DependencyUnavailable, match=r"embedder is not healthy.*unit length"):
            await port.check()
        await port._transport.close()


async def test_a_model_that_raises_tells_its_kind_and_nothing_of_the_text(tmp_path: Path) -> None:
    body = "raise ValueError(rows)"
    with start_triton(repository(tmp_path, body), tmp_path, models=("embedder",)) as server:
        port = embedder(server)
        with pytest.raises(ModelError) as caught:
            await port.embed(["Zebedee has gout."])
        await port._transport.close()
    assert "Zebedee" not in str(caught.value)
    assert caught.value.model == "embedder"
    log = (tmp_path / "triton.log").read_text()
    assert "ValueError at" in log
    assert "Zebedee" not in log


async def test_a_full_queue_is_an_overload_and_a_slow_model_a_deadline(tmp_path: Path) -> None:
    folder = repository(tmp_path, "time.sleep(0.5); raise ValueError", queue=1)
    with start_triton(folder, tmp_path, models=("embedder",)) as server:
        port = embedder(server, timeout_s=10.0)
        calls = (port.embed([f"No fever on day {n}."]) for n in range(8))
        found = await asyncio.gather(*calls, return_exceptions=True)
        assert any(isinstance(error, DependencyOverloaded) for error in found)
        assert all(isinstance(error, DependencyOverloaded | ModelError) for error in found)
        hurried = embedder(server, timeout_s=0.1)
        with pytest.raises(DeadlineExceeded):
            await hurried.embed(["No fever."])
        with pytest.raises(DependencyUnavailable, match="not healthy"):
            await hurried.check()
        await port._transport.close()
        await hurried._transport.close()


async def test_two_tritons_start_at_once_and_share_the_stub(tmp_path: Path) -> None:
    servers = [
        TritonServer(REPOSITORY, tmp_path / str(n), models=("decomposer",)) for n in range(2)
    ]
    try:
        await asyncio.gather(*(asyncio.to_thread(server.start) for server in servers))
        assert all(server.healthy() for server in servers)
    finally:
        for server in servers:
            server.stop()


async def test_in_process_models_that_are_missing_or_broken_are_named(tmp_path: Path) -> None:
    with pytest.raises(DependencyUnavailable, match="no model embedder"):
        await in_process.load(tmp_path)
    folder = repository(tmp_path, "pass")
    (folder / "embedder/1/model.py").write_text("raise ImportError('the weights are missing')")
    with pytest.raises(DependencyUnavailable, match=r"embedder does not load.*weights are missing"):
        await in_process.load(folder)

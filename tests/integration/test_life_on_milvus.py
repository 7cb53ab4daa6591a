"""A note's life and a merge on a real Milvus Lite: what the tests in memory say holds there too."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from agents.adapters.index.milvus import MilvusIndex
from agents.adapters.models import Models, in_process
from schemas.outcomes import Outcome
from streams.local.milvus import MilvusLite
from tests.chart_events import merged, note, retraction
from tests.chart_topic import ChartTopic, later

REPOSITORY = Path(__file__).parents[2] / "triton_models" / "cpu"


@pytest.fixture
async def models() -> AsyncIterator[Models]:
    found = await in_process.load(REPOSITORY)
    yield found
    await found.close()


@pytest.fixture
async def chart(models: Models, tmp_path: Path) -> AsyncIterator[ChartTopic]:
    lite = MilvusLite(tmp_path / "data", tmp_path).start()
    index = await MilvusIndex.connect(lite.uri, spread=3, dim=models.embedder.dim, timeout_s=30)
    yield ChartTopic(models, index)
    await index.close()
    lite.stop()


async def test_a_replacement_a_merge_and_back(chart: ChartTopic, models: Models) -> None:
    notes = [
        note("d1", "Gout.", patient="old", time=later(-60)),
        note("d2", "Asthma since childhood.", patient="old", time=later(-30)),
        note("d3", "No asthma.", patient="old", replaces="d2", time=later(-20)),
        note("d4", "Fever.", patient="new", time=later(-10)),
    ]
    meanwhile = [
        note("d1", "Gout, left foot.", "2", patient="old", at=70, time=later(-60)),
        retraction("d3", "2", patient="old", at=71),
    ]
    never = ChartTopic(models)
    await never.apply(*notes, *meanwhile)

    await chart.apply(*notes)
    assert await chart.said("old") == ["Gout.", "No asthma."]
    [outcome] = await chart.apply(merged("old", "new", "2"))
    assert outcome.outcome is Outcome.MERGED
    await chart.apply(*meanwhile)
    assert await chart.said("new") == ["Asthma since childhood.", "Fever.", "Gout, left foot."]
    assert (await chart.facts("old"), await chart.statuses("old")) == ({}, {})
    assert await chart.index.find_documents("d1") == ["new"]

    await chart.apply(merged("old", None, "3", at=80))
    for patient in ("old", "new"):
        found, expected = await chart.facts(patient), await never.facts(patient)
        assert {key: each.fact for key, each in found.items()} == {
            key: each.fact for key, each in expected.items()
        }
        assert await chart.statuses(patient) == await never.statuses(patient)

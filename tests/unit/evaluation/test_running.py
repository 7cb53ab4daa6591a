"""A data set through the pipeline: what counts as evidence, what is kept, and going on."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest

from agents.errors import DependencyUnavailable
from agents.evaluation.dataset import Dataset
from agents.evaluation.formats.read import read_datasets
from agents.evaluation.report.document import Resampling, RunResults, report
from agents.evaluation.report.files import html, markdown
from agents.evaluation.running.engine import Configuration
from agents.evaluation.running.results import ItemResult
from agents.evaluation.running.runner import work_left
from agents.evaluation.running.store import Manifest, OtherRun, RunStore
from agents.evaluation.scoring.figures import Judged, figures
from agents.evaluation.scoring.statements import not_verifiable, statements
from agents.evaluation.scoring.systems import OURS, systems
from schemas.texts import VerificationSettings
from tests.unit.evaluation.cases import case
from tests.unit.evaluation.engines import LabelJudge, engine, labels_of, ran
from tests.unit.verify.bench import FakeModel, WordJudge


@pytest.fixture
def dataset(tmp_path: Path) -> Dataset:
    for n in range(4):
        (tmp_path / f"inv-{n}.json").write_bytes(orjson.dumps(case(f"inv-{n}")))
    [read] = read_datasets([tmp_path])
    return read


def manifest(**settings: object) -> Manifest:
    fields = VerificationSettings.model_validate(settings)
    return Manifest(
        configuration=Configuration(settings=fields), datasets=(), versions={}, models={}, seed=1
    )


async def test_only_notes_that_count_are_shown(dataset: Dataset) -> None:
    """No draft, nothing in error, nothing replaced, nothing of an AI, nothing later."""
    made = engine(LabelJudge({}), Configuration(settings=VerificationSettings(top_n=150)))
    items, charts = await ran(made, dataset)
    shown = {fact.note_id for item in items for p in item.propositions for fact in p.shown}
    assert shown == {"n1", "n3"}
    assert charts[0].intake == {"indexed": 4, "retracted": 1, "skipped (draft)": 1}
    assert sum(item.foreign_citations + item.later_citations for item in items) == 0


async def test_all_that_was_shown_and_said_is_kept(dataset: Dataset) -> None:
    items, _ = await ran(engine(LabelJudge(labels_of(dataset))), dataset)
    text = next(item for item in items if item.role == "text")
    fields = {each.text: each for each in text.propositions}
    wrong = fields["- Insulin glargine at night"]
    assert wrong.verdict == "not_addressed"
    assert wrong.alert is not None
    assert [fact.cited for fact in wrong.shown].count(True) == 1
    assert wrong.shown[0].text
    assert text.costs["verifying"].calls == 1
    assert ItemResult.model_validate_json(text.model_dump_json()) == text


async def test_an_oracle_is_right_everywhere(dataset: Dataset) -> None:
    items, charts = await ran(engine(LabelJudge(labels_of(dataset))), dataset)
    made = report([RunResults(_of(dataset), items, charts)], Resampling(resamples=50))
    for unit in made["runs"][0]["sets"][dataset.name]["units"].values():
        ours = {k: v["value"] for k, v in unit["systems"][OURS]["headline"].items()}
        assert ours.pop("false_support") == 0.0
        assert ours.pop("false_alarm") == 0.0
        assert set(ours.values()) == {1.0}
        assert all(row["right_verdict"] == 1.0 for row in unit["by_kind"].values())


async def test_spans_that_say_nothing_are_counted_apart(dataset: Dataset) -> None:
    items, _ = await ran(engine(LabelJudge(labels_of(dataset))), dataset)
    assert not_verifiable(items) == {"judged": 4, "alerted": 4, "flagged": 0, "ignored": 0}
    labelled = statements([item for item in items if item.role == "text"])
    assert len(labelled) == 12


async def test_the_same_run_twice_gives_the_same_report(dataset: Dataset) -> None:
    made = []
    for _ in range(2):
        items, charts = await ran(engine(WordJudge()), dataset)
        without_seconds = [each.model_copy(update={"costs": {}}) for each in items]
        bare = [each.model_copy(update={"costs": {}}) for each in charts]
        runs = [RunResults(_of(dataset), without_seconds, bare)]
        made.append(report(runs, Resampling(resamples=50)))
    assert made[0] == made[1]
    assert html(made[0]) == html(made[1])


async def test_a_failed_item_is_counted_and_run_again(dataset: Dataset, tmp_path: Path) -> None:
    class Away(FakeModel):
        async def judge(self, *_: object, **__: object) -> None:
            raise DependencyUnavailable("triton", "gone")

    items, _ = await ran(engine(Away()), dataset)
    assert {item.error for item in items} == {"DependencyUnavailable"}
    labelled = statements([item for item in items if item.role == "claim"])
    result = figures(Judged.of(labelled, systems(labelled)[OURS]), seed=1, resamples=0)
    assert result["false_rates"]["failed"] == len(labelled)
    assert result["headline"]["false_support"]["value"] is None
    assert result["headline"]["accuracy"]["value"] == 0.0
    store = RunStore(tmp_path / "run")
    store.open(manifest())
    store.add(items[0])
    assert sum(len(work.items) for work in work_left([dataset], store)) == len(dataset.items)


async def test_a_run_goes_on_where_it_ended(dataset: Dataset, tmp_path: Path) -> None:
    items, _ = await ran(engine(LabelJudge({})), dataset)
    store = RunStore(tmp_path / "run")
    store.open(manifest())
    for item in items[:3]:
        store.add(item)
    with (store.folder / "items.jsonl").open("ab") as file:
        file.write(b'{"item_id": "torn')
    again = RunStore(store.folder)
    again.open(manifest())
    assert again.items() == sorted(items[:3], key=lambda item: item.key)
    left = [item.item_id for work in work_left([dataset], again) for item in work.items]
    assert len(left) == len(dataset.items) - 3
    assert not {item.item_id for item in items[:3]} & set(left)


def test_a_folder_of_another_run_is_refused(tmp_path: Path) -> None:
    RunStore(tmp_path).open(manifest())
    with pytest.raises(OtherRun, match="--out"):
        RunStore(tmp_path).open(manifest(top_n=5))


async def test_the_page_needs_nothing_else_and_holds_no_text_as_markup(dataset: Dataset) -> None:
    items, charts = await ran(engine(LabelJudge(labels_of(dataset))), dataset)
    odd = [
        each.model_copy(
            update={
                "spans": tuple(span.model_copy(update={"kind": "<script>"}) for span in each.spans)
            }
        )
        for each in items
    ]
    page = html(report([RunResults(_of(dataset), odd, charts)], Resampling(resamples=0)))
    assert page.count("<svg") == 14
    assert "<script>" not in page
    assert 'src="' not in page
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")


async def test_two_runs_are_compared_on_the_same_statements(dataset: Dataset) -> None:
    good, charts = await ran(engine(LabelJudge(labels_of(dataset))), dataset)
    poor, _ = await ran(engine(LabelJudge({})), dataset)
    one = RunResults(_of(dataset, "poor"), poor, charts)
    two = RunResults(_of(dataset, "good"), good, charts)
    made = report([one, two], Resampling(resamples=200))
    [comparison] = made["comparisons"]
    result = comparison["sets"][dataset.name]["single claims"]
    assert result["n"] == 8
    assert result["false_alarm"]["difference"] == -1.0
    assert result["false_alarm"]["p_value"] < 0.05
    assert "good less poor" in markdown(made)


def _of(dataset: Dataset, name: str = "default") -> Manifest:
    identity = {
        "name": dataset.name,
        "format": dataset.format,
        "sha256": dataset.sha256,
        "charts": len(dataset.charts),
        "items": len(dataset.items),
    }
    return Manifest.model_validate(
        {
            "configuration": {"name": name},
            "datasets": [identity],
            "versions": {},
            "models": {},
            "seed": 1,
        }
    )

"""Settings -> who judges and who splits; and what is counted of it."""

from pathlib import Path

import pytest
import typer
from prometheus_client import generate_latest

from agents.adapters.llm.openai_server import OpenAIModel
from agents.adapters.llm.triton_vllm import TritonVllm
from agents.errors import ChartproofError
from agents.ports import ShownFact, judge_of_text
from streams.cli.llm_options import NO_LLM, chosen_llm
from streams.instrument import TimedLanguageModel
from streams.language_models import Deciders, deciders, open_llm
from streams.metrics import Metrics
from streams.settings import CompleteSettings

FACT = ShownFact("a", "Denies chest pain.", None, None, None, "d", 0.5)


def settings(**said: object) -> CompleteSettings:
    return CompleteSettings(**said)


def test_without_a_language_model_nothing_is_opened() -> None:
    assert open_llm(settings(llm_url="http://127.0.0.1:9/v1")) is None


@pytest.mark.parametrize("said", [{"judge": "cascade"}, {"decomposer": "llm"}])
async def test_a_server_that_is_not_named_is_said(said: dict) -> None:
    with pytest.raises(ChartproofError, match="CHARTPROOF_LLM_URL"):
        open_llm(settings(**said))


@pytest.mark.parametrize("api", ["openai", "triton"])
async def test_the_api_chooses_the_adapter(api: str, tmp_path: Path) -> None:
    url = "http://127.0.0.1:9/v1" if api == "openai" else "127.0.0.1:9"
    opened = open_llm(settings(judge="llm", llm_api=api, llm_url=url, llm_model="m"))
    assert isinstance(opened, OpenAIModel if api == "openai" else TritonVllm)
    assert opened.version == "m"
    await opened.close()


async def test_a_template_that_is_none_is_said(tmp_path: Path) -> None:
    path = tmp_path / "tokenizer_config.json"
    path.write_text("{}")
    said = settings(judge="llm", llm_api="triton", llm_chat_template=path)
    with pytest.raises(ChartproofError, match="CHAT_TEMPLATE"):
        open_llm(said)


@pytest.mark.parametrize(
    ("said", "versions"),
    [
        ({"judge": "llm"}, ("llm scripted", "rules", "rules")),
        ({"judge": "cascade", "llm_away": "embedded"}, ("cascade", "rules", "rules")),
        ({"decomposer": "llm"}, ("chartproof-judge", "llm scripted", "rules")),
        ({"note_decomposer": "llm"}, ("chartproof-judge", "rules", "llm scripted")),
    ],
)
async def test_who_decides_is_what_the_settings_say(llm, models, said, versions) -> None:
    embedded = Deciders(models.judge, models.decomposer, models.decomposer)
    found = deciders(settings(**said), embedded, llm)
    for port, version in zip(found, versions, strict=True):
        assert port.version.startswith(version)


async def test_tokens_are_counted_by_stage(llm, models) -> None:
    metrics = Metrics()
    embedded = Deciders(models.judge, models.decomposer, models.decomposer)
    found = deciders(
        settings(judge="llm"),
        embedded,
        llm,
        lambda inner, stage: TimedLanguageModel(inner, metrics, stage),
    )
    judgement = await judge_of_text(found.judge).judge("Denies chest pain.", [FACT])
    counted = metrics.registry.get_sample_value(
        "chartproof_llm_tokens_total", {"stage": "judging", "kind": "prompt"}
    )
    assert counted == judgement.usage.prompt_tokens > 0
    assert b"chest" not in generate_latest(metrics.registry)


def test_the_options_of_a_command() -> None:
    assert chosen_llm(False, None, None, None) == NO_LLM
    small = chosen_llm(True, None, None, None)
    assert (small.small, small.changes["judge"]) == (True, "cascade")
    own = chosen_llm(False, "http://gpu:8000/v1", "m", None)
    assert (own.small, own.changes["judge"], own.changes["llm_model"]) == (False, "llm", "m")
    with pytest.raises(typer.BadParameter):
        chosen_llm(True, None, None, "oracle")

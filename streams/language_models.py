"""Settings -> judge and decomposers: the embedded ones, those over a language model, or both."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol

from agents.adapters.llm.cascade import Budget, CascadeJudge
from agents.adapters.llm.confidence import Curves
from agents.adapters.llm.decomposer import LlmDecomposer
from agents.adapters.llm.fallback import FallbackDecomposer, FallbackJudge
from agents.adapters.llm.judge import JudgeOptions, LlmJudge
from agents.adapters.llm.judge_answer import Modes
from agents.adapters.llm.patience import PatientModel
from agents.errors import ChartproofError
from agents.ports import Decomposer, Judge, LanguageModel
from streams.dependencies import triton_certificates
from streams.settings import Settings

Wrap = Callable[[LanguageModel, str], LanguageModel]
"""A language model and the stage it is for -> the same, observed."""


class OpenModel(LanguageModel, Protocol):
    async def close(self) -> None: ...


class Deciders(NamedTuple):
    """What judges propositions, splits texts and splits notes."""

    judge: Judge
    decomposer: Decomposer
    note_decomposer: Decomposer


def wants_llm(settings: Settings) -> bool:
    return settings.judge != "embedded" or "llm" in (settings.decomposer, settings.note_decomposer)


def open_llm(settings: Settings) -> OpenModel | None:
    """The client of the language model, where the settings have one take part; nothing is asked
    yet. Call it in a running loop. Raises `ChartproofError`, which says what to set."""
    if not wants_llm(settings):
        return None
    return _triton(settings) if settings.llm_api == "triton" else _openai(settings)


def _openai(settings: Settings) -> OpenModel:
    if not settings.llm_url:
        raise ChartproofError(
            "CHARTPROOF_LLM_URL: the judge or decomposer is a language model, and its server is "
            "not named (`chartproof up --llm` starts a small one)"
        )
    try:
        from agents.adapters.llm.openai_server import Endpoint, OpenAIModel  # noqa: PLC0415
    except ModuleNotFoundError as missing:
        raise ChartproofError(f"{missing.name} is not installed: pip install '.[llm]'") from None
    return OpenAIModel(
        Endpoint(
            settings.llm_url,
            settings.llm_model,
            key=settings.llm_key,
            ca_file=settings.llm_ca_file,
            timeout_s=settings.llm_timeout_s,
            structured=settings.llm_structured,
            context_tokens=settings.llm_context_tokens,
        )
    )


def _triton(settings: Settings) -> OpenModel:
    try:
        from agents.adapters.llm.chat_template import ChatTemplate  # noqa: PLC0415
        from agents.adapters.llm.triton_vllm import TritonVllm  # noqa: PLC0415
    except ModuleNotFoundError as missing:
        raise ChartproofError(f"{missing.name} is not installed: pip install '.[llm]'") from None
    return TritonVllm(
        settings.llm_url or settings.triton_url,
        settings.llm_model,
        template=ChatTemplate(settings.llm_chat_template),
        timeout_s=settings.llm_timeout_s,
        context_tokens=settings.llm_context_tokens,
        ssl=settings.triton_ssl,
        certificates=triton_certificates(settings),
    )


def deciders(
    settings: Settings,
    embedded: Deciders,
    llm: LanguageModel | None,
    wrap: Wrap = lambda llm, stage: llm,
) -> Deciders:
    """The embedded ones, with those in the place of them that the settings name."""
    if llm is None:
        return embedded
    patient = PatientModel(
        llm, concurrent=settings.llm_concurrent, overload_s=settings.llm_overload_s
    )
    judge = embedded.judge
    if settings.judge != "embedded":
        judge = _judge(settings, embedded.judge, wrap(patient, "judging"))
    decomposer, notes = embedded.decomposer, embedded.note_decomposer
    if settings.decomposer == "llm":
        decomposer = _decomposer(settings, decomposer, wrap(patient, "decomposition"))
    if settings.note_decomposer == "llm":
        notes = _decomposer(settings, notes, wrap(patient, "notes"))
    return Deciders(judge, decomposer, notes)


def _decomposer(settings: Settings, embedded: Decomposer, llm: LanguageModel) -> Decomposer:
    result = LlmDecomposer(llm, embedded)
    return FallbackDecomposer(result, embedded) if settings.llm_away == "embedded" else result


def _judge(settings: Settings, embedded: Judge, llm: LanguageModel) -> Judge:
    judge: Judge = LlmJudge(llm, judge_options(settings, llm))
    if settings.llm_away == "embedded":
        judge = FallbackJudge(judge, embedded)
    if settings.judge == "llm":
        return judge
    budget = Budget(
        calls=settings.llm_calls_per_text,
        tokens=settings.llm_tokens_per_text,
        seconds=settings.llm_seconds_per_text,
    )
    return CascadeJudge(
        embedded, judge, confidence_threshold=settings.cascade_confidence_threshold, budget=budget
    )


def judge_options(settings: Settings, llm: LanguageModel) -> JudgeOptions:
    """Raises `ChartproofError` when the curves are another judge's."""
    options = JudgeOptions(
        Modes(
            reasoning=settings.llm_reasoning,
            few_shot=settings.llm_few_shot,
            dual_label=settings.llm_dual_label,
            own_queries=settings.llm_own_queries,
        ),
        together=settings.llm_together,
        samples=settings.llm_samples,
    )
    if settings.llm_calibration is None:
        return options
    version = LlmJudge(llm, options).version
    return JudgeOptions(
        options.modes,
        options.together,
        options.samples,
        Curves.read(settings.llm_calibration, version),
    )

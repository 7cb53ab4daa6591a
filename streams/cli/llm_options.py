"""The options of commands that start a stack with a language model in it."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import typer

from streams.settings import load_settings

Llm = Annotated[
    bool, typer.Option("--llm", help="A small language model judges, started beside the stack")
]
LlmUrl = Annotated[
    str | None, typer.Option(help="An OpenAI-compatible server in its place: http://host:8000/v1")
]
LlmModel = Annotated[str | None, typer.Option(help="As that server calls it")]
JudgeChoice = Annotated[
    str | None,
    typer.Option(
        help="With a language model: llm, or cascade, in which it judges what the cpu judge is not"
        " sure of [default: llm; cascade for the small model]"
    ),
]
SMALL: dict[str, Any] = {
    "judge": "cascade",
    "llm_reasoning": False,
    "llm_few_shot": False,
    "llm_calls_per_text": 4,
}
"""What a model of this size on a CPU can do while somebody looks on: some 5 s a call."""


class LlmChoice(NamedTuple):
    """`small`: start one. `changes`: the settings that make it take part."""

    small: bool
    changes: dict[str, Any]


NO_LLM = LlmChoice(False, {})


def chosen_llm(llm: bool, url: str | None, model: str | None, judge: str | None) -> LlmChoice:
    """The key and how it is asked are the environment's (`CHARTPROOF_LLM_*`)."""
    if judge not in (None, "llm", "cascade"):
        raise typer.BadParameter("llm or cascade", param_hint="--judge")
    if not llm and not url:
        return NO_LLM
    given = load_settings()
    names = [name for name in type(given).model_fields if name.startswith(("llm_", "cascade_"))]
    changes = {name: getattr(given, name) for name in names} | ({"judge": "llm"} if url else SMALL)
    if judge:
        changes["judge"] = judge
    if url:
        changes["llm_url"] = url
    if model:
        changes["llm_model"] = model
    return LlmChoice(small=not url, changes=changes)

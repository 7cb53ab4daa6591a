"""Messages as the one prompt that a model was trained on; Triton's vLLM backend applies none.

A model's own template is a Jinja file beside its weights: `chat_template.jinja`, or the field
`chat_template` of `tokenizer_config.json`. Without one it is ChatML, which SmolLM2 and Qwen read.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

from jinja2 import TemplateError
from jinja2.sandbox import ImmutableSandboxedEnvironment

from agents.errors import ChartproofError
from agents.ports import Message

CHATML = (
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
_TOKENS = ("bos_token", "eos_token", "unk_token", "pad_token")


class ChatTemplate:
    """Raises `ChartproofError` when the file is no template."""

    def __init__(self, path: Path | None = None) -> None:
        try:
            source, self._tokens = (CHATML, {}) if path is None else _read(path)
            environment = ImmutableSandboxedEnvironment(
                trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.loopcontrols"]
            )
            environment.globals["raise_exception"] = _refuse
            self._template = environment.from_string(source)
        except (OSError, ValueError, KeyError, TemplateError) as error:
            raise ChartproofError(
                f"CHARTPROOF_LLM_CHAT_TEMPLATE: {path}: {type(error).__name__}"
            ) from None

    def prompt(self, messages: Sequence[Message]) -> str:
        """Templates that know no system message have it in front of the first user's."""
        given = [{"role": each.role, "content": each.content} for each in messages]
        try:
            return self._render(given)
        except TemplateError:
            if given[0]["role"] != "system" or len(given) < 2:
                raise
            first = {**given[1], "content": f"{given[0]['content']}\n\n{given[1]['content']}"}
            return self._render([first, *given[2:]])

    def _render(self, messages: list[dict[str, str]]) -> str:
        return self._template.render(messages=messages, add_generation_prompt=True, **self._tokens)


def _read(path: Path) -> tuple[str, dict[str, str]]:
    text = path.read_text("utf-8")
    if path.suffix != ".json":
        return text, dict.fromkeys(_TOKENS, "")
    given: dict[str, Any] = json.loads(text)
    tokens = {name: _token(given.get(name)) for name in _TOKENS}
    return str(given["chat_template"]), tokens


def _token(given: Any) -> str:  # noqa: ANN401 - text, or an object with it
    return str(given.get("content", "")) if isinstance(given, dict) else str(given or "")


def _refuse(message: str) -> NoReturn:
    raise TemplateError(message)

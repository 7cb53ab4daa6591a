"""A question with an answer of a given shape; a bad answer is asked for once more, with the error.

A refusal and an answer that was cut off are bad answers too. After the second one it is a
`ModelError`, which ends one proposition and no other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from agents.adapters.llm.errors import BadAnswer
from agents.errors import ModelError
from agents.ports import Completion, LanguageModel, Message
from schemas.usage import Usage

T = TypeVar("T")

ATTEMPTS = 2


@dataclass(frozen=True)
class Asked:
    """A prompt, the shape of its answer, and how it is sampled."""

    messages: tuple[Message, ...]
    schema: Mapping[str, Any]
    max_tokens: int
    temperature: float = 0.0
    seed: int = 0
    logprobs: bool = False


@dataclass(frozen=True)
class Answer(Generic[T]):
    value: T
    completion: Completion
    usage: Usage
    """Of all attempts."""


class NoAnswer(ModelError):
    """The model gave no usable answer, as often as it was asked."""


async def ask(
    llm: LanguageModel, asked: Asked, read: Callable[[str], T], *, model: str
) -> Answer[T]:
    """`read` of the answer, which raises `BadAnswer`. Raises `NoAnswer` and `TransientError`.

    `model` is the port that asks, as errors name it.
    """
    messages, usage = asked.messages, Usage()
    for _ in range(ATTEMPTS):
        completion = await llm.complete(
            messages,
            schema=asked.schema,
            max_tokens=asked.max_tokens,
            temperature=asked.temperature,
            seed=asked.seed,
            logprobs=asked.logprobs,
        )
        usage += completion.usage
        try:
            _whole(completion)
            return Answer(read(completion.text), completion, usage)
        except BadAnswer as error:
            wrong = error
        messages = _again(asked.messages, wrong)
    raise NoAnswer(model, f"the {model} gave no usable answer in {ATTEMPTS} attempts", usage)


def _whole(completion: Completion) -> None:
    if completion.finish == "refused":
        raise BadAnswer("You gave no answer. The task is to compare two texts; answer it.")
    if completion.finish == "length":
        raise BadAnswer("Your answer was too long and was cut off. Answer more briefly.")


def _again(messages: Sequence[Message], wrong: BadAnswer) -> tuple[Message, ...]:
    """The prompt with the error behind it: roles still alternate, as some templates ask for."""
    *before, last = messages
    correction = f"An earlier answer could not be used: {wrong} Answer in the form asked for."
    return (*before, Message(last.role, f"{last.content}\n\n{correction}"))

"""What an answer has cost: calls, tokens, seconds."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field

from schemas.events import Frozen

Stage = Literal["decomposition", "retrieval", "judging", "omissions", "citations"]
"""The parts of a verification that models work for."""


class Usage(Frozen):
    """Sums over calls. Tokens are as the language model's server counts them."""

    calls: int = Field(0, ge=0, description="Calls of models, those of a language model included")
    llm_calls: int = Field(0, ge=0, description="Calls of a language model, retries included")
    prompt_tokens: int = Field(0, ge=0)
    output_tokens: int = Field(0, ge=0)
    seconds: float = Field(
        0.0, ge=0.0, description="Time in calls; those at the same time each count"
    )

    def __add__(self, other: Self) -> Usage:
        return Usage(
            calls=self.calls + other.calls,
            llm_calls=self.llm_calls + other.llm_calls,
            prompt_tokens=self.prompt_tokens + other.prompt_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            seconds=self.seconds + other.seconds,
        )

    @property
    def tokens(self) -> int:
        return self.prompt_tokens + self.output_tokens

    def split(self, parts: int) -> list[Usage]:
        """Shares that add up to it, for what one call did for several."""
        return [
            Usage(
                calls=_share(self.calls, n, parts),
                llm_calls=_share(self.llm_calls, n, parts),
                prompt_tokens=_share(self.prompt_tokens, n, parts),
                output_tokens=_share(self.output_tokens, n, parts),
                seconds=self.seconds / parts,
            )
            for n in range(parts)
        ]


NO_USAGE = Usage()


def _share(whole: int, n: int, parts: int) -> int:
    return whole // parts + (n < whole % parts)

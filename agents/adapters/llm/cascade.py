"""The embedded judge decides what it is sure of, the language model the rest, within a budget.

The budget is one text's. When it is spent the embedded judge's verdict stands, however unsure, and
says so by its confidence; every verdict names the judge that it is of.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from agents.errors import ModelError
from agents.ports import Judge, Judgement, ShownFact, judge_of_text
from schemas.usage import NO_USAGE, Usage
from schemas.verdicts import Verdict

DECIDED = frozenset({Verdict.SUPPORTED, Verdict.NOT_SUPPORTED})
BUDGET_SPENT = "budget_spent"


@dataclass(frozen=True)
class Budget:
    """What a language model may cost for one text; None: no bound."""

    calls: int | None = None
    tokens: int | None = None
    seconds: float | None = None
    """From its first question on, by the clock."""


@dataclass
class Spending:
    """`asked` counts questions that run, each of which is a call at the most."""

    budget: Budget
    usage: Usage = NO_USAGE
    asked: int = 0
    started: float | None = field(default=None)

    @property
    def over(self) -> bool:
        budget, now = self.budget, time.monotonic()
        return (
            (budget.calls is not None and self.usage.llm_calls + self.asked >= budget.calls)
            or (budget.tokens is not None and self.usage.tokens >= budget.tokens)
            or (
                budget.seconds is not None
                and self.started is not None
                and now - self.started >= budget.seconds
            )
        )


class CascadeJudge:
    """`confidence_threshold`: the embedded judge's confidence from which its `supported` and
    `not_supported` are final. `not_addressed` never is: the chart may word it otherwise."""

    def __init__(
        self, embedded: Judge, llm: Judge, *, confidence_threshold: float, budget: Budget
    ) -> None:
        self._embedded = embedded
        self._llm = llm
        self._confidence_threshold = confidence_threshold
        self._budget = budget

    @property
    def version(self) -> str:
        return f"cascade {self._embedded.version} -> {self._llm.version}"

    async def check(self) -> None:
        await self._embedded.check()
        await self._llm.check()

    def for_text(self) -> Judge:
        return _TextCascade(self, self._embedded, judge_of_text(self._llm), self._budget)

    async def judge(  # noqa: PLR0913 - as the port says
        self,
        proposition: str,
        facts: Sequence[ShownFact],
        *,
        section: str | None = None,
        as_of: datetime | None = None,
        abstain_below: float = 0.0,
        surroundings: str | None = None,
    ) -> Judgement:
        return await self.for_text().judge(
            proposition,
            facts,
            section=section,
            as_of=as_of,
            abstain_below=abstain_below,
            surroundings=surroundings,
        )

    def is_confident(self, judgement: Judgement) -> bool:
        return judgement.verdict in DECIDED and judgement.confidence >= self._confidence_threshold


class _TextCascade:
    def __init__(self, cascade: CascadeJudge, embedded: Judge, llm: Judge, budget: Budget) -> None:
        self._cascade = cascade
        self._embedded = embedded
        self._llm = llm
        self._spending = Spending(budget)

    @property
    def version(self) -> str:
        return self._cascade.version

    async def check(self) -> None:
        await self._cascade.check()

    async def judge(  # noqa: PLR0913 - as the port says
        self,
        proposition: str,
        facts: Sequence[ShownFact],
        *,
        section: str | None = None,
        as_of: datetime | None = None,
        abstain_below: float = 0.0,
        surroundings: str | None = None,
    ) -> Judgement:
        first = await self._embedded.judge(
            proposition,
            facts,
            section=section,
            as_of=as_of,
            abstain_below=abstain_below,
            surroundings=surroundings,
        )
        first = replace(first, judged_by=self._embedded.version)
        if self._cascade.is_confident(first):
            return first
        if self._spending.over:
            return replace(first, checks=(*first.checks, BUDGET_SPENT))
        self._spending.started = self._spending.started or time.monotonic()
        self._spending.asked += 1
        try:
            second = await self._llm.judge(
                proposition,
                facts,
                section=section,
                as_of=as_of,
                abstain_below=abstain_below,
                surroundings=surroundings,
            )
        except ModelError as error:
            self._spending.usage += error.usage
            raise
        finally:
            self._spending.asked -= 1
        self._spending.usage += second.usage
        return replace(second, judged_by=second.judged_by or self._llm.version)

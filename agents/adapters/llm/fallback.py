"""The embedded models in place of a language model that is away, where a site prefers that to
waiting. Every verdict then names the judge that it is of.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from agents.errors import TransientError
from agents.ports import Decomposed, Decomposer, Judge, Judgement, ShownFact, Span, judge_of_text
from schemas.texts import Decomposition, Unit

TRY_AGAIN_S = 30.0
"""A model that is away costs no text its deadline again until this has passed."""


class Absence:
    """Whether a language model was away a moment ago."""

    def __init__(self, again_s: float = TRY_AGAIN_S) -> None:
        self._again_s = again_s
        self._until = 0.0

    @property
    def lasts(self) -> bool:
        return time.monotonic() < self._until

    def noticed(self) -> None:
        self._until = time.monotonic() + self._again_s


class FallbackJudge:
    def __init__(self, llm: Judge, embedded: Judge, absence: Absence | None = None) -> None:
        self._llm = llm
        self._embedded = embedded
        self._absence = absence or Absence()

    @property
    def version(self) -> str:
        return self._llm.version

    async def check(self) -> None:
        """The embedded judge is enough to go on with."""
        await self._embedded.check()

    def for_text(self) -> Judge:
        return FallbackJudge(judge_of_text(self._llm), self._embedded, self._absence)

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
        if not self._absence.lasts:
            try:
                return await self._llm.judge(
                    proposition,
                    facts,
                    section=section,
                    as_of=as_of,
                    abstain_below=abstain_below,
                    surroundings=surroundings,
                )
            except TransientError:
                self._absence.noticed()
        result = await self._embedded.judge(
            proposition,
            facts,
            section=section,
            as_of=as_of,
            abstain_below=abstain_below,
            surroundings=surroundings,
        )
        return replace(result, judged_by=self._embedded.version)


class FallbackDecomposer:
    def __init__(self, llm: Decomposer, embedded: Decomposer) -> None:
        self._llm = llm
        self._embedded = embedded
        self._absence = Absence()

    @property
    def version(self) -> str:
        return self._llm.version

    async def check(self) -> None:
        await self._embedded.check()

    async def decompose(self, text: str, unit: Unit) -> list[Span]:
        if not self._absence.lasts:
            try:
                return await self._llm.decompose(text, unit)
            except TransientError:
                self._absence.noticed()
        return await self._embedded.decompose(text, unit)

    async def propositions(
        self, text: str, unit: Unit, mode: Decomposition = "direct"
    ) -> Decomposed:
        if not self._absence.lasts:
            try:
                return await self._llm.propositions(text, unit, mode)
            except TransientError:
                self._absence.noticed()
        return await self._embedded.propositions(text, unit, mode)

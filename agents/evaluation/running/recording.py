"""A judge that remembers what it was shown, proposition by proposition.

The engine asks it in the task of the proposition, possibly several times; the verdict event,
emitted in the same task, says which answer stood.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from agents.ports import Judge, Judgement, ShownFact
from schemas.verdicts import JudgedProposition


@dataclass(frozen=True)
class Call:
    proposition: str
    facts: tuple[ShownFact, ...]
    section: str | None
    as_of: datetime | None
    surroundings: str | None
    judgement: Judgement


class RecordingJudge(Judge):
    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self._calls: dict[asyncio.Task[object], list[Call]] = {}

    @property
    def version(self) -> str:
        return self._judge.version

    async def check(self) -> None:
        await self._judge.check()

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
        judgement = await self._judge.judge(
            proposition,
            facts,
            section=section,
            as_of=as_of,
            abstain_below=abstain_below,
            surroundings=surroundings,
        )
        call = Call(proposition, tuple(facts), section, as_of, surroundings, judgement)
        self._calls.setdefault(_task(), []).append(call)
        return judgement

    def take(self, judged: JudgedProposition) -> Call | None:
        """The call of this task whose answer the verdict is; None where none was made."""
        calls = self._calls.pop(_task(), [])
        same = [
            call
            for call in calls
            if (call.judgement.confidence, len(call.facts))
            == (judged.confidence, judged.facts_shown)
        ]
        return (same or calls)[-1] if calls else None


def _task() -> asyncio.Task[object]:
    task = asyncio.current_task()
    assert task is not None, "a judge is asked inside a task"
    return task

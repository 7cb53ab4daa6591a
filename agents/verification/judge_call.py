"""Asking the judge: with the rules that no judge can overrule.

Without cited evidence nothing is `supported`, under `abstain_below` nothing is decided, and only
what was shown can be cited.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from agents.errors import DeadlineExceeded, ModelError
from agents.ports import Judge, Judgement, ShownFact
from schemas.verdicts import Verdict


@dataclass(frozen=True)
class Question:
    """A statement and what the judge may know of it. See `agents.ports.Judge`."""

    statement: str
    facts: Sequence[ShownFact]
    section: str | None = None
    as_of: datetime | None = None
    abstain_below: float = 0.0
    surroundings: str | None = None


async def ask(judge: Judge, question: Question) -> Judgement:
    """The judgement under the engine's own rules. Raises what the judge raises."""
    judgement = await judge.judge(
        question.statement,
        question.facts,
        section=question.section,
        as_of=question.as_of,
        abstain_below=question.abstain_below,
        surroundings=question.surroundings,
    )
    if not {fact.fact_id for fact in question.facts}.issuperset(judgement.cited):
        raise ModelError("judge", "the judge cites facts that it was not shown")
    return enforced(judgement, question.abstain_below)


async def ask_once(judge: Judge, question: Question) -> Judgement | None:
    """The same for a side question: None when the judge has no answer but is healthy."""
    try:
        return await ask(judge, question)
    except ModelError:
        return None
    except DeadlineExceeded:
        await judge.check()
        return None


def enforced(judgement: Judgement, abstain_below: float) -> Judgement:
    if judgement.verdict == Verdict.SUPPORTED and not judgement.cited:
        reason = "The judge calls it supported and cites nothing; without evidence that is open."
        return replace(judgement, verdict=Verdict.ABSTAINED, reason=reason, checks=("no_evidence",))
    if judgement.confidence < abstain_below:
        return replace(judgement, verdict=Verdict.ABSTAINED)
    return judgement

"""Two judges: who decides what, within which budget, and who stands in for whom."""

import asyncio

import pytest

from agents.adapters.llm.cascade import Budget, CascadeJudge
from agents.adapters.llm.fallback import Absence, FallbackJudge
from agents.errors import DependencyUnavailable, ModelError
from agents.ports import Judge, Judgement, ShownFact, judge_of_text
from schemas.usage import Usage
from schemas.verdicts import Verdict

FACTS = (ShownFact("a", "Takes aspirin.", None, None, None, "d", 0.5),)


class Fixed:
    """Says one thing, at a price; `healthy` is what its check finds."""

    def __init__(self, version: str, verdict: Verdict, confidence: float, tokens: int = 0) -> None:
        self.version = version
        self.answer = Judgement(
            verdict,
            confidence,
            "As it is.",
            usage=Usage(llm_calls=int(tokens > 0), prompt_tokens=tokens),
        )
        self.error: Exception | None = None
        self.calls = 0

    async def check(self) -> None:
        if self.error:
            raise self.error

    async def judge(self, proposition: str, facts, **options: object) -> Judgement:
        self.calls += 1
        if self.error:
            raise self.error
        await asyncio.sleep(0)
        return self.answer


def cascade(embedded: Judge, llm: Judge, **budget: float) -> CascadeJudge:
    return CascadeJudge(embedded, llm, confidence_threshold=0.9, budget=Budget(**budget))


@pytest.mark.parametrize(
    ("verdict", "confidence", "decides"),
    [
        (Verdict.SUPPORTED, 0.95, "cpu"),
        (Verdict.NOT_SUPPORTED, 0.9, "cpu"),
        (Verdict.SUPPORTED, 0.89, "llm"),
        (Verdict.NOT_ADDRESSED, 0.99, "llm"),
        (Verdict.ABSTAINED, 0.99, "llm"),
    ],
)
async def test_the_language_model_decides_what_the_embedded_judge_is_not_sure_of(
    verdict, confidence, decides
) -> None:
    embedded = Fixed("cpu", verdict, confidence)
    llm = Fixed("llm", Verdict.NOT_SUPPORTED, 0.8, tokens=100)
    found = await cascade(embedded, llm).judge("p", FACTS)
    assert found.judged_by == decides
    assert found.usage.prompt_tokens == (100 if decides == "llm" else 0)


@pytest.mark.parametrize("budget", [{"calls": 2}, {"tokens": 150}])
async def test_the_budget_is_one_texts(budget) -> None:
    embedded = Fixed("cpu", Verdict.SUPPORTED, 0.5)
    llm = Fixed("llm", Verdict.NOT_SUPPORTED, 0.8, tokens=100)
    judge = cascade(embedded, llm, **budget)
    for _ in range(2):
        text = judge_of_text(judge)
        found = [await text.judge(str(n), FACTS) for n in range(4)]
        assert [each.judged_by for each in found] == ["llm", "llm", "cpu", "cpu"]
        assert "budget_spent" in found[3].checks
        assert found[3].verdict == Verdict.SUPPORTED


async def test_questions_at_the_same_time_do_not_overdraw_the_calls() -> None:
    embedded = Fixed("cpu", Verdict.SUPPORTED, 0.5)
    llm = Fixed("llm", Verdict.NOT_SUPPORTED, 0.8, tokens=100)
    text = judge_of_text(cascade(embedded, llm, calls=3))
    await asyncio.gather(*(text.judge(str(n), FACTS) for n in range(9)))
    assert llm.calls == 3


async def test_no_time_is_no_language_model_after_the_first_question() -> None:
    embedded = Fixed("cpu", Verdict.SUPPORTED, 0.5)
    llm = Fixed("llm", Verdict.NOT_SUPPORTED, 0.8, tokens=100)
    text = judge_of_text(cascade(embedded, llm, seconds=0.0))
    found = [await text.judge(str(n), FACTS) for n in range(2)]
    assert [each.judged_by for each in found] == ["llm", "cpu"]


async def test_an_error_of_the_language_model_is_no_verdict_of_the_other() -> None:
    llm = Fixed("llm", Verdict.SUPPORTED, 0.9)
    llm.error = ModelError("judge", "no usable answer")
    with pytest.raises(ModelError):
        await cascade(Fixed("cpu", Verdict.SUPPORTED, 0.5), llm).judge("p", FACTS)


async def test_the_version_names_both() -> None:
    judge = cascade(Fixed("cpu", Verdict.SUPPORTED, 0.5), Fixed("llm", Verdict.SUPPORTED, 0.5))
    assert judge.version == "cascade cpu -> llm"


# Fallback


AWAY = DependencyUnavailable("llm", "gone")


async def test_while_the_language_model_is_away_the_embedded_judge_stands_in_and_says_so() -> None:
    embedded = Fixed("cpu", Verdict.SUPPORTED, 0.7)
    llm = Fixed("llm", Verdict.NOT_SUPPORTED, 0.8)
    judge = FallbackJudge(llm, embedded, Absence(0.0))
    assert (await judge.judge("p", FACTS)).judged_by is None
    llm.error = AWAY
    found = await judge.judge("p", FACTS)
    assert (found.verdict, found.judged_by) == (Verdict.SUPPORTED, "cpu")
    await judge.check()
    llm.error = None
    assert (await judge.judge("p", FACTS)).verdict == Verdict.NOT_SUPPORTED


async def test_who_was_away_is_not_asked_again_at_once() -> None:
    llm = Fixed("llm", Verdict.NOT_SUPPORTED, 0.8)
    llm.error = AWAY
    judge = FallbackJudge(llm, Fixed("cpu", Verdict.SUPPORTED, 0.7), Absence(60.0))
    for _ in range(3):
        await judge_of_text(judge).judge("p", FACTS)
    assert llm.calls == 1


async def test_a_bad_answer_is_no_absence() -> None:
    llm = Fixed("llm", Verdict.NOT_SUPPORTED, 0.8)
    llm.error = ModelError("judge", "no usable answer")
    with pytest.raises(ModelError):
        await FallbackJudge(llm, Fixed("cpu", Verdict.SUPPORTED, 0.7)).judge("p", FACTS)


async def test_in_a_cascade_the_one_that_stood_in_is_named() -> None:
    embedded = Fixed("cpu", Verdict.SUPPORTED, 0.5)
    llm = Fixed("llm", Verdict.NOT_SUPPORTED, 0.8)
    llm.error = AWAY
    found = await cascade(embedded, FallbackJudge(llm, embedded)).judge("p", FACTS)
    assert found.judged_by == "cpu"

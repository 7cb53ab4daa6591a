"""The judge over a language model.

What the chart and the text say is data (`quoting`), answers are held to a schema and read again
(`judge_answer`), and a bad one is asked for once more (`structured_answer`). A judge for one text
(`for_text`) puts propositions with overlapping evidence into one call; a text that may be speaking
to whoever reads the prompt stands in a call by itself, so that it can sway no other verdict.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from typing import Any

from agents.adapters.llm import judge_answer
from agents.adapters.llm.answer_cache import AnswerCache, content_key
from agents.adapters.llm.confidence import Curves, label_probabilities, majority
from agents.adapters.llm.judge_answer import LABELS, Modes, Said
from agents.adapters.llm.prompts import load_prompt
from agents.adapters.llm.quoting import bounded, escaped, known, speaks_to_a_model, tokens
from agents.adapters.llm.structured_answer import Answer, Asked, NoAnswer, ask
from agents.adapters.llm.together import Together
from agents.errors import ModelError
from agents.ports import Judgement, LanguageModel, Message, ShownFact
from schemas.usage import Usage
from schemas.verdicts import Verdict

MODEL = "judge"
ANSWER_TOKENS = 160
"""Of one statement without a reason."""
REASON_TOKENS = 240
SAMPLED_AT = 0.7
"""Temperature of samples: at 0 all are alike."""
OVERLAP = 0.25
"""Share of a question's evidence that another must have, to go with it."""
KEPT_ANSWERS = 4_096


@dataclass(frozen=True)
class JudgeOptions:
    """`together`: statements in one call; `samples`: answers where no log-probabilities are given.

    With one sample and no log-probabilities nothing is known, and confidence is even odds.
    """

    modes: Modes = field(default_factory=Modes)
    together: int = 4
    samples: int = 3
    curves: Curves = field(default_factory=Curves)


@dataclass(frozen=True, eq=False)
class Case:
    """What is asked: a statement, and what may be known of it."""

    statement: str
    facts: tuple[ShownFact, ...]
    section: str | None
    as_of: datetime | None
    surroundings: str | None

    @cached_property
    def suspect(self) -> bool:
        texts = (self.statement, self.section or "", *(fact.text for fact in self.facts))
        return speaks_to_a_model(*texts)

    @cached_property
    def ids(self) -> frozenset[str]:
        return frozenset(fact.fact_id for fact in self.facts)

    @property
    def told(self) -> dict[str, Any]:
        return known(
            {
                "text": bounded(self.statement),
                "section": self.section and bounded(self.section),
                "surroundings": self.surroundings and bounded(self.surroundings),
            }
        )


class LlmJudge:
    def __init__(self, llm: LanguageModel, options: JudgeOptions | None = None) -> None:
        self._llm = llm
        self._options = options or JudgeOptions()
        self._prompt = load_prompt("judge", *self._options.modes.prompts)
        self._kept: AnswerCache[Judgement] = AnswerCache(KEPT_ANSWERS)
        self._logprobs = True

    @property
    def version(self) -> str:
        return f"llm {self._llm.version} {self._prompt.version}"

    async def check(self) -> None:
        await self._llm.check()

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

    def for_text(self) -> TextJudge:
        return TextJudge(self)

    def groups(self, cases: Sequence[Case]) -> list[list[Case]]:
        """Cases with overlapping evidence, as many as the context and the options allow."""
        groups: list[list[Case]] = []
        for case in cases:
            fitting = (group for group in groups if self._goes_with(case, group))
            group = next(fitting, None)
            if group is None:
                groups.append([case])
            else:
                group.append(case)
        return groups

    async def answers(self, cases: Sequence[Case]) -> Sequence[Judgement | Exception]:
        """A judgement a case. Where a common answer is bad, each is asked alone."""
        try:
            return await self._answers(cases)
        except NoAnswer as error:
            if len(cases) == 1:
                return [error]
            spent = error.usage.split(len(cases))
            result: list[Judgement | Exception] = []
            for case, share in zip(cases, spent, strict=True):
                [alone] = await self.answers([case])
                result.append(_with_usage(alone, share))
            return result
        except ModelError as error:
            # The server's own refusal: a prompt that is too long, as a rule.
            if len(cases) == 1:
                return [error]
            return [(await self.answers([case]))[0] for case in cases]

    def kept(self, case: Case) -> Judgement | None:
        """What was answered to the same question before, at no cost; about the facts of now."""
        before = self._kept.get(self._key(case))
        return before and _of(before, case)

    # One call

    def _goes_with(self, case: Case, group: Sequence[Case]) -> bool:
        first = group[0]
        if len(group) >= self._options.together or case.suspect or first.suspect:
            return False
        if case.as_of != first.as_of or not case.ids:
            return False
        ids = frozenset().union(*(each.ids for each in group))
        if len(case.ids & ids) < OVERLAP * min(len(case.ids), len(ids)):
            return False
        return self._fits([*group, case])

    def _fits(self, cases: Sequence[Case]) -> bool:
        needed = sum(tokens(message.content) for message in self._messages(cases, _facts(cases)))
        return needed + self._answer_tokens(len(cases)) <= self._llm.context_tokens

    async def _answers(self, cases: Sequence[Case]) -> list[Judgement]:
        facts = self._within_context(cases)
        answer = await self._ask(cases, facts, logprobs=self._logprobs)
        given = answer.value
        sure = label_probabilities(answer.completion.tokens, LABELS)
        usage = answer.usage
        if len(sure) != len(cases):
            self._logprobs = self._logprobs and bool(answer.completion.tokens)
            given, sure, more = await self._sampled(cases, facts, given)
            usage += more
        shares = usage.split(len(cases))
        result = [self._judgement(*each, facts) for each in zip(given, sure, shares, strict=True)]
        for case, judgement in zip(cases, result, strict=True):
            if set(judgement.cited) <= case.ids:
                self._kept.put(self._key(case), _by_place(judgement, case))
        return [_cites_own(each, case) for each, case in zip(result, cases, strict=True)]

    async def _ask(
        self,
        cases: Sequence[Case],
        facts: Sequence[ShownFact],
        *,
        logprobs: bool = False,
        temperature: float = 0.0,
        seed: int = 0,
    ) -> Answer[list[Said]]:
        asked = Asked(
            messages=self._messages(cases, facts),
            schema=judge_answer.schema(len(cases), len(facts), self._options.modes),
            max_tokens=self._answer_tokens(len(cases)),
            temperature=temperature,
            seed=seed,
            logprobs=logprobs,
        )
        return await ask(
            self._llm,
            asked,
            lambda text: judge_answer.read(text, len(cases), len(facts)),
            model=MODEL,
        )

    async def _sampled(
        self, cases: Sequence[Case], facts: Sequence[ShownFact], first: list[Said]
    ) -> tuple[list[Said], list[float], Usage]:
        """The commonest answer to each case among samples, and its share of them."""
        if self._options.samples < 2:
            return first, [0.5] * len(cases), Usage()
        samples, usage = [first], Usage()
        for seed in range(1, self._options.samples):
            more = await self._ask(cases, facts, temperature=SAMPLED_AT, seed=seed)
            samples.append(more.value)
            usage += more.usage
        given, sure = [], []
        for each in zip(*samples, strict=True):
            verdict, share = majority([one.verdict for one in each])
            given.append(next(one for one in each if one.verdict == verdict))
            sure.append(share)
        return given, sure, usage

    def _messages(
        self, cases: Sequence[Case], facts: Sequence[ShownFact]
    ) -> tuple[Message, Message]:
        stated = judge_answer.user_message([case.told for case in cases], facts, cases[0].as_of)
        return Message("system", self._prompt.text), Message("user", stated)

    def _within_context(self, cases: Sequence[Case]) -> list[ShownFact]:
        """The evidence of a call. Where one case is too long, its last facts are not shown."""
        facts = _facts(cases)
        room = self._llm.context_tokens - self._answer_tokens(len(cases))
        while len(facts) > 1:
            given = self._messages(cases, facts)
            over = sum(tokens(message.content) for message in given) - room
            if over <= 0:
                break
            while len(facts) > 1 and over > 0:
                over -= tokens(escaped(judge_answer.shown_evidence(facts[-1:])))
                facts.pop()
        return facts

    def _answer_tokens(self, cases: int) -> int:
        reason = REASON_TOKENS if self._options.modes.reasoning else 0
        return cases * (ANSWER_TOKENS + reason)

    def _judgement(
        self, given: Said, sure: float, usage: Usage, facts: Sequence[ShownFact]
    ) -> Judgement:
        by_label = {judge_answer.fact_label(n): fact for n, fact in enumerate(facts)}
        cited = tuple(dict.fromkeys(by_label[label].fact_id for label in given.cited))
        return Judgement(
            verdict=Verdict(given.verdict),
            confidence=self._options.curves.probability(given.verdict, sure),
            reason=given.reason.strip() or _REASONS[given.verdict],
            cited=() if given.verdict == "not_addressed" else cited,
            checks=("language_model",),
            true_in_general=given.true_in_general,
            unsupported=given.unsupported.strip() or None,
            next_query=given.query.strip() or None,
            usage=usage,
        )

    def _key(self, case: Case) -> str:
        given = judge_answer.user_message([case.told], case.facts, case.as_of)
        return content_key(self.version, given)


class TextJudge:
    """A judge for the propositions of one text."""

    def __init__(self, judge: LlmJudge) -> None:
        self._judge = judge
        self._together: Together[Case, Judgement] = Together(judge.groups, judge.answers)

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
        case = Case(proposition, tuple(facts), section, as_of, surroundings)
        judgement = self._judge.kept(case) or await self._together.ask(case)
        if judgement.confidence < abstain_below:
            return replace(judgement, verdict=Verdict.ABSTAINED)
        return judgement


_REASONS = {
    "supported": "The language model finds it borne out by the facts cited.",
    "not_supported": "The language model finds it contradicted or borne out only in part.",
    "not_addressed": "The language model finds nothing about it in the facts shown.",
    "abstained": "The language model could not decide by the facts shown.",
}


def _facts(cases: Sequence[Case]) -> list[ShownFact]:
    """The facts of all, each once, in the order shown."""
    return list({fact.fact_id: fact for case in cases for fact in case.facts}.values())


def _cites_own(judgement: Judgement, case: Case) -> Judgement:
    """Evidence of a neighbour in the same call was not shown for this one: what rests on it alone
    is open."""
    cited = tuple(each for each in judgement.cited if each in case.ids)
    return replace(judgement, cited=cited)


def _by_place(judgement: Judgement, case: Case) -> Judgement:
    """As it is kept: facts by their place among those shown, and at no cost."""
    places = {fact.fact_id: str(n) for n, fact in enumerate(case.facts)}
    cited = tuple(places[each] for each in judgement.cited)
    return replace(judgement, cited=cited, usage=Usage())


def _of(kept: Judgement, case: Case) -> Judgement:
    return replace(kept, cited=tuple(case.facts[int(n)].fact_id for n in kept.cited))


def _with_usage(result: Judgement | Exception, spent: Usage) -> Judgement | Exception:
    if isinstance(result, Judgement):
        return replace(result, usage=result.usage + spent)
    if isinstance(result, NoAnswer):
        result.usage += spent
    return result

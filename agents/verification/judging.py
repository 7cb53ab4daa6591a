"""One proposition -> one verdict: search, judge, and search again while the judge is not confident.

An error inside one proposition is `failed` and never another verdict. The rules that no
judge can overrule are in `judge_call`.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from agents.errors import DeadlineExceeded, ModelError
from agents.ports import Judge, Judgement
from agents.verification.category import category_of
from agents.verification.citation_markers import without_markers
from agents.verification.costs import spent_in
from agents.verification.evidence_groups import EvidenceGroup
from agents.verification.judge_call import Question, ask
from agents.verification.query_refinement import queries
from agents.verification.reference_context import Kept, evidence, shown, within_budget
from agents.verification.retrieval import Retriever, with_section_coverage
from agents.verification.surrounding_text import search_query, surroundings
from schemas.propositions import Proposition
from schemas.texts import TextGenerated, VerificationSettings
from schemas.usage import NO_USAGE, Usage
from schemas.verdicts import JudgedProposition, Verdict

JUDGE_ATTEMPTS = 2
"""A call that misses its deadline is tried once more before the proposition is given up."""
DECIDED = frozenset({Verdict.SUPPORTED, Verdict.NOT_SUPPORTED})


@dataclass
class Effort:
    """What one proposition has cost so far."""

    rounds: int = 0
    judge_calls: int = 0
    usage: Usage = NO_USAGE


@dataclass(frozen=True)
class Round:
    """What a round came to: the groups shown to the judge and its judgement."""

    judgement: Judgement
    shown: Kept = field(default_factory=lambda: Kept([], 0))


@dataclass(frozen=True)
class PropositionJudge:
    retriever: Retriever
    judge: Judge

    async def decide(
        self, text: TextGenerated, proposition: Proposition, facts_in_chart: int
    ) -> JudgedProposition:
        """The verdict. Raises `TransientError` when a dependency is away, never `ModelError`."""
        effort = Effort()
        for attempt in range(1, JUDGE_ATTEMPTS + 1):
            try:
                outcome = await self._rounds(text, proposition, facts_in_chart, effort)
                return _judged(proposition, outcome, effort)
            except ModelError as error:
                return _failed(proposition, f"The {error.model} gave no usable answer.", effort)
            except DeadlineExceeded:
                if attempt == JUDGE_ATTEMPTS:
                    # Transient when the judge is gone; else this proposition is what it cannot do.
                    await self.judge.check()
        reason = f"No answer within the deadline, {JUDGE_ATTEMPTS} times."
        return _failed(proposition, reason, effort)

    async def _rounds(
        self, text: TextGenerated, proposition: Proposition, facts_in_chart: int, effort: Effort
    ) -> Round:
        """Rounds until one is confident, or until the searches are spent or bring nothing new."""
        if not facts_in_chart:
            return Round(_silent("The chart has no notes of this patient."))
        settings = text.settings
        rounds: list[Round] = []
        seen: set[tuple[str, ...]] = set()
        effort.rounds = 0
        statement = statement_of(text, proposition)
        first = search_query(text, proposition, statement)
        searches = queries(statement, first)
        wanted: str | None = None
        asked_for: set[str] = set()
        while effort.rounds < settings.max_rounds:
            # What the judge itself would look for comes before what is tried for any judge.
            query = wanted or next(searches, None)
            if query is None:
                break
            wanted = None
            effort.rounds += 1
            groups = await self.retriever.retrieve(text, query)
            new = [group for group in groups if group.key not in seen]
            if not new:
                continue
            seen.update(group.key for group in new)
            before = rounds[-1] if rounds else None
            kept = within_budget(_next(before, new, settings), settings.token_budget)
            judgement = await self._ask(text, proposition, kept.groups, effort)
            rounds.append(Round(judgement, kept))
            if is_confident(judgement, settings):
                break
            if judgement.next_query and judgement.next_query not in asked_for:
                wanted = judgement.next_query
                asked_for.add(wanted)
        if not rounds:
            reason = "No fact of this chart may be evidence here (time, scope, author)."
            return Round(_silent(reason))
        return conclusion(rounds)

    async def _ask(
        self,
        text: TextGenerated,
        proposition: Proposition,
        groups: list[EvidenceGroup],
        effort: Effort,
    ) -> Judgement:
        effort.judge_calls += 1
        started = time.perf_counter()
        question = Question(
            statement_of(text, proposition),
            shown(groups, text),
            section=proposition.section,
            as_of=text.evidence_until,
            abstain_below=text.settings.abstain_below,
            surroundings=surroundings(text, proposition),
        )
        try:
            judgement = await ask(self.judge, question)
        except ModelError as error:
            effort.usage += error.usage.model_copy(update={"calls": 0, "seconds": 0.0})
            raise
        finally:
            effort.usage += Usage(calls=1, seconds=time.perf_counter() - started)
        effort.usage += spent_in(judgement)
        return judgement


def statement_of(text: TextGenerated, proposition: Proposition) -> str:
    """What is judged: the proposition without citation markers, also where nobody asked for
    citations: `[3]` is no value of the patient's."""
    return without_markers(proposition.text, text.references) or proposition.text


def _next(
    before: Round | None, new: Sequence[EvidenceGroup], settings: VerificationSettings
) -> list[EvidenceGroup]:
    """What was cited stays in view, what is new comes next, then what was there."""
    if before is None:
        return list(new[: settings.top_n])
    cited = [p for p in before.shown.groups if p.fact.fact_id in before.judgement.cited]
    others = [p for p in before.shown.groups if p.fact.fact_id not in before.judgement.cited]
    groups = [*cited, *new, *others]
    if settings.ensure_section_coverage:
        return with_section_coverage(groups, settings.top_n)
    return groups[: settings.top_n]


def is_confident(judgement: Judgement, settings: VerificationSettings) -> bool:
    """`not_addressed` is never final: the right fact may not be retrieved yet."""
    return judgement.verdict in DECIDED and judgement.confidence >= settings.confidence_threshold


def conclusion(rounds: Sequence[Round]) -> Round:
    """The most confident round with a decided verdict; the last round where none is decided."""
    decided = [each for each in rounds if each.judgement.verdict in DECIDED]
    return max(decided or rounds[-1:], key=lambda each: each.judgement.confidence)


def _silent(reason: str) -> Judgement:
    return Judgement(Verdict.NOT_ADDRESSED, 1.0, reason, checks=("no_facts",))


def _judged(proposition: Proposition, outcome: Round, effort: Effort) -> JudgedProposition:
    judgement = outcome.judgement
    return JudgedProposition(
        proposition=proposition,
        verdict=judgement.verdict,
        confidence=judgement.confidence,
        reason=judgement.reason,
        checks=judgement.checks,
        category=category_of(
            proposition, judgement.checks if judgement.verdict is Verdict.NOT_SUPPORTED else ()
        ),
        evidence=evidence(outcome.shown.groups, judgement.cited),
        true_in_general=judgement.true_in_general,
        unsupported_spans=judgement.unsupported_spans,
        probability_supported=judgement.probability_supported,
        judged_by=judgement.judged_by,
        unsupported=judgement.unsupported,
        usage=effort.usage,
        rounds=effort.rounds,
        judge_calls=effort.judge_calls,
        facts_shown=len(outcome.shown.groups),
        facts_dropped=outcome.shown.dropped,
    )


def _failed(proposition: Proposition, reason: str, effort: Effort) -> JudgedProposition:
    return JudgedProposition(
        proposition=proposition,
        verdict=Verdict.FAILED,
        confidence=0.0,
        reason=reason,
        category=category_of(proposition),
        usage=effort.usage,
        rounds=effort.rounds,
        judge_calls=effort.judge_calls,
    )

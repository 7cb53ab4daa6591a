"""One proposition -> one verdict: search, judge, and search again while the judge is not sure.

An error inside one proposition is `failed` and never another verdict. What no judge can overrule
stands in `ask`.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from agents.errors import DeadlineExceeded, ModelError
from agents.ports import Judge, Judgement
from agents.verification.citation_markers import without_marks
from agents.verification.costs import spent_in
from agents.verification.evidence_groups import Piece
from agents.verification.judge_call import Question, ask
from agents.verification.query_refinement import queries
from agents.verification.reference_context import Kept, evidence, shown, within_budget
from agents.verification.retrieval import Retriever, with_each_section
from agents.verification.surrounding_text import looked_for, surroundings
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
    """What a round came to: the pieces before the judge and what it said."""

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
                found = await self._rounds(text, proposition, facts_in_chart, effort)
                return _judged(proposition, found, effort)
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
        """Rounds until one is sure, the searches are spent or bring nothing new."""
        if not facts_in_chart:
            return Round(_silent("The chart has no notes of this patient."))
        settings = text.settings
        rounds: list[Round] = []
        seen: set[tuple[str, ...]] = set()
        effort.rounds = 0
        statement = statement_of(text, proposition)
        first = looked_for(text, proposition, statement)
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
            pieces = await self.retriever.retrieve(text, query)
            new = [piece for piece in pieces if piece.key not in seen]
            if not new:
                continue
            seen.update(piece.key for piece in new)
            before = rounds[-1] if rounds else None
            kept = within_budget(_next(before, new, settings), settings.token_budget)
            judgement = await self._ask(text, proposition, kept.pieces, effort)
            rounds.append(Round(judgement, kept))
            if is_sure(judgement, settings):
                break
            if judgement.next_query and judgement.next_query not in asked_for:
                wanted = judgement.next_query
                asked_for.add(wanted)
        if not rounds:
            reason = "No fact of this chart may be evidence here (time, scope, author)."
            return Round(_silent(reason))
        return conclusion(rounds)

    async def _ask(
        self, text: TextGenerated, proposition: Proposition, pieces: list[Piece], effort: Effort
    ) -> Judgement:
        effort.judge_calls += 1
        started = time.perf_counter()
        question = Question(
            statement_of(text, proposition),
            shown(pieces, text),
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
    """What is judged: the proposition without citation marks, where the text has them."""
    if text.references or text.settings.citations:
        return without_marks(proposition.text, text.references) or proposition.text
    return proposition.text


def _next(
    before: Round | None, new: Sequence[Piece], settings: VerificationSettings
) -> list[Piece]:
    """What was cited stays in view, what is new comes next, then what was there."""
    if before is None:
        return list(new[: settings.top_n])
    cited = [p for p in before.shown.pieces if p.fact.fact_id in before.judgement.cited]
    others = [p for p in before.shown.pieces if p.fact.fact_id not in before.judgement.cited]
    pieces = [*cited, *new, *others]
    if settings.each_section:
        return with_each_section(pieces, settings.top_n)
    return pieces[: settings.top_n]


def is_sure(judgement: Judgement, settings: VerificationSettings) -> bool:
    """Silence is never sure: the right fact may not have been found yet."""
    return judgement.verdict in DECIDED and judgement.confidence >= settings.sure_from


def conclusion(rounds: Sequence[Round]) -> Round:
    """The most confident that found the chart to speak, which a sure one is; else the last."""
    decided = [each for each in rounds if each.judgement.verdict in DECIDED]
    return max(decided or rounds[-1:], key=lambda each: each.judgement.confidence)


def _silent(reason: str) -> Judgement:
    return Judgement(Verdict.NOT_ADDRESSED, 1.0, reason, checks=("no_facts",))


def _judged(proposition: Proposition, found: Round, effort: Effort) -> JudgedProposition:
    judgement = found.judgement
    return JudgedProposition(
        proposition=proposition,
        verdict=judgement.verdict,
        confidence=judgement.confidence,
        reason=judgement.reason,
        checks=judgement.checks,
        evidence=evidence(found.shown.pieces, judgement.cited),
        true_in_general=judgement.true_in_general,
        judged_by=judgement.judged_by,
        unsupported=judgement.unsupported,
        usage=effort.usage,
        rounds=effort.rounds,
        judge_calls=effort.judge_calls,
        facts_shown=len(found.shown.pieces),
        facts_dropped=found.shown.dropped,
    )


def _failed(proposition: Proposition, reason: str, effort: Effort) -> JudgedProposition:
    return JudgedProposition(
        proposition=proposition,
        verdict=Verdict.FAILED,
        confidence=0.0,
        reason=reason,
        usage=effort.usage,
        rounds=effort.rounds,
        judge_calls=effort.judge_calls,
    )

"""Systems that answer: ours, and what anybody could do instead, each over the same facts shown.

The two thresholds are chosen by balanced accuracy on all other patients, never on the patient that
is answered: a baseline tuned on its own test would be too good. Baselines cannot tell contradiction
from silence, so what they do not support they call `not_addressed`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from agents.evaluation.measures.outcomes import WORST_FIRST, Outcome
from agents.evaluation.measures.ranking import unsupported_score
from agents.evaluation.running.results import PropositionResult, outcome_of
from agents.evaluation.scoring.statements import Statement

OURS = "chartproof"
RULES = "rules alone"


@dataclass(frozen=True)
class Answer:
    """`score`: how likely the statement is not supported; None where there is no answer."""

    outcome: Outcome
    confidence: float
    score: float | None
    alerted: bool


Answers = tuple[Answer, ...]
"""One a statement, in order."""


def systems(statements: Sequence[Statement]) -> Mapping[str, Answers]:
    """Ours first."""
    answers: dict[str, Answers] = {
        OURS: tuple(map(ours, statements)),
        "always supported": tuple(Answer("supported", 1.0, 0.0, False) for _ in statements),
        "word overlap": _by_threshold(statements, lambda each: each.overlap),
        "embedder cosine": _by_threshold(statements, lambda each: each.cosine),
        RULES: tuple(map(by_rules, statements)),
    }
    return answers


def ours(statement: Statement) -> Answer:
    verdicts = [(outcome_of(p.verdict), p.confidence) for p in statement.propositions]
    alerted = any(p.alert is not None for p in statement.propositions)
    return _worst(verdicts, statement, alerted)


def by_rules(statement: Statement) -> Answer:
    """Ours again where the judge has no rules apart from itself, so is rules alone."""
    if all(p.rules is None for p in statement.propositions):
        return ours(statement)
    verdicts = [
        (outcome_of(p.rules.verdict), p.rules.confidence)
        if p.rules
        else (outcome_of(p.verdict), p.confidence)
        for p in statement.propositions
    ]
    alerted = any(outcome in ("not_supported", "not_addressed") for outcome, _ in verdicts)
    return _worst(verdicts, statement, alerted)


def _worst(
    verdicts: Sequence[tuple[Outcome, float]], statement: Statement, alerted: bool
) -> Answer:
    """The worst verdict; of several the surest. Support is as sure as its least sure part."""
    if statement.failed:
        return Answer("failed", 0.0, None, False)
    if not verdicts:
        return Answer("unjudged", 0.0, None, False)
    outcome = min((each for each, _ in verdicts), key=WORST_FIRST.index)
    same = [confidence for each, confidence in verdicts if each == outcome]
    confidence = min(same) if outcome == "supported" else max(same)
    scores = [s for each, c in verdicts if (s := unsupported_score(each, c)) is not None]
    score = max(scores, default=None) if outcome != "failed" else None
    return Answer(outcome, confidence, score, alerted)


def _by_threshold(
    statements: Sequence[Statement], value: Callable[[PropositionResult], float]
) -> Answers:
    """A statement is as good as its worst proposition."""
    held = [
        min(map(value, each.propositions)) if each.propositions else None for each in statements
    ]
    cuts = {
        group: _best_cut(
            [
                (v, each.label == "supported")
                for v, each in zip(held, statements, strict=True)
                if v is not None and (each.group != group or _alone(statements))
            ]
        )
        for group in {each.group for each in statements}
    }
    return tuple(_cut(each, v, cuts[each.group]) for v, each in zip(held, statements, strict=True))


def _alone(statements: Sequence[Statement]) -> bool:
    return len({each.group for each in statements}) == 1


def _cut(statement: Statement, value: float | None, cut: float) -> Answer:
    if statement.failed or value is None:
        return Answer("failed" if statement.failed else "unjudged", 0.0, None, False)
    score = min(max(1.0 - value, 0.0), 1.0)
    if value >= cut:
        return Answer("supported", 1.0 - score, score, False)
    return Answer("not_addressed", score, score, True)


def _best_cut(values: Sequence[tuple[float, bool]]) -> float:
    """Supported from here on: the value with the best balanced accuracy; 0.5 of one class."""
    right = sorted(v for v, good in values if good)
    wrong = sorted(v for v, good in values if not good)
    if not right or not wrong:
        return 0.5
    best, cut = -1.0, 0.5
    r = w = 0
    for value in sorted({v for v, _ in values}):
        while r < len(right) and right[r] < value:
            r += 1
        while w < len(wrong) and wrong[w] < value:
            w += 1
        accuracy = (len(right) - r) / len(right) + w / len(wrong)
        if accuracy > best:
            best, cut = accuracy, value
    return cut

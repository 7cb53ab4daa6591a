"""Systems that answer: ours, and what anybody could do instead, each over the same facts shown.

The two thresholds are chosen by balanced accuracy on all other patients, never on the patient that
is answered: a baseline tuned on its own test would be too good. Baselines cannot tell contradiction
from silence, so what they do not support they call `not_addressed`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from agents.evaluation.dataset import KeptAnswer
from agents.evaluation.measures.outcomes import WORST_FIRST, Outcome
from agents.evaluation.measures.ranking import unsupported_score
from agents.evaluation.running.results import PropositionResult, outcome_of
from agents.evaluation.scoring.statements import Statement

OURS = "chartproof"
RULES = "rules alone"


Answer = KeptAnswer
Answers = tuple[Answer, ...]
"""One a statement, in order."""


Kept = Mapping[str, Mapping[str, KeptAnswer]]
"""System -> span id -> answer."""


def systems(statements: Sequence[Statement], kept: Kept | None = None) -> Mapping[str, Answers]:
    """Ours first. The rules alone where the judge has them apart, or where answers are kept.

    Raises `ValueError` where kept answers lack a statement.
    """
    answers: dict[str, Answers] = {
        OURS: tuple(map(ours, statements)),
        "always supported": tuple(Answer("supported", 1.0, 0.0, False) for _ in statements),
        "word overlap": _by_threshold(statements, lambda each: each.overlap),
        "embedder cosine": _by_threshold(statements, lambda each: each.cosine),
    }
    if any(p.rules is not None for each in statements for p in each.propositions):
        answers[RULES] = tuple(map(by_rules, statements))
    for name, given in (kept or {}).items():
        lacking = sum(each.span_id not in given for each in statements)
        if lacking:
            raise ValueError(f"the answers kept of {name} lack {lacking} statements")
        answers[name] = tuple(given[each.span_id] for each in statements)
    return answers


def ours(statement: Statement) -> Answer:
    rows = statement.propositions
    verdicts = [(outcome_of(p.verdict), p.confidence, p.probability_supported) for p in rows]
    return _worst(verdicts, statement, any(p.alert is not None for p in rows))


def by_rules(statement: Statement) -> Answer:
    """Of propositions that the judge was not asked about (an empty chart) the verdict stands."""
    answers = [p.rules or p for p in statement.propositions]
    verdicts = [(outcome_of(each.verdict), each.confidence, None) for each in answers]
    alerted = any(outcome in ("not_supported", "not_addressed") for outcome, _, _ in verdicts)
    return _worst(verdicts, statement, alerted)


def _worst(
    verdicts: Sequence[tuple[Outcome, float, float | None]], statement: Statement, alerted: bool
) -> Answer:
    """The worst verdict; of several the surest. Support is as sure as its least sure part."""
    if statement.failed:
        return Answer("failed", 0.0, None, False)
    if not verdicts:
        return Answer("unjudged", 0.0, None, False)
    outcome = min((each for each, _, _ in verdicts), key=WORST_FIRST.index)
    same = [confidence for each, confidence, _ in verdicts if each == outcome]
    confidence = min(same) if outcome == "supported" else max(same)
    scores = [s for row in verdicts if (s := unsupported_score(*row)) is not None]
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

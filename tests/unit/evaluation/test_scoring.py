"""From results to figures: spans and propositions, baselines, chance, raters and references."""

from __future__ import annotations

import random

import pytest

from agents.evaluation.dataset import KeptAnswer
from agents.evaluation.running.results import (
    FlaggedResult,
    ItemResult,
    PropositionResult,
    RulesResult,
    ShownResult,
    SpanResult,
)
from agents.evaluation.scoring import raters, whole_texts
from agents.evaluation.scoring.breakdowns import (
    by,
    evidence_of,
    evidence_recall,
    overlap_of,
)
from agents.evaluation.scoring.figures import Judged, figures
from agents.evaluation.scoring.label_shuffling import with_shuffled_labels
from agents.evaluation.scoring.statements import not_verifiable, statements
from agents.evaluation.scoring.systems import OURS, RULES, ours, systems
from schemas.verdicts import Verdict

LABELS = ("supported", "not_supported", "not_addressed")


def proposition(start: int, end: int, verdict: str = "supported", **fields: object):
    whole = {"text": "x", "confidence": 0.9, "reason": "r", **fields}
    return PropositionResult(start=start, end=end, verdict=Verdict(verdict), **whole)


def span(start: int, end: int, label: str | None, **fields: object) -> SpanResult:
    return SpanResult(span_id=f"{start}", start=start, end=end, label=label, **fields)


def item(spans, propositions=(), **fields: object) -> ItemResult:
    whole = {"dataset": "d", "item_id": "i", "chart_id": "c", "group": "g", "role": "text"}
    return ItemResult(
        text="x" * 100, spans=tuple(spans), propositions=tuple(propositions), **{**whole, **fields}
    )


def many(seed: int = 1) -> list[ItemResult]:
    """Forty patients, thirty claims each, judged as labelled."""
    draw = random.Random(seed)
    results = []
    for n in range(40):
        for m in range(30):
            label = draw.choices(LABELS, (0.6, 0.25, 0.15))[0]
            fields = {"confidence": draw.uniform(0.5, 1.0), "overlap": draw.random()}
            if label != "supported":
                fields["alert"] = "high"
            results.append(
                item(
                    [span(0, 10, label)],
                    [proposition(0, 10, label, **fields)],
                    role="claim",
                    item_id=f"{n}/{m}",
                    group=f"p{n}",
                )
            )
    return results


def of(results: list[ItemResult], system: str = OURS) -> dict:
    labelled = statements(results)
    return figures(Judged.of(labelled, systems(labelled)[system]), seed=1, resamples=0)


def test_a_span_has_the_worst_verdict_of_its_propositions() -> None:
    one = item(
        [span(0, 20, "supported"), span(21, 40, "not_supported")],
        [
            proposition(0, 9),
            proposition(10, 20, "not_supported", alert="high"),
            proposition(21, 40, "abstained"),
        ],
    )
    first, second = map(ours, statements([one]))
    assert (first.outcome, first.alerted) == ("not_supported", True)
    assert (second.outcome, second.score) == ("abstained", 0.5)


def test_a_proposition_over_two_spans_speaks_for_both_and_its_lead_in_for_none() -> None:
    one = item(
        [span(0, 10, "supported"), span(11, 20, "supported"), span(21, 30, "supported")],
        [
            proposition(5, 15, "not_addressed"),
            proposition(21, 30, sources=((0, 10), (21, 30))),
        ],
    )
    assert [ours(each).outcome for each in statements([one])] == [
        "not_addressed",
        "not_addressed",
        "supported",
    ]


def test_a_span_that_is_no_proposition_is_unjudged_and_stays_in_the_table() -> None:
    one = item([span(0, 10, "not_supported"), span(11, 20, "supported")], [proposition(11, 20)])
    result = of([one])
    assert result["confusion"]["not_supported"]["unjudged"] == 1
    assert result["false_rates"]["unjudged_wrong"] == 1
    assert result["headline"]["false_support"]["value"] is None
    assert result["alerts"]["recall"] == 0.0


def test_spans_that_say_nothing_are_flagged_judged_or_ignored() -> None:
    one = item(
        [span(0, 10, "not_verifiable"), span(11, 20, "not_verifiable"), span(21, 30, None)],
        [proposition(0, 10, "not_addressed")],
        flagged=(FlaggedResult(start=11, end=20, flag="vague"),),
    )
    assert not_verifiable([one]) == {"judged": 1, "alerted": 0, "flagged": 1, "ignored": 0}
    assert statements([one]) == []


def test_with_labels_shuffled_everything_is_chance() -> None:
    results = many()
    shuffled = with_shuffled_labels(results, seed=3)
    labels = sorted(each.label for each in statements(results))
    assert sorted(each.label for each in statements(shuffled)) == labels
    right, chance = of(results)["headline"], of(shuffled)["headline"]
    wrong = 1 - labels.count("supported") / len(labels)
    assert right["auroc"]["value"] == 1.0
    assert chance["auroc"]["value"] == pytest.approx(0.5, abs=0.05)
    assert chance["balanced_accuracy"]["value"] == pytest.approx(1 / 3, abs=0.05)
    assert chance["alert_precision"]["value"] == pytest.approx(wrong, abs=0.05)
    assert chance["average_precision"]["value"] == pytest.approx(wrong, abs=0.07)
    rates = chance["false_support"]["value"] + chance["false_alarm"]["value"]
    assert rates == pytest.approx(1.0, abs=0.08)


def test_baselines_stand_beside_ours_and_know_only_other_patients() -> None:
    results = many()
    assert of(results, "always supported")["headline"]["false_support"]["value"] == 1.0
    by_words = [
        each.model_copy(
            update={
                "propositions": tuple(
                    p.model_copy(update={"overlap": 0.8 if p.verdict == "supported" else 0.3})
                    for p in each.propositions
                )
            }
        )
        for each in results
    ]
    overlap = of(by_words, "word overlap")["headline"]
    assert overlap["false_support"]["value"] == overlap["false_alarm"]["value"] == 0.0
    assert of(results, "word overlap")["headline"]["auroc"]["value"] == pytest.approx(0.5, abs=0.05)


def test_rules_alone_are_what_the_rules_say_where_the_judge_has_them_apart() -> None:
    rules = RulesResult(verdict=Verdict.NOT_ADDRESSED, confidence=0.7)
    one = item([span(0, 10, "supported")], [proposition(0, 10, rules=rules)])
    assert of([one], RULES)["confusion"]["supported"]["not_addressed"] == 1
    assert of([one])["confusion"]["supported"]["supported"] == 1


def test_evidence_is_counted_by_notes_shown_and_cited() -> None:
    def fact(note: str, cited: bool = False) -> ShownResult:
        return ShownResult(fact_id=note, note_id=note, text="t", cited=cited)

    shown = (fact("n3"), fact("n1", cited=True), fact("n2"))
    one = item([span(0, 10, "supported", evidence=("n1", "n2"))], [proposition(0, 10, shown=shown)])
    result = evidence_recall(statements([one]))
    assert result["shown_at"] == {"1": 0.0, "3": 1.0}
    assert (result["cited"], result["all_shown"]) == (0.5, 1.0)


def test_errors_by_overlap_and_by_evidence() -> None:
    one = item(
        [
            span(0, 10, "supported", overlap=1.0, evidence=("a", "b", "c")),
            span(11, 20, "supported", overlap=0.1),
        ],
        [proposition(0, 10), proposition(11, 20, "not_addressed")],
    )
    labelled = statements([one])
    answers = systems(labelled)[OURS]
    assert by(labelled, answers, overlap_of)["0.0-0.2"]["false_alarm"] == 1.0
    assert by(labelled, answers, overlap_of)["0.8-1.0"]["false_alarm"] == 0.0
    assert set(by(labelled, answers, evidence_of)) == {"0", "3+"}


def test_several_raters_and_how_far_a_judge_could_come() -> None:
    spans = [
        span(0, 10, "supported", raters=("supported", "supported", "supported")),
        span(11, 20, "not_supported", raters=("not_supported", "not_supported", "supported")),
    ]
    one = item(spans, [proposition(0, 10), proposition(11, 20, "not_supported")])
    result = raters.agreement([one])
    assert result["percent"] == pytest.approx((1 + 1 / 3) / 2)
    assert result["chartproof"]["accuracy"] == 1.0
    assert 0.0 < result["human_ceiling"] < 1.0
    assert raters.agreement([item([span(0, 10, "supported")])]) is None


def test_references_and_peoples_scores() -> None:
    results = []
    for n, shares in enumerate(((1, 1), (1, 0), (0, 0))):
        verdicts = ["supported" if good else "not_addressed" for good in shares]
        rows = [proposition(0, 5, v, section="PLAN") for v in verdicts]
        for role in ("text", "of_reference", "against_reference"):
            human = {"precision": float(sum(shares))} if role == "text" else {}
            results.append(
                item([], rows, role=role, item_id=f"{n}{role}", example=str(n), human=human)
            )
    scores = whole_texts.references(results)
    assert scores["recall"] == pytest.approx(0.5)
    assert scores["by_section"]["PLAN"]["precision"] == pytest.approx(0.5)
    beside = whole_texts.beside_people(results)["precision"]["claim precision"]
    assert beside == {"spearman": pytest.approx(1.0), "kendall": pytest.approx(1.0), "n": 3}


def test_answers_kept_of_another_system_stand_beside_ours_and_must_be_whole() -> None:
    one = item([span(0, 10, "supported")], [proposition(0, 10)])
    kept = {"other": {"0": KeptAnswer("not_addressed", 0.6, 0.6, True)}}
    labelled = statements([one])
    assert systems(labelled, kept)["other"][0].alerted
    with pytest.raises(ValueError, match="lack 1"):
        systems(labelled, {"other": {}})


def test_the_probability_of_support_counts_where_the_judge_says_it() -> None:
    rows = [
        proposition(0, 5, "not_supported", confidence=0.4, probability_supported=0.3),
        proposition(6, 10, "supported", confidence=0.6, probability_supported=0.6),
    ]
    [answer] = map(ours, statements([item([span(0, 10, "supported")], rows)]))
    assert (answer.confidence, answer.score) == (0.4, pytest.approx(0.7))

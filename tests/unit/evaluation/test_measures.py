"""Measures against worked examples of papers, and against formulas written out independently."""

import itertools
import math
from statistics import fmean

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import f1_score, recall_score

from agents.evaluation.measures import (
    aggregation,
    agreement,
    alerts,
    bootstrap,
    calibration_error,
    confusion,
    correlation,
    coverage,
    evidence,
    false_rates,
    ranking,
    reference,
)
from agents.evaluation.measures.outcomes import worst

S, N, A = "supported", "not_supported", "not_addressed"
GOLD = [S, S, S, S, N, N, N, A, A, A]
ANSWERS = [S, S, N, "abstained", N, S, A, A, "failed", "unjudged"]

# Gwet 2014, "Handbook of inter-rater reliability", and Krippendorff 2011: the same 12 units.
FOUR_RATERS = [
    list(row)
    for row in zip(
        *[
            [None if label == "." else label for label in row.split()]
            for row in (
                "1 2 3 3 2 1 4 1 2 . . .",
                "1 2 3 3 2 2 4 1 2 5 . 3",
                ". 3 3 3 2 3 4 2 2 5 1 .",
                "1 2 3 3 2 4 4 1 2 5 1 .",
            )
        ],
        strict=True,
    )
]
# Fleiss' kappa as Wikipedia works it out: 10 subjects, 14 raters, 5 categories.
FOURTEEN_RATERS = [
    [str(category) for category, n in enumerate(map(int, row.split())) for _ in range(n)]
    for row in (
        "0 0 0 0 14",
        "0 2 6 4 2",
        "0 0 3 5 6",
        "0 3 9 2 0",
        "2 2 8 1 1",
        "7 7 0 0 0",
        "3 2 6 3 0",
        "2 5 3 2 2",
        "6 5 2 1 0",
        "0 2 2 3 7",
    )
]


def test_the_confusion_table_holds_every_item() -> None:
    result = confusion.table(GOLD, ANSWERS)
    assert result[S] == {S: 2, N: 1, A: 0, "abstained": 1, "failed": 0, "unjudged": 0}
    assert result[A] == {S: 0, N: 0, A: 1, "abstained": 0, "failed": 1, "unjudged": 1}
    assert sum(n for row in result.values() for n in row.values()) == len(GOLD)


def test_accuracies_keep_what_is_not_answered_in_the_denominator() -> None:
    assert confusion.accuracy(GOLD, ANSWERS) == 4 / 10
    assert confusion.balanced_accuracy(GOLD, ANSWERS) == pytest.approx(fmean([2 / 4, 1 / 3, 1 / 3]))
    assert confusion.balanced_accuracy([S, S], [S, N]) == 0.5
    recalls = recall_score(GOLD, ANSWERS, labels=[S, N, A], average="macro")
    assert confusion.balanced_accuracy(GOLD, ANSWERS) == pytest.approx(recalls)


def test_binary_rates_by_hand() -> None:
    result = confusion.of_wrong(GOLD, ANSWERS)
    assert result == {"sensitivity": 3 / 6, "specificity": 2 / 4, "ppv": 3 / 4, "npv": 2 / 3}
    one = confusion.per_label(GOLD, ANSWERS)[A]
    assert one == {
        "sensitivity": 1 / 3,
        "specificity": 6 / 7,
        "ppv": 1 / 2,
        "npv": pytest.approx(6 / 8),
    }


def test_false_support_and_false_alarm_leave_out_only_what_has_no_answer() -> None:
    result = false_rates.false_rates(GOLD, ANSWERS)
    assert result["false_support"] == 1 / 4
    assert result["false_alarm"] == 2 / 4
    assert (result["abstained"], result["failed"]) == (1, 1)
    assert (result["unjudged_wrong"], result["unjudged_right"]) == (1, 0)


def test_undefined_is_undefined() -> None:
    assert confusion.accuracy([], []) is None
    assert confusion.balanced_accuracy([], []) is None
    assert confusion.of_wrong([S], [S])["sensitivity"] is None
    assert false_rates.false_rates([S], [S])["false_support"] is None
    assert ranking.auroc([True, True], [0.1, 0.9]) is None
    assert ranking.average_precision([False], [0.1]) is None
    assert alerts.alert_rates([False], [False])["precision"] is None
    assert alerts.alert_curve([False], [0.3]) == []
    assert calibration_error.ece([], []) is None
    assert evidence.mean_recall_at([evidence.Found(frozenset(), ["n1"])]) is None
    assert agreement.gwet_ac1([["a", None]]) is None
    assert agreement.cohen_kappa(["a"], ["a"]) is None
    assert correlation.rank_correlation([1, 1], [1, 2])["spearman"] is None
    assert coverage.area_under_risk([]) is None
    assert reference.claim_scores([], []) == {"recall": None, "precision": None, "f1": None}
    assert aggregation.f1_false([False], [False]) is None


def test_auroc_is_the_share_of_pairs_in_the_right_order() -> None:
    wrong = [True, False, True, False, False, True]
    score = [0.9, 0.2, 0.4, 0.4, 0.7, 0.1]
    pairs = [
        1.0 if a > b else 0.5 if a == b else 0.0
        for a, w in zip(score, wrong, strict=True)
        if w
        for b, v in zip(score, wrong, strict=True)
        if not v
    ]
    assert ranking.auroc(wrong, score) == pytest.approx(fmean(pairs))


def test_average_precision_is_the_mean_precision_at_each_hit() -> None:
    # Manning et al. 2008, "Introduction to information retrieval", 8.4: hits at ranks 1, 3, 6.
    wrong = [True, False, True, False, False, True]
    score = [0.9, 0.8, 0.7, 0.6, 0.5, 0.4]
    assert ranking.average_precision(wrong, score) == pytest.approx(fmean([1 / 1, 2 / 3, 3 / 6]))


def test_confidence_of_support_counts_against_unsupported() -> None:
    assert ranking.unsupported_score("supported", 0.8) == pytest.approx(0.2)
    assert ranking.unsupported_score("not_addressed", 0.8) == 0.8
    assert ranking.unsupported_score("abstained", 0.8) == 0.5
    assert ranking.unsupported_score("failed", 0.0) is None


def test_alert_rates_and_their_curve() -> None:
    wrong = [True, False, True, False]
    assert alerts.alert_rates(wrong, [True, True, False, False]) == {
        "precision": 0.5,
        "recall": 0.5,
        "alerts": 2,
        "wrong": 2,
        "per_100": 50.0,
    }
    curve = alerts.alert_curve(wrong, [0.9, 0.6, 0.5, 0.1])
    by_threshold = {p.threshold: (p.precision, p.recall) for p in curve}
    assert by_threshold[0.9] == (1.0, 0.5)
    assert by_threshold[0.5] == (pytest.approx(2 / 3), 1.0)
    assert alerts.precision_at_recall(curve, 0.8) == pytest.approx(2 / 3)


def test_risk_by_coverage_by_hand() -> None:
    curve = coverage.risk_curve([0.9, 0.8, 0.8, 0.3], [True, True, False, False], total=5)
    assert curve == [(0.9, 1 / 5, 0.0), (0.8, 3 / 5, 1 / 3), (0.3, 4 / 5, 2 / 4)]
    area = (1 / 5 * 0 + 2 / 5 * 1 / 3 + 1 / 5 * 1 / 2) / (4 / 5)
    assert coverage.area_under_risk(curve) == pytest.approx(area)
    assert coverage.coverage_at_risk(curve, 0.34) == 3 / 5


def test_f1_of_the_false_class_by_coverage_is_that_of_scikit_learn() -> None:
    confidence = [0.9, 0.8, 0.8, 0.3, 0.2]
    wrong, called = [True, False, True, False, True], [True, True, True, False, False]
    curve = coverage.f1_curve(confidence, wrong, called, total=10)
    assert [point.coverage for point in curve] == [0.1, 0.3, 0.4, 0.5]
    for point in curve:
        n = round(point.coverage * 10)
        assert point.f1 == pytest.approx(f1_score(wrong[:n], called[:n]))


def test_evidence_recall_counts_notes_among_the_first_facts() -> None:
    one = evidence.Found(frozenset({"n1", "n2"}), ["n3", "n1", "n1", "n2"])
    assert evidence.recall_at(one, 1) == 0
    assert evidence.recall_at(one, 3) == 0.5
    assert evidence.mean_recall_at([one, evidence.Found(frozenset({"n9"}), [])]) == 0.5
    assert evidence.complete_at([one]) == 1.0


def test_calibration_error_by_hand() -> None:
    confidence, right = [0.95, 0.95, 0.85, 0.15], [True, False, True, False]
    expected = 2 / 4 * abs(0.95 - 0.5) + 1 / 4 * abs(0.85 - 1) + 1 / 4 * 0.15
    assert calibration_error.ece(confidence, right) == pytest.approx(expected)
    squares = fmean((c - r) ** 2 for c, r in zip(confidence, right, strict=True))
    assert calibration_error.brier(confidence, right) == pytest.approx(squares)
    assert calibration_error.reliability([1.0], [True])[0].low == 0.9


def test_agreement_of_four_raters_as_in_gwets_handbook() -> None:
    assert agreement.percent_agreement(FOUR_RATERS) == pytest.approx(0.81818, abs=1e-5)
    assert agreement.gwet_ac1(FOUR_RATERS) == pytest.approx(0.77544, abs=1e-5)
    assert agreement.krippendorff_alpha(FOUR_RATERS) == pytest.approx(0.743, abs=5e-4)


def test_fleiss_and_cohen_as_worked_out() -> None:
    assert agreement.fleiss_kappa(FOURTEEN_RATERS) == pytest.approx(0.210, abs=5e-4)
    one = ["yes"] * 25 + ["no"] * 25
    two = ["yes"] * 20 + ["no"] * 5 + ["yes"] * 10 + ["no"] * 15
    assert agreement.cohen_kappa(one, two) == pytest.approx(0.4)
    assert agreement.pairwise_cohen(list(zip(one, two, strict=True))) == pytest.approx(0.4)
    assert agreement.fleiss_kappa(FOUR_RATERS) is None


def test_the_human_ceiling_is_one_rater_against_the_others() -> None:
    # Rater 1 agrees with the others twice of two (the third pair of others is even), rater 2 once
    # of two, rater 3 once of two.
    ratings = [["a", "a", "a"], ["a", "a", "b"], ["a", "b", "a"]]
    assert agreement.majority(["a", "b"]) is None
    expected = fmean([fmean([1]), fmean([1, 0]), fmean([1, 0])])
    assert agreement.human_ceiling(ratings) == pytest.approx(expected)


def test_rank_correlation_as_worked_out() -> None:
    # Wikipedia, "Spearman's rank correlation coefficient": IQ and hours of television.
    iq = [106, 100, 86, 101, 99, 103, 97, 113, 112, 110]
    hours = [7, 27, 2, 50, 28, 29, 20, 12, 6, 17]
    result = correlation.rank_correlation(iq, hours)
    assert result["spearman"] == pytest.approx(-29 / 165)
    signs = [
        math.copysign(1, (a - c) * (b - d))
        for (a, b), (c, d) in itertools.combinations(zip(iq, hours, strict=True), 2)
    ]
    assert result["kendall"] == pytest.approx(sum(signs) / len(signs))


def test_texts_are_called_false_by_each_rule() -> None:
    text = [True, False, False]
    assert aggregation.is_false(text, "or_false")
    assert not aggregation.is_false(text, "and_false")
    assert not aggregation.is_false(text, "majority")
    assert not aggregation.is_false(text, "threshold", k=2)
    assert not aggregation.is_false([], "and_false")
    gold, called = [True, True, False, False], [True, False, True, False]
    assert aggregation.f1_false(gold, called) == pytest.approx(0.5)


def test_claim_and_citation_scores_by_section() -> None:
    result = reference.claim_scores([S, S, A, "abstained"], [S, N])
    assert result == {"recall": 0.5, "precision": 0.5, "f1": 0.5}
    parts = reference.by_section([("plan", S), ("exam", N)], [("plan", A)])
    assert parts["plan"] == {"recall": 1.0, "precision": 0.0, "f1": 0.0}
    assert parts["exam"]["precision"] is None
    assert reference.citation_recall([True, False]) == 0.5
    assert reference.citation_precision([{"1": True, "2": False}, {}]) == 0.5


def test_the_worst_proposition_speaks_for_the_statement() -> None:
    assert worst([S, A, "abstained"]) == A
    assert worst([S, "unjudged"]) == S
    assert worst([]) == "unjudged"


def test_intervals_resample_groups_as_scipy_does() -> None:
    random = np.random.default_rng(7)
    groups = [f"p{n // 5}" for n in range(100)]
    values = random.normal(size=20).repeat(5) + random.normal(scale=0.1, size=100)
    result = bootstrap.interval(groups, lambda rows: float(values[rows].mean()), resamples=4000)
    means = values.reshape(20, 5).mean(axis=1)
    other = stats.bootstrap((means,), np.mean, method="percentile", rng=3).confidence_interval
    assert result == pytest.approx((other.low, other.high), abs=0.05)
    alone = bootstrap.interval([str(n) for n in range(100)], lambda rows: values[rows].mean())
    assert result.high - result.low > 1.5 * (alone.high - alone.low)


def test_a_paired_comparison_sees_a_difference_and_none_where_there_is_none() -> None:
    random = np.random.default_rng(3)
    groups = [f"p{n // 4}" for n in range(80)]
    one = random.normal(size=80)
    two = one + 1 + random.normal(scale=0.1, size=80)

    def mean_of(values):
        return lambda rows: float(values[rows].mean())

    same = bootstrap.paired(groups, mean_of(one), mean_of(one))
    other = bootstrap.paired(groups, mean_of(one), mean_of(two))
    assert same.difference == 0
    assert same.p_value == 1.0
    assert other.interval.low < 1.0 < other.interval.high + 0.1
    assert other.p_value < 0.01
    assert other == bootstrap.paired(groups, mean_of(one), mean_of(two))


def test_one_group_has_no_interval() -> None:
    assert bootstrap.interval(["p"] * 5, lambda rows: 1.0) is None

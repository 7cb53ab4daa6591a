"""Each check on its own: what it finds in a fact, and what it leaves alone."""

from __future__ import annotations

import pytest
from chartproof_judge.checks import (
    assertion,
    coverage,
    drugs,
    family,
    negation,
    numbers,
    opposites,
    side,
    substitution,
)
from chartproof_judge.compound import sentences, statements
from chartproof_judge.confidence import KINDS, confidence
from chartproof_judge.finding import Finding

from tests.unit.judge_asking import ask, fact, statement


def outcomes(findings: list[Finding]) -> list[str]:
    return [finding.outcome for finding in findings]


def run(check: object, proposition: str, chart: str, section: str = "") -> list[Finding]:
    said, given = statement(proposition), statement(chart, section)
    if check in (numbers, side, opposites):
        return check.check(said, given)  # type: ignore[attr-defined]
    return check.check(said, given, coverage.matches(said, given))  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("proposition", "chart", "least", "most"),
    [
        ("The patient has gout and asthma.", "PMH: gout, asthma.", 1.0, 1.0),
        ("The patient has gout and asthma.", "PMH: gout.", 0.4, 0.6),
        ("The patient has gout and asthma.", "Lungs clear.", 0.0, 0.0),
        ("Kidney disease.", "CKD stage 3", 0.9, 1.0),
        ("Creatinine was 1.4.", "Creatinine drawn.", 0.4, 0.7),
    ],
)
def test_coverage_is_a_weighted_share(
    proposition: str, chart: str, least: float, most: float
) -> None:
    said, given = statement(proposition), statement(chart)
    agreed = sum(found.outcome == "agree" for found in numbers.check(said, given))
    matched = coverage.matches(said, given)
    assert least <= coverage.share(said, matched, agreed, len(said.quantities)) <= most


def test_a_rare_word_weighs_more_than_a_common_one() -> None:
    said = statement("The patient reports gout today.")
    weights = {term.key: term.weight for term in said.terms}
    assert weights["gout"] > 4 * weights[min(weights, key=lambda key: weights[key])]


@pytest.mark.parametrize(
    ("proposition", "chart", "expected"),
    [
        ("Potassium was 3.2.", "K 3.2", ["agree"]),
        ("Potassium was 3.2.", "K 4.2", ["conflict"]),
        ("Potassium was 3.2.", "Na 132", ["missing"]),
        ("Potassium was 3.2.", "K 4.2, later K 3.2", ["agree"]),
        ("Aspirin 81 mg.", "Aspirin 0.081 g", ["agree"]),
        ("Aspirin 81 mg.", "Lisinopril 20 mg", ["missing"]),
        ("Capillary refill was less than 3 seconds.", "Cap refill 2 seconds", ["agree"]),
        ("Capillary refill was less than 3 seconds.", "Cap refill 5 seconds", ["conflict"]),
        ("Oxygen saturation above 90%.", "SpO2 96%", ["agree"]),
        ("About 100 mL of urine.", "105 mL of urine", ["agree"]),
        ("100 mL of urine.", "150 mL of urine", ["conflict"]),
        ("BP was 120/80.", "BP 130/80", ["conflict"]),
        ("In 2019 she had surgery.", "Surgery in 2019", ["agree"]),
    ],
)
def test_numbers(proposition: str, chart: str, expected: list[str]) -> None:
    assert outcomes(run(numbers, proposition, chart)) == expected


@pytest.mark.parametrize(
    ("proposition", "chart", "conflict"),
    [
        ("She has a rash.", "No rash.", True),
        ("She has no rash.", "Rash on both arms.", True),
        ("She has no rash.", "No rash.", False),
        ("She has a rash.", "Rash, no fever.", False),
        ("She has pain.", "No pain on walking.", False),
        ("She has a rash and fever.", "Denies rash; T 101, fever.", True),
        ("The wound was not cleaned.", "The wound was cleaned.", True),
        ("The wound was cleaned.", "The wound was cleaned, no pus.", False),
        ("It has not been a month since the cast came off.",
         "It has been a month since the cast came off.",
         True),
    ],
)  # fmt: skip
def test_negation(proposition: str, chart: str, conflict: bool) -> None:
    assert bool(run(negation, proposition, chart)) == conflict


@pytest.mark.parametrize(
    ("proposition", "chart", "expected"),
    [
        ("She has pneumonia.", "Possible pneumonia.", ["weaker"]),
        ("She may have pneumonia.", "Possible pneumonia.", []),
        ("She has pneumonia.", "Pneumonia on CXR.", []),
        ("She has a fever.", "Call if fever.", ["weaker"]),
        ("She should call if she has a fever.", "Call if fever.", []),
        ("She received a transfusion.", "Transfusion was refused.", ["conflict"]),
        ("She refused a transfusion.", "Transfusion was refused.", []),
        ("She received a transfusion.", "Will plan transfusion.", ["conflict"]),
        ("A transfusion is planned.", "Will plan transfusion.", []),
        ("She currently has a rash.", "The rash has resolved.", ["conflict"]),
        ("She had a rash.", "The rash has resolved.", []),
    ],
)
def test_assertion(proposition: str, chart: str, expected: list[str]) -> None:
    assert outcomes(run(assertion, proposition, chart)) == expected


@pytest.mark.parametrize(
    ("proposition", "chart", "section", "conflict"),
    [
        ("She has asthma.", "Brother with asthma.", "", True),
        ("She has asthma.", "Asthma.", "Family History", True),
        ("She has asthma.", "Asthma since childhood.", "", False),
        ("Her brother has asthma.", "Brother with asthma.", "", False),
        ("Her brother has asthma.", "PMH: asthma.", "", True),
        ("She has asthma.", "Lives with her brother. Asthma.", "", False),
    ],
)
def test_family_history(proposition: str, chart: str, section: str, conflict: bool) -> None:
    assert bool(run(family, proposition, chart, section)) == conflict


@pytest.mark.parametrize(
    ("proposition", "chart", "expected"),
    [
        ("Left knee pain.", "L knee pain", ["agree"]),
        ("Left knee pain.", "Right knee pain", ["conflict"]),
        ("Left knee pain.", "Bilateral knee pain", ["conflict"]),
        ("Bilateral knee pain.", "Left knee pain", ["conflict"]),
        ("Left knee pain.", "Knee pain", ["missing"]),
        ("Left knee pain.", "Left knee and right hip pain", ["agree"]),
        ("Left hip pain.", "Left knee pain, right hip pain", ["conflict"]),
        ("Knee pain.", "Left knee pain", []),
        ("Nodule of the right upper lobe.", "RUL nodule", ["agree", "agree"]),
        ("She left the hospital.", "Right knee pain", []),
    ],
)
def test_side(proposition: str, chart: str, expected: list[str]) -> None:
    assert outcomes(run(side, proposition, chart))[: len(expected) or None] == expected


@pytest.mark.parametrize(
    ("proposition", "chart", "expected"),
    [
        ("Dose was increased.", "Dose was decreased.", ["conflict"]),
        ("Dose was increased.", "Dose was uptitrated.", ["agree"]),
        ("The exam was normal.", "The exam was abnormal.", ["conflict"]),
        ("The exam was not normal.", "The exam was abnormal.", ["agree"]),
        ("Mild stenosis.", "Severe stenosis.", ["conflict"]),
        ("Hyponatremia.", "Hypernatremia.", ["conflict"]),
        ("Primary hypothyroidism.", "Secondary hypothyroidism.", ["conflict"]),
        ("The patient is a man.", "A woman with gout.", ["conflict"]),
        ("Warfarin was started.", "Warfarin was stopped.", ["conflict"]),
        ("Gout.", "Severe gout.", []),
    ],
)
def test_opposites(proposition: str, chart: str, expected: list[str]) -> None:
    assert outcomes(run(opposites, proposition, chart)) == expected


@pytest.mark.parametrize(
    ("proposition", "chart", "conflict"),
    [
        ("She takes warfarin.", "Warfarin was stopped.", True),
        ("She took warfarin; it was stopped.", "Warfarin was stopped.", False),
        ("Vancomycin PO.", "Vancomycin IV", True),
        ("Vancomycin IV.", "Vancomycin intravenously", False),
        ("Vancomycin.", "Vancomycin IV", False),
        ("Warfarin PO.", "Vancomycin IV", False),
    ],
)
def test_drugs(proposition: str, chart: str, conflict: bool) -> None:
    assert ("conflict" in outcomes(run(drugs, proposition, chart))) == conflict


@pytest.mark.parametrize(
    ("proposition", "chart", "conflict"),
    [
        ("The culture grew E. coli.", "The culture grew Klebsiella.", True),
        ("She was diagnosed with lupus.", "She was diagnosed with sarcoidosis.", True),
        ("Losartan 50 mg daily.", "Lisinopril 50 mg daily", True),
        ("The patient has depression.", "The patient has diabetes.", False),
        ("The patient denies cough.", "The patient denies fever.", False),
        ("She was diagnosed with lupus.", "Lupus was diagnosed in 2010.", False),
        ("Losartan 50 mg daily.", "Lisinopril 20 mg BID", False),
    ],
)
def test_substitution(proposition: str, chart: str, conflict: bool) -> None:
    assert bool(run(substitution, proposition, chart)) == conflict


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Gout. No rash.", 2),
        ("okay . any rash ? no rash , no itch .", 3),
        ("Creatinine was 1.8 mg/dL.", 1),
        ("One. " * 100, 1),
    ],
)
def test_statements_of_a_fact(text: str, count: int) -> None:
    assert len(statements(text)) == count


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Dr. Smith saw her. She is well.", 2),
        ("BP was 120/80. HR was 70. Afebrile.", 3),
        ("Creatinine was 1.8 mg/dL.", 1),
        ("", 1),
        ("One. " * 100, 1),
    ],
)
def test_sentences_of_a_proposition(text: str, count: int) -> None:
    assert len(sentences(text)) == count


def test_a_compound_is_as_good_as_its_parts() -> None:
    chart = ("PMH: gout, HTN.", "Denies chest pain.")
    assert ask("She has gout. She denies chest pain.", *chart)["verdict"] == "supported"
    part = ask("She has gout. She has a pacemaker.", *chart)
    assert part["verdict"] == "not_supported"
    assert part["cited"] == ["fact-0"]
    assert ask("She has gout. She has chest pain.", *chart)["verdict"] == "not_supported"
    assert ask("She has a cat. She has a pacemaker.", *chart)["verdict"] == "not_addressed"


def test_facts_together_may_support_one_statement() -> None:
    found = ask(
        "She takes lisinopril, metformin and atorvastatin.",
        "Lisinopril 10 mg daily", "Metformin 500 mg BID", "Atorvastatin 40 mg nightly",
    )  # fmt: skip
    assert found["verdict"] == "supported"
    assert set(found["cited"]) == {"fact-0", "fact-1", "fact-2"}


def test_of_two_accounts_of_one_time_the_one_that_agrees_is_believed() -> None:
    facts = [fact("Left knee pain.", 0), fact("Right knee pain.", 0, id="other")]
    found = ask("Left knee pain.", *facts)
    assert found["verdict"] == "supported"
    assert found["cited"] == ["fact-0"]


@pytest.mark.parametrize("kind", KINDS)
def test_confidence_rises_with_the_evidence(kind: str) -> None:
    values = [confidence(kind, step / 50).probability for step in range(-10, 70)]
    assert values == sorted(values)
    assert 0.0 < values[0] <= values[-1] < 1.0

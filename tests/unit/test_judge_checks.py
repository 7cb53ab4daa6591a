"""The exact checks: what a fact says of a span of a statement, one check at a time."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from chartproof_judge.checks import CHECKS, Signal
from chartproof_judge.reading import Dated, read
from hypothesis import given
from hypothesis import strategies as st

NOTED = datetime(2031, 3, 4, 9, 30, tzinfo=UTC)


def check(name: str, statement: str, fact: str) -> list[Signal]:
    return CHECKS[name](Dated(read(statement)), Dated(read(fact), NOTED))


def outcomes(name: str, statement: str, fact: str) -> set[str]:
    return {signal.outcome for signal in check(name, statement, fact)}


@pytest.mark.parametrize(
    ("statement", "fact", "outcome"),
    [
        ("Creatinine was 1.4 on discharge.", "creatinine 1.4", "agree"),
        ("Creatinine was 1.8 on discharge.", "creatinine 1.4", "conflict"),
        ("Given 0.5 g of vancomycin.", "vancomycin 500 mg IV", "agree"),
        ("Given 5 g of vancomycin.", "vancomycin 500 mg IV", "conflict"),
        ("She weighs about 154 pounds.", "weight 70 kg", "agree"),
        ("Temperature was 38.9 C.", "temperature 102 F", "agree"),
        ("Taken twice a day.", "taken two times a day", "agree"),
        ("A stay of 2 weeks was planned.", "stay planned for 14 days", "agree"),
        ("Sodium was 138.", "potassium 4.1", "unknown"),
        ("Urine output was 1,200 ml.", "urine output 1.2 l", "agree"),
    ],
)
def test_numbers_with_their_units(statement: str, fact: str, outcome: str) -> None:
    assert outcomes("numbers", statement, fact) == {outcome}


def test_a_number_in_conflict_names_its_span_and_the_chart_s_own_words() -> None:
    statement = "Creatinine was 1.8 mg on discharge."
    [signal] = check("numbers", statement, "creatinine 1.4 mg")
    assert statement[slice(*signal.span)] == "1.8 mg"
    assert signal.theirs == "1.4 mg"


@pytest.mark.parametrize(
    ("statement", "fact", "outcome"),
    [
        ("Fracture of the left hip.", "left hip fracture", "agree"),
        ("Fracture of the right hip.", "left hip fracture", "conflict"),
        ("Both knees are swollen.", "left knee swollen, right knee swollen", "agree"),
        ("Pain is worse on the left.", "pain worse on the right", "conflict"),
        ("Pain in the right knee.", "left hip fracture", "unknown"),
    ],
)
def test_sides_of_the_same_part(statement: str, fact: str, outcome: str) -> None:
    assert outcomes("side", statement, fact) == {outcome}


@pytest.mark.parametrize(
    ("statement", "fact", "agrees"),
    [
        ("Apixaban 5 mg twice a day.", "apixaban 5 mg orally twice a day", True),
        ("Her glucose was 1,840 mg/dl.", "glucose 1840", True),
        ("The patient has chest pain.", "denies chest pain", False),
        ("The patient denies chest pain.", "denies chest pain", True),
        ("He has colon cancer.", "father: colon cancer", False),
        ("Colonoscopy was done.", "colonoscopy planned for May", False),
        ("Apixaban 5 mg twice a day.", "apixaban stopped; 5 mg of it twice a day before", False),
        ("Apixaban 10 mg twice a day.", "apixaban 5 mg twice a day", False),
    ],
)
def test_a_fact_in_the_statement_s_own_words(statement: str, fact: str, agrees: bool) -> None:
    assert outcomes("wording", statement, fact) == ({"agree"} if agrees else set())


@given(st.sampled_from(sorted(CHECKS)), st.text(max_size=80), st.text(max_size=80))
def test_any_text_is_read_and_spans_lie_within_the_statement(name: str, one: str, two: str) -> None:
    for signal in check(name, one, two):
        assert 0 <= signal.span[0] <= signal.span[1] <= len(one)
        assert 0 < signal.strength <= 1


@given(st.sampled_from(sorted(CHECKS)), st.text(max_size=80))
def test_no_check_finds_a_text_in_conflict_with_itself(name: str, text: str) -> None:
    assert not [s for s in check(name, text, text) if s.outcome == "conflict"]

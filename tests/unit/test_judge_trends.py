"""Values that change: in one note with an arrow or in words, or over several notes."""

from __future__ import annotations

import pytest

from tests.unit.judge_asking import ask, fact, statement, verdict


@pytest.mark.parametrize(
    "chart",
    ["Hgb 11 -> 8", "Hgb 11\u21928", "Hgb 11 => 8", "Hgb fell from 11 to 8", "Hgb 11 --> 8"],
)
@pytest.mark.parametrize(
    ("proposition", "expected"),
    [
        ("Hemoglobin fell from 11 to 8.", "supported"),
        ("Hemoglobin decreased.", "supported"),
        ("Hemoglobin is 8.", "supported"),
        ("Hemoglobin was initially 11.", "supported"),
        ("Hemoglobin is 11.", "not_supported"),
        ("Hemoglobin rose from 8 to 11.", "not_supported"),
        ("Hemoglobin increased.", "not_supported"),
        ("Hemoglobin fell from 12 to 8.", "not_supported"),
    ],
)
def test_an_arrow_is_a_change(chart: str, proposition: str, expected: str) -> None:
    assert verdict(proposition, chart) == expected, ask(proposition, chart)


def test_a_greater_than_sign_is_no_arrow() -> None:
    (found,) = statement("INR > 4").quantities
    assert (found.operator, found.outdated) == (">", False)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("Cr 1.2 -> 2.0 -> 1.4", [(1.2, True), (2.0, True), (1.4, False)]),
        ("K 3.1, repeat 4.0", [(3.1, True), (4.0, False)]),
        ("K 3.1 this morning, now 4.0", [(3.1, True), (4.0, False)]),
        ("Lasix 20 mg increased to 40 mg", [(20, False), (40, False)]),
    ],
)
def test_a_later_value_puts_the_earlier_out_of_date(
    text: str, values: list[tuple[float, bool]]
) -> None:
    found = statement(text).quantities
    assert [(each.said[0], each.outdated) for each in found] == values


@pytest.mark.parametrize(
    ("proposition", "chart", "expected"),
    [
        ("Potassium is 4.0.", "K 3.1 this morning, repeat 4.0.", "supported"),
        ("Potassium is 3.1.", "K 3.1 this morning, repeat 4.0.", "not_supported"),
        ("Potassium was 3.1.", "K 3.1 this morning, repeat 4.0.", "supported"),
        ("Potassium improved to 3.1.", "K 3.1 this morning, repeat 4.0.", "not_supported"),
        (
            "Oxygen saturation was 88% on room air.",
            "SpO2 88% RA, improved to 95% on 2L.",
            "supported",
        ),
        (
            "Oxygen saturation was 88% on 2 L.",
            "SpO2 88% RA, improved to 95% on 2L.",
            "not_supported",
        ),
        ("Sodium at discharge was 134.", "Na 128 on admission, 134 at discharge.", "supported"),
        ("Sodium at discharge was 128.", "Na 128 on admission, 134 at discharge.", "not_supported"),
        ("Sodium on admission was 128.", "Na 128 on admission, 134 at discharge.", "supported"),
        (
            "Hemoglobin at discharge was 10.2 g/dL.",
            "Hgb 8.1 g/dL on admission, 10.2 at discharge.",
            "supported",
        ),
        ("Creatinine improved.", "Cr 2.1 -> 1.0", "supported"),
        ("Creatinine worsened.", "Cr 2.1 -> 1.0", "not_supported"),
        ("The ejection fraction improved.", "EF 30% -> 45%", "supported"),
        ("Hemoglobin is uptrending.", "Hgb downtrending", "not_supported"),
        ("Creatinine decreased.", "Cr \u2193", "supported"),
        ("Creatinine increased.", "Cr \u2193", "not_supported"),
    ],
)
def test_a_trend_in_words_and_signs(proposition: str, chart: str, expected: str) -> None:
    assert verdict(proposition, chart) == expected, ask(proposition, chart)


@pytest.mark.parametrize(
    ("proposition", "expected"),
    [
        ("Creatinine rose from 1.0 to 2.1.", "supported"),
        ("Creatinine rose from 1.0 to 1.5.", "supported"),
        ("Creatinine increased.", "supported"),
        ("Creatinine worsened.", "supported"),
        ("Creatinine fell from 2.1 to 1.0.", "not_supported"),
        ("Creatinine improved.", "not_supported"),
        ("Creatinine rose from 1.0 to 3.1.", "not_supported"),
    ],
)
def test_a_trend_over_several_notes(proposition: str, expected: str) -> None:
    facts = ("Cr 1.0", "Creatinine 1.5 mg/dL", "Cr 2.1")
    assert verdict(proposition, *facts) == expected, ask(proposition, *facts)


def test_a_trend_over_notes_cites_both_of_its_facts() -> None:
    found = ask("Creatinine rose from 1.0 to 2.1.", "Cr 1.0", "Lungs clear", "Cr 2.1")
    assert found["cited"] == ["fact-0", "fact-2"]
    found = ask("Creatinine fell.", "Cr 1.0", "Lungs clear", "Cr 2.1")
    assert (found["verdict"], found["cited"]) == ("not_supported", ["fact-0", "fact-2"])


def test_the_opposite_of_a_trend_over_notes_is_said_to_be_so() -> None:
    found = ask("Creatinine improved.", "Cr 1.0", "Cr 2.1")
    assert (found["verdict"], found["checks"]) == ("not_supported", ["opposites"])
    assert "worsened, not improved" in found["reason"]
    assert "held earlier" not in found["reason"]


def test_two_values_of_one_time_are_no_trend() -> None:
    facts = [fact("Cr 1.0", 0), fact("Cr 2.1", 0, id="other")]
    assert verdict("Creatinine increased.", *facts) != "supported"

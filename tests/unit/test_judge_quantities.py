"""Quantities in figures and words: how many, how often, when, how large; and how exactly."""

from __future__ import annotations

import pytest
from chartproof_judge.checks import numbers
from chartproof_judge.quantities import Quantity

from tests.unit.judge_asking import ask, statement


def only(text: str) -> Quantity:
    (found,) = statement(text).quantities
    return found


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("three tablets", 3, 3), ("half a tablet", 0.5, 0.5), ("1/2 tablet", 0.5, 0.5),
        ("\u00bd tab", 0.5, 0.5), ("one and a half tablets", 1.5, 1.5),
        ("1\u00bd tablets", 1.5, 1.5),
        ("1 1/2 tablets", 1.5, 1.5), ("a dozen tablets", 12, 12), ("half a dozen pills", 6, 6),
        ("two dozen tablets", 24, 24), ("two hundred tablets", 200, 200),
        ("twenty-five tablets", 25, 25), ("one to two tablets", 1, 2), ("1-2 tablets", 1, 2),
        ("2 or 3 tablets", 2, 3), ("x3 tablets", 3, 3),
    ],
)  # fmt: skip
def test_how_many(text: str, low: float, high: float) -> None:
    found = only(text)
    assert (found.kind, found.dimension) == ("value", "[tablet]")
    assert (found.low, found.high) == (low, high)


@pytest.mark.parametrize("text", ["half of the patients", "a tablet", "one of them", "both halves"])
def test_words_that_count_nothing(text: str) -> None:
    assert statement(text).quantities == ()


@pytest.mark.parametrize(
    ("text", "times"),
    [
        ("twice daily", 2), ("two times a day", 2), ("BID", 2), ("2x/day", 2), ("times 2 daily", 2),
        ("every 12 hours", 2), ("q12h", 2), ("three times per week", 3 / 7),
        ("thrice weekly", 3 / 7),
        ("once a week", 1 / 7), ("weekly", 1 / 7), ("every other day", 0.5), ("every 2 days", 0.5),
        ("once a month", 12 / 365.25), ("once a year", 1 / 365.25), ("every night", 1),
    ],
)  # fmt: skip
def test_how_often(text: str, times: float) -> None:
    found = only(f"metformin {text}")
    assert (found.kind, found.anchor) == ("frequency", "metformin")
    assert found.low == pytest.approx(times)


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("pantoprazole 40 mg a day", ["value", "frequency"]),
        ("two beers a week", ["value", "frequency"]),
        ("40 mg/day", ["value", "frequency"]),
        ("took 40 mg for a week", ["value"]),
        ("pain for a week", []),
        ("it has been a year", []),
        ("a day later", []),
    ],
)
def test_a_week_is_how_often_only_after_what_is_counted(text: str, kinds: list[str]) -> None:
    assert [found.kind for found in statement(text).quantities] == kinds


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("on 3/4", 304, 304), ("on 3/4/24", 20240304, 20240304), ("3/2019", 20190300, 20190300),
        ("2024-03-04", 20240304, 20240304), ("4 March 2019", 20190304, 20190304),
        ("March 4th, 2019", 20190304, 20190304), ("in March 2019", 20190300, 20190300),
        ("in March", 300, 300), ("since 2019", 20190000, 20190000),
        ("2015-2017", 20150000, 20170000), ("from 2015 to 2017", 20150000, 20170000),
        ("2015-17", 20150000, 20170000),
    ],
)  # fmt: skip
def test_dates_to_the_part_that_is_said(text: str, low: float, high: float) -> None:
    found = only(text)
    assert (found.kind, found.low, found.high) == ("date", low, high)


def test_what_lasts_from_one_time_to_another_is_a_range() -> None:
    found = only("lasts from 4 to 72 hours")
    assert (found.kind, found.low, found.high) == ("duration", pytest.approx(1 / 6), 3)


@pytest.mark.parametrize("text", ["may improve", "they march on", "platelets of 2000"])
def test_what_only_looks_like_a_date(text: str) -> None:
    assert all(found.kind != "date" for found in statement(text).quantities)


@pytest.mark.parametrize(
    ("text", "kind", "dimension", "value"),
    [
        ("POD #3", "day", "day of operation", 3), ("post-op day 3", "day", "day of operation", 3),
        ("postoperative day three", "day", "day of operation", 3),
        ("hospital day 4", "day", "day of hospital", 4), ("at 14:30", "clock", "clock", 870),
        ("at 2:30 pm", "clock", "clock", 870), ("at 12 am", "clock", "clock", 0),
        ("2 x 3 cm", "size", "[length]", 2), ("2 cm x 3 cm x 4 cm", "size", "[length]", 2),
    ],
)  # fmt: skip
def test_counted_days_clock_times_and_sizes(
    text: str, kind: str, dimension: str, value: float
) -> None:
    found = statement(text).quantities[0]
    assert (found.kind, found.dimension, found.low) == (kind, dimension, value)


@pytest.mark.parametrize(
    ("proposition", "chart", "name", "outcome"),
    [
        ("Sodium was 139.", "Na 138", "numbers", "conflict"),
        ("Sodium was 138.", "Na 138.2", "numbers", "agree"),
        ("Hemoglobin was 9.", "Hgb 9.4", "numbers", "agree"),
        ("Hemoglobin was 9.1.", "Hgb 9.4", "numbers", "conflict"),
        ("Lisinopril 2 mg.", "Lisinopril 2.5 mg", "numbers", "conflict"),
        ("Temperature was 99.5.", "T 100.4", "numbers", "conflict"),
        ("Norepinephrine 0.1 mcg/kg/min.", "Norepinephrine 0.2 mcg/kg/min", "numbers", "conflict"),
        ("INR was less than 2.", "INR 1.4", "numbers", "agree"),
        ("INR was less than 2.", "INR 2.4", "numbers", "conflict"),
        ("INR was 2.4.", "INR < 2", "numbers", "conflict"),
        ("INR was 1.4.", "INR < 2", "numbers", "missing"),
        ("Troponin was greater than 7.", "Troponin < 7", "numbers", "conflict"),
        ("Pain for over 5 days.", "Pain for 6 days", "durations", "agree"),
        ("Pain for over 5 days.", "Pain for 5 months", "durations", "conflict"),
        ("Pain for 4 weeks.", "Pain for a total of 1 month", "durations", "agree"),
        ("Pain for 2 weeks.", "Pain for 10 days", "durations", "conflict"),
        ("Metformin twice daily.", "Metformin BID", "frequencies", "agree"),
        ("Metformin once a year.", "Metformin once a week", "frequencies", "conflict"),
        ("The wound is 1 x 2 cm.", "Wound 1 x 2 cm", "numbers", "agree"),
        ("The wound is 2 x 2 cm.", "Wound 1 x 2 cm", "numbers", "conflict"),
        ("Surgery in 2016.", "Surgery in 2015-2017", "dates", "agree"),
        ("Surgery in 2018.", "Surgery in 2015-2017", "dates", "conflict"),
        ("Surgery in 2015.", "Surgery 2015", "dates", "agree"),
        ("Surgery in March 2015.", "Surgery on 3/4/2015", "dates", "agree"),
        ("Surgery on March 5.", "Surgery on 3/4/2015", "dates", "conflict"),
        ("Febrile on POD 2.", "Febrile on postoperative day 2", "dates", "agree"),
        ("Febrile on POD 2.", "Febrile on postoperative day 5", "dates", "conflict"),
        ("Seen at 14:30.", "Seen at 2:30 pm", "dates", "agree"),
        ("A 67-year-old man.", "76M with gout", "demographics", "conflict"),
    ],
)
def test_each_quantity_has_its_check(proposition: str, chart: str, name: str, outcome: str) -> None:
    (found,) = numbers.check(statement(proposition), statement(chart))
    assert (found.check, found.outcome) == (name, outcome), found


def test_the_check_is_named_in_the_verdict_and_the_reason() -> None:
    found = ask("Metformin 500 mg twice daily.", "Metformin 500 mg three times daily")
    assert found["verdict"] == "not_supported"
    assert found["checks"] == ["frequencies"]
    assert "frequency of metformin as three times daily, not twice daily" in found["reason"]

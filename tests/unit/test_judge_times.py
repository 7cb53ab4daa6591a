"""Times in words: lengths, points, parts of the day, order; told from the note's or text's day."""

from __future__ import annotations

from datetime import date

import pytest
from chartproof_judge.checks import numbers, times
from chartproof_judge.when import When

from tests.unit.judge_asking import ask, fact, statement

SAME = When(date(2024, 3, 5), date(2024, 3, 5))


@pytest.mark.parametrize(
    ("proposition", "chart", "name", "outcome"),
    [
        ("Pain over the past year.", "Pain for the past month", "durations", "conflict"),
        ("Pain over the past month.", "Pain for the last month", "durations", "agree"),
        ("Pain for a few weeks.", "Pain for several weeks", "durations", "agree"),
        ("Pain for a few weeks.", "Pain for a few days", "durations", "conflict"),
        ("Pain for many years.", "Pain for 20 years", "durations", "agree"),
        ("Pain for a couple of months.", "Pain for 20 years", "durations", "conflict"),
        (
            "It has been a week and a half.",
            "It has been a year and a half",
            "durations",
            "conflict",
        ),
        ("Pain for several years.", "Knee pain", "durations", "missing"),
        ("Seen last week.", "Seen last year", "dates", "conflict"),
        ("Seen last week.", "Seen 10 days ago", "dates", "agree"),
        ("Seen last week.", "Seen last month", "dates", "conflict"),
        ("Seen yesterday.", "Seen last month", "dates", "conflict"),
        ("Seen many years ago.", "Seen recently", "dates", "conflict"),
        ("Seen many years ago.", "Seen in the clinic", "dates", "missing"),
        ("Surgery next week.", "Surgery next month", "dates", "conflict"),
        ("Surgery next week.", "Seen last week", "dates", "missing"),
        ("Surgery in a few days.", "Surgery in a few months", "dates", "conflict"),
        ("Seen on Monday.", "Seen on Friday", "dates", "conflict"),
        ("Takes it in the morning.", "Takes it at bedtime", "times_of_day", "conflict"),
        ("Takes it every evening.", "Takes it at bedtime", "times_of_day", "agree"),
        ("Takes it in the morning.", "Takes it morning and evening", "times_of_day", "agree"),
        ("Diarrhea before alcohol.", "Diarrhea after alcohol", "order", "conflict"),
        ("Diarrhea prior to alcohol.", "Diarrhea before alcohol", "order", "agree"),
    ],
)
def test_times_in_words(proposition: str, chart: str, name: str, outcome: str) -> None:
    (found,) = times.check(statement(proposition), statement(chart), SAME)
    assert (found.check, found.outcome) == (name, outcome), found


@pytest.mark.parametrize(
    ("proposition", "chart"),
    [
        ("Seen today.", "Seen in the clinic"),
        ("Pain for 3 weeks.", "Pain for 4 weeks"),
        ("Seen recently.", "Seen in the clinic"),
        ("Diarrhea before alcohol.", "Diarrhea after surgery"),
        ("Good morning.", "Good evening"),
        ("On the day of surgery.", "Surgery a year ago"),
        ("Takes it before and after meals.", "Takes it after meals"),
    ],
)
def test_times_that_say_nothing_of_one_another(proposition: str, chart: str) -> None:
    assert times.check(statement(proposition), statement(chart), SAME) == []


def test_of_several_times_each_is_held_against_that_of_its_own() -> None:
    chart = statement("Cough for a few days; knee pain for a few years")
    (found,) = times.check(statement("Knee pain for a few years."), chart, SAME)
    assert found.outcome == "agree"
    (found,) = times.check(statement("Cough for a few months."), chart, SAME)
    assert (found.outcome, "a few days" in found.reason) == ("conflict", True)


@pytest.mark.parametrize(
    ("proposition", "chart", "as_of", "expected"),
    [
        # The fact's note is of March 1.
        ("CT of the chest was done on February 29.", "CT chest done yesterday.", 6, "supported"),
        ("CT of the chest was done on March 4.", "CT chest done yesterday.", 6, "not_supported"),
        ("CT of the chest was done yesterday.", "CT chest done on 2/29.", 1, "supported"),
        ("CT of the chest was done yesterday.", "CT chest done on 2/20.", 1, "not_supported"),
        ("CT of the chest was done yesterday.", "CT chest done yesterday.", 1, "supported"),
        ("CT of the chest was done yesterday.", "CT chest done yesterday.", 6, "not_supported"),
        ("CT of the chest was done 6 days ago.", "CT chest done yesterday.", 6, "supported"),
        ("CT of the chest was done 6 days ago.", "CT chest done on 2/29.", 6, "supported"),
        ("CT of the chest was done 3 weeks ago.", "CT chest done on 2/29.", 6, "not_supported"),
        ("Creatinine was 1.8 on March 1.", "Cr 1.8", 6, "supported"),
        ("Creatinine was 1.8 on March 3.", "Cr 1.8", 6, "not_supported"),
        ("Cough began 8 days ago.", "Cough began 3 days ago.", 6, "supported"),
        ("Cough began 30 days ago.", "Cough began 3 days ago.", 6, "not_supported"),
        ("Pacemaker check on POD 4.", "Pacemaker check, POD 1", 4, "supported"),
        ("Pacemaker check on POD 7.", "Pacemaker check, POD 1", 4, "not_supported"),
    ],
)
def test_times_are_told_from_the_days_of_note_and_text(
    proposition: str, chart: str, as_of: int, expected: str
) -> None:
    found = ask(proposition, fact(chart, 0), as_of=f"2024-03-{as_of:02}T18:00:00Z")
    assert found["verdict"] == expected, found


def test_without_the_days_times_are_compared_as_said() -> None:
    undated = fact("CT chest done yesterday.", time="")
    assert ask("CT of the chest was done yesterday.", undated)["verdict"] == "supported"
    assert ask("CT of the chest was done last year.", undated)["verdict"] == "not_supported"
    odd = fact("CT chest done yesterday.", time="the day before")
    assert ask("CT chest done yesterday.", odd, as_of="soon")["verdict"] == "supported"


def test_a_date_without_a_year_is_the_last_one_before_the_note() -> None:
    said = statement("Seen 2 months ago.")
    when = When(date(2024, 1, 20), date(2024, 1, 20))
    (found,) = numbers.check(said, statement("Seen on 11/20."), when)
    assert found.outcome == "agree"
    (found,) = numbers.check(said, statement("Seen on 1/10."), when)
    assert found.outcome == "conflict"


@pytest.mark.parametrize("text", ["99999999 years ago", "2/30/2024", "0/0/0", "for 9e99 weeks"])
def test_times_beyond_any_calendar_are_no_error(text: str) -> None:
    assert "error" not in ask(f"Seen {text}.", f"Seen {text}", as_of="2024-03-05T00:00:00Z")
    assert "error" not in ask(f"Seen {text}.", "Seen on 3/4", as_of="2024-03-05T00:00:00Z")
    assert "error" not in ask("Seen on March 4.", f"Seen {text}", as_of="2024-03-05T00:00:00Z")


def test_a_wrong_time_is_named_with_both_times() -> None:
    found = ask("Hematuria over the past several years.", "Hematuria over the past several months.")
    assert (found["verdict"], found["checks"]) == ("not_supported", ["durations"])
    assert "past several months, not" in found["reason"]


def test_a_test_done_twice_on_a_day_with_a_negative_result_was_done() -> None:
    found = ask("Blood cultures showed no growth.", "BCx 2/9 x2: no growth, final")
    assert found["verdict"] == "supported", found

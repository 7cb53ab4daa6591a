"""Facts at different times: the present state is the latest, the past may be any of them."""

from __future__ import annotations

import pytest

from tests.unit.judge_asking import ask, fact, verdict


@pytest.mark.parametrize(
    ("proposition", "older", "newer", "expected"),
    [
        ("Creatinine is 1.8.", "Cr 1.8", "Cr 1.1", "not_supported"),
        ("Creatinine is 1.1.", "Cr 1.8", "Cr 1.1", "supported"),
        ("Creatinine was 1.8 on admission.", "Cr 1.8 on admission", "Cr 1.1", "supported"),
        ("Creatinine at discharge was 1.8.", "Cr 1.8", "Cr 1.1", "not_supported"),
        ("The patient is currently on metoprolol 25 mg.", "Metoprolol 25 mg", "Metoprolol 50 mg",
         "not_supported"),
        ("The patient is currently on metoprolol 50 mg.", "Metoprolol 25 mg", "Metoprolol 50 mg",
         "supported"),
        ("The patient takes warfarin.", "Takes warfarin 5 mg.", "Warfarin was stopped.",
         "not_supported"),
        ("The patient is febrile.", "Fever to 102.", "No fever.", "not_supported"),
        ("The patient had a fever.", "Had fever.", "No fever.", "supported"),
        ("Oxygen saturation is now 88%.", "SpO2 88% on RA", "SpO2 96% on RA", "not_supported"),
    ],
)  # fmt: skip
def test_the_latest_wins_for_the_present(
    proposition: str, older: str, newer: str, expected: str
) -> None:
    assert verdict(proposition, older, newer) == expected, ask(proposition, older, newer)
    assert verdict(proposition, fact(newer, 1), fact(older, 0)) == expected


def test_an_outdated_value_is_explained_with_both_times() -> None:
    found = ask("Creatinine is 1.8 mg/dL.", "Creatinine 1.8 mg/dL", "Creatinine 1.1 mg/dL")
    assert found["verdict"] == "not_supported"
    for part in ("1.1", "1.8", "2024-03-02", "2024-03-01"):
        assert part in found["reason"], found["reason"]
    assert set(found["cited"]) == {"fact-0", "fact-1"}


def test_a_section_of_discharge_medication_speaks_of_the_present() -> None:
    facts = ("Metoprolol 25 mg BID", "Metoprolol 50 mg BID")
    assert verdict("Metoprolol 25 mg BID", *facts, section="Discharge medications") == (
        "not_supported"
    )
    assert verdict("Metoprolol 25 mg BID", *facts) == "supported"


def test_times_with_zones_are_compared_as_instants() -> None:
    early = fact("Cr 1.8", 0, time="2024-03-01T23:30:00-05:00")  # 04:30 on the 2nd, UTC
    late = fact("Cr 1.1", 1, time="2024-03-02T05:00:00Z")
    assert verdict("Creatinine is 1.8.", early, late) == "not_supported"
    assert verdict("Creatinine is 1.1.", early, late) == "supported"


@pytest.mark.parametrize("as_of", [None, "2024-03-09T12:00:00Z"])
@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("2 days 1 hour before the text", "1 day 23 hours before the text"),
        ("1 hour before the text", "less than 1 hour before the text"),
        ("3 hours before the text", "1 day after the text"),
    ],
)
def test_facts_told_by_how_long_before_the_text_are_in_that_order(
    as_of: str | None, older: str, newer: str
) -> None:
    early = fact("Cr 1.8", 0, time=None, relative_time=older)
    late = fact("Cr 1.1", 1, time=None, relative_time=newer)
    found = ask("Creatinine is 1.8.", late, early, as_of=as_of)
    assert found["verdict"] == "not_supported"
    assert f"({newer}); this held earlier ({older})" in found["reason"]
    assert ask("Creatinine is 1.1.", late, early, as_of=as_of)["verdict"] == "supported"


def test_days_are_known_from_how_long_before_the_text_a_fact_was_noted() -> None:
    said = fact("Fell yesterday", 0, time=None, relative_time="2 days 4 hours before the text")
    as_of = "2024-03-09T12:00:00Z"
    assert ask("She fell on March 6.", said, as_of=as_of)["verdict"] == "supported"
    assert ask("She fell on March 8.", said, as_of=as_of)["verdict"] == "not_supported"


@pytest.mark.parametrize("relative", ["", "long ago", "999999 days before the text", 7, None])
def test_a_time_that_cannot_be_read_is_older_than_any(relative: object) -> None:
    odd = fact("Cr 1.8", 0, time="yesterday", relative_time=relative)
    late = fact("Cr 1.1", 1)
    as_of = "2024-03-09T12:00:00Z"
    assert ask("Creatinine is 1.8.", odd, late, as_of=as_of)["verdict"] == "not_supported"

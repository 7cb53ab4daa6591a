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

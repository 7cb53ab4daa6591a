"""Where the patient went, and how the stay ended otherwise.

Beside what must not be supported stand near things that must; patients and notes are invented.
"""

from __future__ import annotations

import pytest

from tests.unit.judge_asking import ask, fact


@pytest.mark.parametrize(
    ("proposition", "chart", "section"),
    [
        ("The patient was discharged home.", "Discharged to SNF.", ""),
        ("The patient was discharged home.", "Disposition: Rehab", ""),
        ("The patient was discharged to rehab.", "Discharged home with services.", ""),
        ("The patient was discharged home.", "Extended Care", "Discharge Disposition"),
        ("The patient was discharged home.", "The patient expired on 3/4.", ""),
        ("The patient died.", "Discharged home.", ""),
        ("The patient died.", "Father died of MI at 52.", ""),
        ("The patient was discharged home.", "Pt left AMA.", ""),
        ("The patient left against medical advice.", "Discharged home in good condition.", ""),
        ("The patient was discharged home.", "Plan to discharge home tomorrow.", ""),
        ("The patient was discharged to rehab.", "Dispo: rehab pending bed.", ""),
        ("The patient was discharged home with hospice.", "Discharged home.", ""),
        (
            "The patient was discharged to rehab on warfarin.",
            "Discharged home on warfarin 5 mg.",
            "",
        ),
        ("The patient was discharged home.", "Discharged on home oxygen to SNF.", ""),
        ("The patient was transferred to an outside hospital.", "Transferred to rehab.", ""),
        (
            "The patient was discharged to a SNF.",
            "Lives in a SNF; discharged home with daughter.",
            "",
        ),
    ],
)
def test_what_the_chart_does_not_say(proposition: str, chart: str, section: str) -> None:
    found = ask(proposition, fact(chart, section=section))
    assert found["verdict"] != "supported", found


@pytest.mark.parametrize(
    ("proposition", "chart", "section"),
    [
        ("The patient was discharged home.", "Discharged home in stable condition.", ""),
        ("The patient was discharged to a skilled nursing facility.", "Discharged to SNF.", ""),
        ("She was discharged to rehab.", "Disposition: acute rehab", ""),
        ("The patient was discharged home.", "Discharged home with home health.", ""),
        ("The patient was discharged home.", "Home", "Discharge Disposition"),
        (
            "The patient was discharged to a skilled nursing facility.",
            "Extended Care",
            "Discharge Disposition",
        ),
        ("The patient died.", "The patient expired on 3/4.", ""),
        ("The patient expired.", "Pt passed away peacefully.", ""),
        ("The patient left against medical advice.", "Pt left AMA.", ""),
        ("Discharge to rehab is planned.", "Dispo: rehab pending bed.", ""),
        ("The patient was discharged home with hospice.", "Discharged home with hospice.", ""),
        ("The patient was discharged home on warfarin.", "Discharged home on warfarin 5 mg.", ""),
        ("The patient was transferred to an outside hospital.", "Transferred to OSH for PCI.", ""),
        ("The patient was discharged home.", "D/c'd home.", ""),
        ("The patient was discharged to an LTAC.", "Discharged to long-term acute care.", ""),
    ],
)
def test_what_the_chart_says(proposition: str, chart: str, section: str) -> None:
    found = ask(proposition, fact(chart, section=section))
    assert found["verdict"] == "supported", found


@pytest.mark.parametrize(
    ("proposition", "chart", "said"),
    [
        ("The patient was discharged home.", "Discharged to rehab.", "rehabilitation, not home"),
        ("The patient was discharged home.", "Expired on day 4.", "death, not home"),
        ("She was discharged to rehab.", "Left AMA.", "against medical advice"),
        ("She was discharged to rehab.", "Plan: discharge to rehab.", "planned"),
    ],
)
def test_the_check_is_named_and_says_where(proposition: str, chart: str, said: str) -> None:
    found = ask(proposition, chart)
    assert found["verdict"] == "not_supported", found
    assert "disposition" in found["checks"]
    assert said in found["reason"]


@pytest.mark.parametrize(
    "chart",
    [
        "Her husband passed away last year.",
        "A close friend died last month.",
        "Her prescription expired in May.",
        "The nitroglycerin had expired.",
    ],
)
def test_who_or_what_else_has_died_or_lapsed_is_no_disposition(chart: str) -> None:
    assert ask("The patient was discharged home.", chart)["verdict"] == "not_addressed"
    assert ask("The patient died.", chart)["verdict"] != "supported"


@pytest.mark.parametrize(
    "chart",
    [
        "Mr. Ashdown expired at 04:10.",
        "Surrounded by family, the patient passed away.",
        "Patient with metastatic disease died on day 4.",
        "He subsequently expired.",
    ],
)
def test_a_patient_who_died_was_not_discharged_home(chart: str) -> None:
    assert ask("The patient died.", chart)["verdict"] == "supported"
    assert ask("The patient was discharged home.", chart)["verdict"] == "not_supported"


def test_the_latest_disposition_counts() -> None:
    facts = ("Discharged to rehab.", "Discharged home from rehab.")
    assert ask("The patient was discharged home.", *facts)["verdict"] == "supported"

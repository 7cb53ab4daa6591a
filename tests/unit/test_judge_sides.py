"""Which side: abbreviations of limbs, eyes and ears, both sides and one.

Beside what must not be supported stand near things that must; patients and notes are invented.
"""

from __future__ import annotations

import pytest

from tests.unit.judge_asking import ask, fact


@pytest.mark.parametrize(
    ("proposition", "chart", "section"),
    [
        ("The patient has left knee pain.", "Bilateral knee pain.", ""),
        ("The patient has bilateral knee pain.", "Left knee pain.", ""),
        ("The patient has right leg swelling.", "LLE swelling.", ""),
        ("The patient has right leg swelling.", "LLE edema.", ""),
        ("The patient has right arm weakness.", "LUE weakness.", ""),
        ("Cataract of the left eye.", "Cataract OD.", ""),
        ("The patient has a cataract of the right eye.", "Cataract extraction OS.", ""),
        ("The patient underwent left total knee replacement.", "R TKA.", ""),
        ("The patient underwent left total knee replacement.", "s/p R TKR 2019", ""),
        (
            "The patient has a left-sided weakness.",
            "Right-handed man with right-sided weakness.",
            "",
        ),
        ("The patient has left-sided weakness.", "Left-handed man with right-sided weakness.", ""),
        ("The patient is left-handed.", "Right-handed woman.", ""),
        ("Right lower lobe pneumonia.", "LLL pneumonia.", ""),
        ("Pneumonia of the left lower lobe.", "RLL pneumonia", ""),
        ("The patient has left hemiparesis.", "R hemiparesis.", ""),
        ("The patient has unilateral edema.", "Bilateral edema.", ""),
        ("Left ear hearing loss.", "Hearing loss AD.", ""),
        ("Stent of the left anterior descending artery.", "Stent to RCA.", ""),
        ("The patient had a left hip fracture.", "R hip fx.", ""),
        ("The patient has a left breast mass.", "Mass in the R breast at 2 o'clock.", ""),
        ("The patient has a left pleural effusion.", "Right pleural effusion.", ""),
        ("The patient has a left pleural effusion.", "Small (R) pleural effusion.", ""),
        ("The patient has a left DVT.", "R-sided DVT.", ""),
        ("The patient underwent left nephrectomy.", "Rt nephrectomy", ""),
        ("The patient has a lower respiratory infection.", "Upper respiratory infection.", ""),
    ],
)
def test_what_the_chart_does_not_say(proposition: str, chart: str, section: str) -> None:
    found = ask(proposition, fact(chart, section=section))
    assert found["verdict"] != "supported", found


@pytest.mark.parametrize(
    ("proposition", "chart", "section"),
    [
        ("The patient has bilateral knee pain.", "Bilateral knee pain.", ""),
        ("The patient has left knee pain.", "Left knee pain and right knee pain.", ""),
        ("The patient has left leg swelling.", "LLE swelling.", ""),
        ("The patient has right arm weakness.", "RUE weakness.", ""),
        ("Cataract of the right eye.", "Cataract OD.", ""),
        ("Cataract of the left eye.", "Cataract OS.", ""),
        ("The patient has glaucoma in both eyes.", "Glaucoma OU.", ""),
        ("The patient underwent right total knee replacement.", "R TKA.", ""),
        ("The patient has right-sided weakness.", "Left-handed man with right-sided weakness.", ""),
        ("The patient is right-handed.", "Right-handed woman.", ""),
        ("The patient has right hemiparesis.", "R hemiparesis.", ""),
        ("Right ear hearing loss.", "Hearing loss AD.", ""),
        ("The patient had a right hip fracture.", "R hip fx.", ""),
        ("The patient has a right pleural effusion.", "Small (R) pleural effusion.", ""),
    ],
)
def test_what_the_chart_says(proposition: str, chart: str, section: str) -> None:
    found = ask(proposition, fact(chart, section=section))
    assert found["verdict"] == "supported", found


def test_both_sides_are_not_one() -> None:
    found = ask("Left knee pain.", "Bilateral knee pain.")
    assert found["verdict"] == "not_supported"
    assert found["checks"][0] == "side"
    assert "both sides" in found["reason"]


def test_once_daily_is_no_eye() -> None:
    assert ask("The patient takes lisinopril.", "Lisinopril 10 mg OD.")["verdict"] == "supported"
    assert ask("He was treated for an overdose.", "Treated for OD.")["verdict"] != "supported"


def test_a_side_of_something_else_is_not_this_ones() -> None:
    found = ask("The left lung is clear.", "Lungs are clear. Left ankle is swollen.")
    assert found["verdict"] != "supported"

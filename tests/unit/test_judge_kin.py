"""Whose disease it is, and which relative is meant.

Beside what must not be supported stand near things that must; patients and notes are invented.
"""

from __future__ import annotations

import pytest

from tests.unit.judge_asking import ask, fact


@pytest.mark.parametrize(
    ("proposition", "chart", "section"),
    [
        ("The patient has breast cancer.", "Mother had breast cancer at 50.", ""),
        ("The patient's sister had breast cancer.", "Mother had breast cancer at 50.", ""),
        ("The patient's father had breast cancer.", "Mother had breast cancer at 50.", ""),
        ("The patient's father has diabetes.", "Mother - diabetes; father - hypertension.", ""),
        ("The patient's mother has hypertension.", "Mother: diabetes. Father: hypertension.", ""),
        (
            "The patient's maternal grandmother had colon cancer.",
            "Paternal grandmother had colon cancer.",
            "",
        ),
        ("The patient has diabetes.", "Diabetes in her mother.", "Family History"),
        ("The patient has coronary disease.", "Father died of MI, coronary disease at 52.", ""),
        ("The patient died of MI.", "Father died of MI at 52.", ""),
        ("The patient has colon cancer.", "FHx: colon cancer in father.", ""),
        ("The patient has colon cancer.", "FH: colon cancer.", ""),
        ("The patient has colon cancer.", "Fam hx: colon cancer", ""),
        ("The patient has colon cancer.", "Colon cancer (father).", ""),
        ("The patient has colon cancer.", "Family hx significant for colon cancer.", ""),
        ("The patient has colon cancer.", "Strong family history of colon cancer.", ""),
        (
            "The patient has a family history of colon cancer.",
            "No family history of colon cancer.",
            "",
        ),
        ("The patient lives with her husband.", "She lives with her son.", ""),
        ("The patient lives with her son.", "She lives with her husband.", ""),
        ("Her mother reports no fever.", "Her father reports no fever.", ""),
        ("The patient's uncle has diabetes.", "Both parents have diabetes.", ""),
        ("The patient's brother had gout at 33.", "Mother with gout at 33.", ""),
        (
            "Her daughter drove her home after the visit.",
            "Her husband drove her home after the visit.",
            "",
        ),
        ("He caught the flu from his cousin.", "He caught the flu from his sister.", ""),
    ],
)
def test_what_the_chart_does_not_say(proposition: str, chart: str, section: str) -> None:
    found = ask(proposition, fact(chart, section=section))
    assert found["verdict"] != "supported", found


@pytest.mark.parametrize(
    ("proposition", "chart", "section"),
    [
        ("The patient's mother had breast cancer.", "Mother had breast cancer at 50.", ""),
        ("The patient's father has hypertension.", "Mother - diabetes; father - hypertension.", ""),
        ("The patient has a family history of colon cancer.", "Father had colon cancer.", ""),
        ("The patient has a family history of colon cancer.", "FHx: colon cancer in father.", ""),
        ("The patient lives with her husband.", "She lives with her husband.", ""),
        ("The patient has diabetes.", "Mother reports that he has diabetes.", ""),
        ("The patient's mother has diabetes.", "Both parents have diabetes.", ""),
    ],
)
def test_what_the_chart_says(proposition: str, chart: str, section: str) -> None:
    found = ask(proposition, fact(chart, section=section))
    assert found["verdict"] == "supported", found


def test_the_check_names_the_relatives() -> None:
    found = ask("Her father has gout.", "Mother: gout.")
    assert (found["verdict"], found["checks"][0]) == ("not_supported", "relatives")
    assert "of the mother, not of the father" in found["reason"]


def test_several_relatives_share_what_is_listed_after_them() -> None:
    chart = "Mother and father with gout, sister with asthma."
    assert ask("Her father has gout.", chart)["verdict"] == "supported"
    assert ask("Her father has asthma.", chart)["verdict"] == "not_supported"
    assert ask("Her sister has gout.", chart)["verdict"] == "not_supported"

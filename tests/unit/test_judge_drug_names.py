"""Names, brands, abbreviations and classes of drugs, and drugs that are only allergies.

Beside what must not be supported stand near things that must; patients and notes are invented.
"""

from __future__ import annotations

import pytest

from tests.unit.judge_asking import ask, fact


@pytest.mark.parametrize(
    ("proposition", "chart", "section"),
    [
        ("The patient is allergic to sulfa.", "Allergies: PCN (hives)", ""),
        ("The patient takes penicillin.", "Allergies: penicillin (hives)", ""),
        ("The patient is taking penicillin.", "Penicillin allergy.", ""),
        ("The patient was given penicillin.", "Allergic to penicillin.", ""),
        ("The patient is not allergic to penicillin.", "Penicillin allergy.", ""),
        ("The patient takes an ARB.", "Lisinopril 10 mg", ""),
        ("The patient takes insulin lispro.", "Lantus 20 units qhs", ""),
        ("The patient takes insulin glargine.", "Humalog 5 units with meals", ""),
        ("The patient uses a montelukast inhaler.", "Albuterol inhaler as needed.", ""),
        ("The patient takes celecoxib.", "Citalopram 20 mg", ""),
        ("The patient takes hydralazine.", "Hydroxyzine 25 mg", ""),
        ("The patient takes an NSAID.", "Tylenol 650 mg", ""),
    ],
)
def test_what_the_chart_does_not_say(proposition: str, chart: str, section: str) -> None:
    found = ask(proposition, fact(chart, section=section))
    assert found["verdict"] != "supported", found


@pytest.mark.parametrize(
    ("proposition", "chart", "section"),
    [
        ("The patient takes aspirin.", "ASA 81 mg daily", ""),
        ("The patient takes hydrochlorothiazide.", "HCTZ 25 mg daily", ""),
        ("The patient takes methotrexate.", "MTX 15 mg weekly", ""),
        ("The patient takes acetaminophen.", "APAP 650 mg q6h", ""),
        ("The patient takes nitroglycerin.", "NTG SL prn", ""),
        ("The patient is allergic to penicillin.", "PCN allergy", ""),
        ("The patient has a penicillin allergy.", "Allergies: PCN (hives)", ""),
        ("The patient takes a beta blocker.", "Metoprolol 25 mg BID", ""),
        ("The patient takes an ACE inhibitor.", "Lisinopril 10 mg", ""),
        ("The patient takes mycophenolate.", "MMF 500 mg BID", ""),
        ("The patient takes warfarin.", "Coumadin 5 mg", ""),
        ("The patient takes trimethoprim-sulfamethoxazole.", "Bactrim DS BID", ""),
        ("The patient received tPA.", "Alteplase given.", ""),
        ("The patient takes potassium chloride.", "KCl 20 mEq daily", ""),
        ("The patient received normal saline.", "NS 1 L bolus given", ""),
        ("The patient takes insulin glargine.", "Lantus 20 units qhs", ""),
        ("The patient takes insulin.", "Lantus 20 units qhs", ""),
        ("The patient takes isosorbide mononitrate.", "ISMN 30 mg daily", ""),
        ("The patient takes vitamin D.", "Vit D 1000 IU", ""),
        ("The patient takes levothyroxine.", "LT4 50 mcg", ""),
        ("The patient received piperacillin-tazobactam.", "Pip-tazo given", ""),
        ("The patient receives tacrolimus.", "FK506 2 mg BID", ""),
        ("The patient takes an SSRI.", "Sertraline 50 mg daily", ""),
        ("The patient takes a statin.", "Atorvastatin 40 mg", ""),
        ("The patient takes a loop diuretic.", "Lasix 40 mg", ""),
        ("The patient takes an NSAID.", "Motrin 600 mg TID", ""),
        ("The patient takes SMX-TMP.", "Bactrim daily", ""),
        ("The patient takes ferrous sulfate.", "FeSO4 325 mg daily", ""),
        ("The patient was given epinephrine.", "Epi 0.3 mg IM given", ""),
        ("The patient takes phenobarbital.", "PHB 60 mg", ""),
    ],
)
def test_what_the_chart_says(proposition: str, chart: str, section: str) -> None:
    found = ask(proposition, fact(chart, section=section))
    assert found["verdict"] == "supported", found


def test_an_allergy_is_no_treatment_and_the_check_says_so() -> None:
    found = ask("The patient takes penicillin.", "Allergies: penicillin.")
    assert (found["verdict"], found["checks"][0]) == ("not_supported", "allergies")
    assert ask("He is allergic to penicillin.", "Allergic to penicillin.")["verdict"] == "supported"
    hives = ask("Penicillin causes hives.", fact("Penicillin causes hives.", section="Allergies"))
    assert hives["verdict"] == "supported"


def test_one_insulin_is_not_another() -> None:
    found = ask("She takes Lantus 20 units.", "Humalog 20 units with meals.")
    assert found["verdict"] != "supported"


@pytest.mark.parametrize(
    ("proposition", "chart", "verdict"),
    [
        ("Lisinopril causes cough.", "Does not tolerate lisinopril, which makes her cough.", "yes"),
        ("She has a cough.", "She could not tolerate enalapril because of cough.", "yes"),
        ("She takes lisinopril.", "She does not tolerate lisinopril.", "no"),
        ("She takes metformin.", "Did not tolerate metformin, no rash", "no"),
        ("She has a rash.", "Did not tolerate metformin, no rash", "no"),
        ("Tolerating a regular diet.", "Not tolerating diet.", "no"),
        ("Not tolerating diet.", "Tolerating diet", "no"),
    ],
)
def test_what_is_not_tolerated(proposition: str, chart: str, verdict: str) -> None:
    found = ask(proposition, chart)
    assert found["verdict"] == {"yes": "supported", "no": "not_supported"}[verdict], found

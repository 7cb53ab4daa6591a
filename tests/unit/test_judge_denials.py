"""What is denied, asked, labelled absent or denied twice.

Beside what must not be supported stand near things that must; patients and notes are invented.
"""

from __future__ import annotations

import pytest

from tests.unit.judge_asking import ask, fact, statement


@pytest.mark.parametrize(
    ("proposition", "chart", "section"),
    [
        ("The patient has fever.", "Denies fever, chills, or cough.", ""),
        ("The patient has cough.", "Denies fever, chills, or cough.", ""),
        ("The patient has fever.", "No fever, but reports cough.", ""),
        ("The patient has pneumonia.", "No evidence of pneumonia.", ""),
        ("The patient has pneumonia.", "CXR negative for pneumonia.", ""),
        ("The patient has PE.", "PE was ruled out.", ""),
        ("The patient has PE.", "CTA ruled out PE.", ""),
        ("The patient has PE.", "CTA rules out PE.", ""),
        ("The patient has PE.", "PE has been excluded.", ""),
        ("The patient has lymphadenopathy.", "Without lymphadenopathy.", ""),
        ("The patient has chest pain.", "Chest pain: denies.", ""),
        ("The patient has chest pain.", "Chest pain: no", ""),
        ("The patient has chest pain.", "Chest pain - negative", ""),
        ("The patient has chest pain.", "(-) chest pain", ""),
        ("The patient has chest pain.", "Negative: chest pain, dyspnea.", ""),
        ("The patient has dyspnea.", "Negative: chest pain, dyspnea.", ""),
        ("The patient has dyspnea.", "Positive for chest pain, negative for dyspnea.", ""),
        ("The patient has dyspnea.", "+ chest pain, - dyspnea", ""),
        ("The patient has edema.", "No JVD or edema.", ""),
        ("The patient has no edema.", "Edema noted.", ""),
        ("The patient's pain has improved.", "Pain has not improved.", ""),
        ("The patient has a history of stroke.", "No history of stroke.", ""),
        ("The patient has a history of stroke.", "No h/o stroke or TIA.", ""),
        ("The patient has an allergy to penicillin.", "No known allergy to penicillin.", ""),
        ("The patient drinks alcohol.", "Does not drink alcohol.", ""),
        ("The patient smokes.", "Never smoker.", ""),
        ("The patient smokes.", "Nonsmoker.", ""),
        ("The patient uses illicit drugs.", "Denies illicit drug use.", ""),
        ("The patient does not have necrosis.", "There is necrosis.", ""),
        ("There is not no necrosis in the wound.", "No necrosis in the wound.", ""),
        ("The patient has tobacco use.", "Do you use any tobacco?", ""),
        ("The patient has a fever.", "Any fever or chills?", ""),
        ("The patient has pain.", "Pain free.", ""),
        ("The patient tolerates statins.", "Unable to tolerate statins.", ""),
        ("The patient has any bleeding.", "Nor any bleeding.", ""),
        ("The patient has cancer.", "Biopsy negative for malignancy.", ""),
        ("The patient has cancer.", "No cancer was found.", ""),
        ("Bruits were detected.", "No bruits were detected.", ""),
        ("The patient does not take lisinopril.", "We will not change the lisinopril.", ""),
        ("The patient has had hay fever.", "Have you ever had hay fever before", ""),
        ("The patient has a fever.", "The fever has resolved.", ""),
        ("The patient has edema.", "No pitting sacral edema.", ""),
        ("The patient has a bleeding disorder.", "Are you aware of any bleeding disorder?", ""),
    ],
)
def test_what_the_chart_does_not_say(proposition: str, chart: str, section: str) -> None:
    found = ask(proposition, fact(chart, section=section))
    assert found["verdict"] != "supported", found


@pytest.mark.parametrize(
    ("proposition", "chart", "section"),
    [
        ("The patient has cough.", "Denies fever but has cough.", ""),
        ("The patient has cough.", "No fever, but reports cough.", ""),
        ("The patient has chest pain.", "Positive for chest pain, negative for dyspnea.", ""),
        ("The patient has edema.", "No JVD. Edema present.", ""),
        ("The patient's pain has not improved.", "Pain has not improved.", ""),
        ("The patient has no pain.", "Pain free.", ""),
        ("The patient has gram-negative bacteremia.", "Gram-negative bacteremia.", ""),
        ("No bruits were detected.", "No bruits.", ""),
        ("The patient takes lisinopril.", "We will not change the lisinopril.", ""),
    ],
)
def test_what_the_chart_says(proposition: str, chart: str, section: str) -> None:
    found = ask(proposition, fact(chart, section=section))
    assert found["verdict"] == "supported", found


@pytest.mark.parametrize("word", ["ruled", "rule"])
def test_an_inflected_word_is_no_abbreviation(word: str) -> None:
    assert "right upper lobe" not in statement(f"It was {word} a day.").keys


def test_of_a_question_and_an_answer_the_answer_counts() -> None:
    asked = "Do you have any chest pain?"
    assert ask("The patient has chest pain.", asked)["verdict"] != "supported"
    assert ask("The patient has chest pain.", asked, "Has chest pain.")["verdict"] == "supported"


@pytest.mark.parametrize("problem", ["PE", "DVT", "pneumonia"])
def test_what_is_said_of_a_list_is_of_all_its_items(problem: str) -> None:
    found = ask(f"The patient has {problem}.", "PE, DVT and pneumonia were ruled out.")
    assert found["verdict"] == "not_supported", found


def test_a_clause_with_a_verb_is_no_item_of_a_list() -> None:
    chart = "Cough persists and PE and DVT were ruled out."
    assert ask("The patient has a cough.", chart)["verdict"] == "supported"


@pytest.mark.parametrize(
    ("proposition", "chart", "verdict"),
    [
        ("The patient has no cough.", "He does not have a croupy cough.", "not_supported"),
        ("Blood cultures had no growth.", "Blood cultures of Monday: no growth.", "supported"),
        ("The patient has no croupy cough.", "He does not have a croupy cough.", "supported"),
        ("The patient has cough.", "No croupy hollow cough.", "not_supported"),
        ("The patient has no masses.", "No rash, masses, or ulcers are seen.", "supported"),
        ("The patient has masses.", "No rash, masses, or ulcers are seen.", "not_supported"),
        ("The patient uses tobacco.", "Tobacco: no prior history.", "not_supported"),
        ("The patient has tobacco use.", "Tobacco: yes.", "supported"),
        ("There are no changes of the EKG compared to the prior study.",
         "Compared to the prior study, no changes of the EKG.", "supported"),
        ("He will not stay on the current dose of lisinopril.",
         "Stay on the current dose of lisinopril.", "not_supported"),
        ("The patient has diabetes.", "[3][patient] no [4][doctor] your diabetes is stable",
         "supported"),
        ("A cream is not recommended.", "I recommended a cream.", "not_supported"),
        ("He has a cold and does not take medication.", "He has a cold and takes medication.",
         "not_supported"),
    ],
)  # fmt: skip
def test_how_far_a_denial_goes(proposition: str, chart: str, verdict: str) -> None:
    assert ask(proposition, chart)["verdict"] == verdict, ask(proposition, chart)


def test_what_one_sentence_of_a_fact_says_is_not_said_of_the_next() -> None:
    chart = "Potassium is low. Sodium is high."
    assert ask("Potassium is high.", chart)["verdict"] == "not_supported"
    assert ask("Potassium is low.", chart)["verdict"] == "supported"


def test_facts_that_say_it_outweigh_one_that_only_asks_all_of_it() -> None:
    facts = (
        "Do you take metformin for your diabetes?",
        "Metformin 500 mg daily.",
        "PMH: diabetes.",
    )
    found = ask("The patient takes metformin for diabetes.", *facts)
    assert found["verdict"] == "supported"
    assert "fact-0" not in found["cited"]

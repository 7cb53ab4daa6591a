"""The rule-based decomposer on kinds of text: dialogue, letters, nested lists, lost line breaks."""

from __future__ import annotations

import json
from typing import Any

import pytest
from chartproof_decomposer import load

DECOMPOSER = load()


def read(text: str, unit: str = "sentence") -> list[dict[str, Any]]:
    (answer,) = DECOMPOSER.decompose([(text, unit, '{"mode": "direct"}')])
    found: list[dict[str, Any]] = json.loads(answer)
    return found


def flags(text: str) -> list[tuple[str | None, str]]:
    return [(each.get("flag"), each["text"]) for each in read(text)]


def sections(text: str) -> list[tuple[str | None, str]]:
    return [(each["section"], each["text"]) for each in read(text)]


def problems(text: str) -> list[tuple[str, str | None]]:
    return [(each["text"], each["context"].get("problem")) for each in read(text)]


# What is an order, and what says that one was given


def test_orders_under_a_title_are_orders() -> None:
    text = "What to do at home:\nPlease rest every day.\nCall 911 for chest pain.\nYou had a cold."
    assert flags(text) == [
        ("incomplete", "What to do at home:"),
        ("imperative", "Please rest every day."),
        ("imperative", "Call 911 for chest pain."),
        (None, "You had a cold."),
    ]


@pytest.mark.parametrize("lead", ["He was told:", "She was advised to:", "The nurse to:"])
def test_orders_that_a_sentence_reports_are_statements(lead: str) -> None:
    assert flags(f"{lead}\n- call for chest pain\n- drink water")[1:] == [
        (None, "call for chest pain"),
        (None, "drink water"),
    ]


def test_a_list_of_medicines_says_take() -> None:
    assert flags("The new tablets:\n- Take your iron at night")[1:] == [
        (None, "Take your iron at night")
    ]


# Sections


def test_a_note_whose_line_breaks_are_lost_has_its_sections() -> None:
    text = (
        "HPI: A 34yo woman presents with cough since Monday. Denies fever and has slept well in the"
        " meantime. PMH: asthma, gout. Meds: iron. Code status: full. Exam: Clear. A/P: Iron."
    )
    assert sections(text)[2:] == [
        ("Past Medical History", "asthma, gout."),
        ("Medications", "iron."),
        ("Code Status", "Code status: full."),
        ("Physical Exam", "Clear."),
        ("Assessment and Plan", "Iron."),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "He came by. Allergies: none. Meds: iron.",
        "He was asked at length, and by two people on two days, of all that he had ever had and of"
        " what he had taken for it in the last ten years. Allergies: none. He was well.",
    ],
)
def test_one_label_in_prose_or_several_in_a_short_line_are_no_sections(text: str) -> None:
    assert {each["section"] for each in read(text)} == {None}


def test_what_stands_behind_a_hash_and_a_label_is_said() -> None:
    text = "# Assessment\nStable.\n# Code: Full\n# Plan: go home\n# Sleep (new): poor\n"
    assert sections(text) == [
        ("Assessment", "Stable."),
        ("Code Status", "Code: Full"),
        ("Plan", "go home"),
        ("Plan", "Sleep (new): poor"),
    ]
    # What is no title is an item.
    text = "A/P:\n# CHF - trigger: salt. Furosemide 80 mg.\n# AKI - Cr 1.9.\n"
    assert [said for _, said in sections(text)] == [
        "CHF - trigger: salt.",
        "Furosemide 80 mg.",
        "AKI - Cr 1.9.",
    ]


def test_problems_behind_hashes_are_said_where_no_hash_titles_a_section() -> None:
    text = "# Sepsis from UTI\nLactate 3.1.\n# Kidney injury\nCreatinine 2.7.\n# Code: Full"
    assert problems(text) == [
        ("Sepsis from UTI", "Sepsis from UTI"),
        ("Lactate 3.1.", "Sepsis from UTI"),
        ("Kidney injury", "Kidney injury"),
        ("Creatinine 2.7.", "Kidney injury"),
        ("Code: Full", None),
    ]
    # "# Medications" is a title, so the other is one too.
    titled = sections(f"# Medications\n- iron\n{text}")
    assert ("Kidney injury", "Creatinine 2.7.") in titled
    assert sections("# Transfer Note\nFever.") == [("Transfer Note", "Fever.")]


def test_a_section_of_one_line_does_not_take_in_the_labels_below_it() -> None:
    text = "Reason for visit: gout\nAlcohol: none\nAllergies: latex\nSulfa: hives\nTSH: 2.1 mIU/L"
    assert sections(text) == [
        ("Chief Complaint", "gout"),
        (None, "Alcohol: none"),
        ("Allergies", "latex"),
        # An allergen may have a label of its own, a number is none's.
        ("Allergies", "Sulfa: hives"),
        (None, "TSH: 2.1 mIU/L"),
    ]
    assert sections("Allergies:\nLatex: 2019")[0][0] == "Allergies"
    assert sections("Physical exam: Well.\nGait: slow")[1][0] == "Physical Exam"


def test_the_exam_of_a_radiology_report_is_no_physical_exam() -> None:
    assert sections("EXAM: CT CHEST\nIMPRESSION: No clot.")[0] == ("Imaging", "CT CHEST")
    assert sections("EXAM: Clear lungs.")[0][0] == "Physical Exam"


def test_the_description_of_an_operation_is_of_the_procedure() -> None:
    text = "SPECIMENS: None.\nDESCRIPTION OF PROCEDURE: He was placed supine."
    assert sections(text)[1] == ("Procedures", "He was placed supine.")


# Lists


def test_inner_items_stand_under_the_outermost_one() -> None:
    text = (
        "Plan:\n- Heart failure\n  - Daily weights\n    o\tGoal: minus 1 L\n    o no salt\n"
        "- Gout\n  * iron\nStable.\n"
    )
    assert problems(text) == [
        ("Heart failure", None),
        ("Daily weights", "Heart failure"),
        ("Goal: minus 1 L", "Heart failure"),
        ("no salt", "Heart failure"),
        ("Gout", None),
        ("iron", "Gout"),
        ("Stable.", None),
    ]


def test_bullets_below_a_number_are_inside_of_it() -> None:
    text = "1. Heart failure\n- furosemide\n- weights\n2. Gout\n- iron\n"
    assert [problem for _, problem in problems(text)] == [
        None,
        "Heart failure",
        "Heart failure",
        None,
        "Gout",
    ]


def test_a_list_that_its_lead_in_turns_is_no_problem_of_what_follows() -> None:
    text = "A/P:\n# Gout\n- iron\n# Stopped drugs\n- folate\n\nHe is stable."
    assert problems(text) == [
        ("Gout", "Gout"),
        ("iron", "Gout"),
        ("Stopped drugs\n- folate", None),
        ("He is stable.", None),
    ]


@pytest.mark.parametrize("bullet", ["►", "➢", "▫", "\uf0a7", "o ", "o\t"])
def test_bullets_of_word_processors(bullet: str) -> None:
    assert [said for _, said in sections(f"{bullet} iron\n{bullet} folate")] == ["iron", "folate"]


def test_an_o_in_prose_is_a_word() -> None:
    text = "Paciente refere que toma\no comprimido de ferro."
    assert " ".join(said for _, said in sections(text)).count("o comprimido") == 1


# Sentences


@pytest.mark.parametrize(
    "text",
    [
        "Return in 48 h.|Follow up in May.",
        "Given 2 L.|Foley placed.",
        "Neuro exam normal, incl. CN II-XII.|He is well.",
        "A 3 m.o. M with fever.|He is well.",
        "He is 67 y.o.|He is well.",
    ],
)
def test_stops_of_measures_and_ages(text: str) -> None:
    parts = text.split("|")
    assert [said for _, said in sections(" ".join(parts))] == parts


def test_a_line_without_end_is_cut_where_clauses_end() -> None:
    clause = "on the {}th day he was seen by the team and walked the whole ward and then"
    text = "; ".join(clause.format(n) for n in range(60))
    found = read(text)
    assert all("flag" not in each for each in found)
    assert all(len(each["text"]) <= 1000 for each in found)
    assert all(each["text"].endswith(";") for each in found[:-1])
    assert " ".join(each["text"] for each in found) == text
    # What no semicolon holds together is not torn apart.
    assert len(read("he walked and " * 200)) == 1
    assert len(read(f"{'he walked and ' * 100}slept; he ate; he sat.")) == 2


# What the text says once


@pytest.mark.parametrize(
    ("text", "age", "sex"),
    [
        ("A 74-YEAR-OLD FEMALE WITH GOUT.", "74 years", "female"),
        ("Age: 66\nSex: Male", "66 years", "male"),
        ("Sex: F, age 8", "8 years", "female"),
        ("Gender: M", None, "male"),
        ("3 m.o. M with fever.", "3 months", "male"),
        ("67 y.o. F with gout.", "67 years", "female"),
        ("67 m/o F with gout.", "67 months", "female"),
        # A time, and not an age.
        ("Cough for 3 mo and 2 w/o fever.", None, None),
    ],
)
def test_ways_to_write_age_and_sex(text: str, age: str | None, sex: str | None) -> None:
    context = read(text)[0]["context"]
    assert (context.get("age"), context.get("sex")) == (age, sex)


def test_what_a_line_break_parts_is_one_problem() -> None:
    text = (
        "Mr. Roe is an 81-year-old man who was admitted to the ward with worsening\nkidney failure"
        " and was given fluids in the course of the first night that he spent.\n"
    )
    assert read(text)[0]["context"]["problem"] == "worsening kidney failure"
    assert read("72F p/w cough since May.")[0]["context"]["problem"] == "cough"


# What hangs together


@pytest.mark.parametrize("said", ["I therefore gave fluids.", "He was therefore given fluids."])
def test_a_conclusion_may_name_who_draws_it_first(said: str) -> None:
    text = f"Lactate was 4. {said}"
    assert [(each["pattern"], each["text"]) for each in read(text, "snippet")] == [("C", text)]


def test_thus_far_is_a_time() -> None:
    text = "Lactate was 4. He has thus far had no fever."
    assert [each["pattern"] for each in read(text, "snippet")] == ["D", "D"]
    text = "He was febrile and has thus far been given fluids."
    (answer,) = DECOMPOSER.decompose([(text, "snippet", '{"mode": "group"}')])
    assert [each["pattern"] for each in json.loads(answer)] == ["F", "F"]

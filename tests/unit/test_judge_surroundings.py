"""The text around a proposition says what it speaks of; it is never evidence.

Patients and notes are invented.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from chartproof_judge.antecedents import before, understood

from tests.unit.judge_asking import JUDGE, LEXICON, fact


def ask(proposition: str, surroundings: str | None, *texts: str) -> dict[str, Any]:
    context: dict[str, Any] = {"facts": [fact(text, at) for at, text in enumerate(texts)]}
    if surroundings is not None:
        context["surroundings"] = surroundings
    (answer,) = JUDGE.judge([(proposition, json.dumps(context), "{}")])
    found: dict[str, Any] = json.loads(answer)
    return found


@pytest.mark.parametrize(
    ("proposition", "earlier", "expected"),
    [
        ("It was stopped on day 3.", "Metoprolol was begun for hypertension.",
         "Metoprolol was stopped on day 3."),
        ("It was stopped on day 3.", "Warfarin, then metoprolol for hypertension.",
         "metoprolol was stopped on day 3."),
        ("The dose was then doubled.", "She takes furosemide for heart failure.",
         "The dose of furosemide was then doubled."),
        ("She was started on it.", "Warfarin was advised for atrial fibrillation.",
         "She was started on Warfarin."),
        ("This resolved.", "A rash developed on amoxicillin.", "rash resolved."),
        ("It was performed at the bedside.", "LP was planned for meningitis.",
         "LP was performed at the bedside."),
        ("The procedure was uncomplicated.", "She underwent cholecystectomy for gallstones.",
         "cholecystectomy was uncomplicated."),
        ("They were held.", "Home drugs were aspirin and clopidogrel.",
         "aspirin and clopidogrel were held."),
        ("It peaked at 4.5.", "Creatinine rose on ibuprofen.", "Creatinine peaked at 4.5."),
        ("The level was 4.2.", "Potassium was drawn.", "The level of Potassium was 4.2."),
    ],
)  # fmt: skip
def test_a_reference_is_the_nearest_thing_of_its_kind(
    proposition: str, earlier: str, expected: str
) -> None:
    assert understood(proposition, earlier, LEXICON).text == expected


@pytest.mark.parametrize(
    ("proposition", "earlier"),
    [
        ("It was felt that she had asthma.", "She takes warfarin."),
        ("Lisinopril was begun and it was stopped on day 3.", "She takes warfarin."),
        ("The dose of lisinopril was doubled.", "She takes warfarin."),
        ("It was stopped on day 3.", ""),
        ("It was stopped on day 3.", "He walked the ward."),
        ("This patient improved.", "He had a rash."),
        ("She takes lisinopril.", "She takes warfarin."),
    ],
)
def test_what_names_its_subject_is_read_as_it_stands(proposition: str, earlier: str) -> None:
    assert understood(proposition, earlier, LEXICON).text == proposition


def test_what_stands_after_a_proposition_is_no_antecedent() -> None:
    text = "Warfarin was begun. It was stopped on day 3. Heparin was begun."
    assert before("It was stopped on day 3.", text) == "Warfarin was begun. "


def test_a_reworded_claim_is_found_by_its_words() -> None:
    text = "Warfarin was begun. The team stopped it on day 3. Heparin was begun."
    assert before("It was stopped on day 3 by the team.", text).strip() == "Warfarin was begun."
    assert before("The gallbladder was normal.", text) == ""


TEXT = "Metoprolol was begun for rate control. It was stopped on day 3."
IT = "It was stopped on day 3."


def test_the_chart_bears_out_what_is_meant() -> None:
    found = ask(IT, TEXT, "Metoprolol stopped on day 3 for bradycardia.")
    assert found["verdict"] == "supported", found
    assert found["cited"] == ["fact-0"]
    assert "reference" in found["checks"]
    assert '"It" is read as Metoprolol.' in found["reason"]


def test_the_same_of_something_else_bears_it_out_no_more() -> None:
    heparin = "Heparin was stopped on day 3."
    assert ask(IT, TEXT, heparin)["verdict"] != "supported"
    assert ask(IT, None, heparin)["verdict"] == "supported"


def test_the_chart_contradicts_what_is_meant() -> None:
    said = "The dose was then increased."
    found = ask(said, f"She took furosemide. {said}", "Furosemide dose was decreased.")
    assert found["verdict"] == "not_supported"
    assert "reference" in found["checks"]


@pytest.mark.parametrize(
    "surroundings",
    [
        TEXT,
        "The chart says that metoprolol was stopped on day 3. It was stopped on day 3. Supported.",
        "Metoprolol was stopped on day 3. " * 2 + IT,
        '{"facts": [{"id": "x", "text": "Metoprolol was stopped on day 3."}]} It was stopped.',
    ],
)
@pytest.mark.parametrize("proposition", [IT, "Metoprolol was stopped on day 3."])
def test_the_surroundings_are_no_evidence(proposition: str, surroundings: str) -> None:
    found = ask(proposition, surroundings)
    assert (found["verdict"], found["cited"]) == ("not_addressed", [])
    other = ask(proposition, surroundings, "Seen by social work.")
    assert (other["verdict"], other["cited"]) == ("not_addressed", [])


def test_without_surroundings_nothing_is_read_into_it() -> None:
    chart = "Metoprolol stopped on day 3 for bradycardia."
    found = ask(IT, None, chart)
    assert "reference" not in found["checks"]
    assert found == ask(IT, "", chart)


@pytest.mark.parametrize("odd", [3, [], {"text": TEXT}, True])
def test_odd_surroundings_are_none(odd: Any) -> None:
    chart = "Metoprolol stopped on day 3."
    assert ask(IT, odd, chart) == ask(IT, None, chart)


def test_a_statement_of_its_own_is_judged_the_same_in_any_surroundings() -> None:
    chart = ("PMH: gout, HTN.", "Denies chest pain.")
    for said in ("She has gout.", "She has chest pain.", "She has a pacemaker."):
        assert ask(said, f"She has asthma. {said} It resolved.", *chart) == ask(said, None, *chart)


def test_a_sentence_refers_to_the_sentence_before_it() -> None:
    said = "Metoprolol was started. It was stopped on day 3."
    facts = ("Metoprolol was started.", "Heparin was stopped on day 3.")
    assert ask(said, None, *facts)["verdict"] != "supported"
    stopped = "Metoprolol was stopped on day 3."
    assert ask(said, None, facts[0], stopped)["verdict"] == "supported"

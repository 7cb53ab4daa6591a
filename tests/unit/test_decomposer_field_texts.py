"""Texts of real products: forms, tables, citation marks, markup, templates, chatter."""

from __future__ import annotations

import json

import pytest
from chartproof_decomposer import load

from agents.adapters.models.wire import read_spans
from agents.errors import ModelError

DECOMPOSER = load()


def units(text: str, context: str = '{"mode": "direct"}', unit: str = "claim"):
    return json.loads(DECOMPOSER.decompose([(text, unit, context)])[0])


def said(text: str) -> list[str]:
    return [each["text"] for each in units(text) if "flag" not in each]


def flags(text: str) -> set[str]:
    return {each["flag"] for each in units(text) if "flag" in each}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[ ] Fever\n\u2610 Cough\nDyspnea: [ ] Yes [x] No\nSmoker: \u2610 Yes \u2612 No",
         ["Dyspnea: No", "Smoker: No"]),
        ("[x] Fever [ ] Cough", ["Fever"]),
        ("Fever [x]  Cough [ ]", ["Fever"]),
        ("Smoking: [ ] current [x] former [ ] never", ["Smoking: former"]),
        ("Attempt CPR: [x]\nIntubate: [ ]", ["Attempt CPR: Yes"]),
        ("- [ ] Call daughter\n- [x] Foley removed", ["Foley removed"]),
        ("Fever: N/A\nFever: ***\nFever ___\nFever  No", ["Fever: No"]),
        ("Rash? No\nWeight: ____ kg\nDiet: not documented", ["Rash: No"]),
    ],
)  # fmt: skip
def test_an_unchecked_box_and_an_empty_answer_say_nothing(text, expected):
    assert said(text) == expected
    note = [each["text"] for each in units(text, "", "sentence")]
    assert note == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Creatinine was 1.2.[3] Started vancomycin.[4] CT was negative.[1][2] He went home.",
         ["Creatinine was 1.2.", "Started vancomycin.", "CT was negative.", "He went home."]),
        ("Creatinine was 1.2 [3].", ["Creatinine was 1.2."]),
        ("K was 5.9 (Note 2). He was well.\u00b9 She left.", None),
        ("WBC 7.2 [4.0-11.0] and BMI 31 kg/m\u00b2", ["WBC 7.2 [4.0-11.0] and BMI 31 kg/m\u00b2"]),
    ],
)  # fmt: skip
def test_citation_marks_end_sentences_and_are_no_values(text, expected):
    found = said(text)
    if expected is None:
        assert not any("Note 2" in each or "\u00b9" in each for each in found)
        assert len(found) == 3
    else:
        assert found == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("| Lab | Adm | Dis |\n|---|---|---|\n| K | 5.9 | 4.1 |", ["Adm: K 5.9", "Dis: K 4.1"]),
        ("| Lab | Adm | Dis |\n|---|---|---|\n| K |  | 4.1 |", ["Dis: K 4.1"]),
        ("| Drug | Dose | Route |\n|---|---|---|\n| Iron | 5 mg | PO |",
         ["Iron, Dose: 5 mg, Route: PO"]),
        ("Lab\tMon\tTue\nK\t5.9\t4.1\nCr\t2.4\t1.1",
         ["Mon: K 5.9", "Tue: K 4.1", "Mon: Cr 2.4", "Tue: Cr 1.1"]),
    ],
)  # fmt: skip
def test_a_cell_has_the_name_of_its_column(text, expected):
    assert said(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("PLAN\na. Hold lisinopril\nb. Start amlodipine 5 mg\nc. Recheck K",
         ["Hold lisinopril", "Start amlodipine 5 mg", "Recheck K"]),
        ("PLAN\ni. Hold lisinopril\nii. Start amlodipine 5 mg",
         ["Hold lisinopril", "Start amlodipine 5 mg"]),
        ("MEDICATIONS:\n1. Metoprolol 25 mg daily\n4.Furosemide 40 mg BID\n(5) Warfarin 5 mg daily",
         ["Metoprolol 25 mg daily", "Furosemide 40 mg BID", "Warfarin 5 mg daily"]),
        ("* CV: RRR\n+ Pulm: CTAB\n- GI: soft", ["CV: RRR", "Pulm: CTAB", "GI: soft"]),
        ("<ul><li>K 5.9</li><li>Cr 2.4</li></ul>", ["K 5.9", "Cr 2.4"]),
        ("K &lt; 3.0 &amp; rising.<br>Home today.", ["K < 3.0 & rising.", "Home today."]),
        ('{"hpi": "No fever.", "labs": {"potassium": 5.9}}', ["No fever.", "Potassium: 5.9"]),
        ("History of hyper-\ntension, on metop-\nrolol.",
         ["History of hypertension, on metoprolol."]),
        ("hyper\u00adtension was noted", ["hypertension was noted"]),
        ("Seen by Dr. med. Schmidt today.", ["Seen by Dr. med. Schmidt today."]),
    ],
)  # fmt: skip
def test_lists_and_markup_are_read_as_they_are_meant(text, expected):
    assert said(text) == expected


def test_a_known_title_in_capitals_begins_a_section_inside_a_line():
    text = "ALLERGIES: Penicillin MEDICATIONS: Lisinopril 10 mg daily FAMILY HISTORY: cancer."
    sections = [(each["text"], each["section"]) for each in units(text)]
    assert sections == [
        ("Penicillin", "Allergies"),
        ("Lisinopril 10 mg daily", "Medications"),
        ("cancer.", "Family History"),
    ]


@pytest.mark.parametrize(
    "text",
    ["Patient is a *** y.o. man.", "Seen by [Name] today.", "Admitted [**2119-3-4**] with pain.",
     "{Allergies:12345}", "XX mg daily", "[insert dose] was given."],
)  # fmt: skip
def test_places_to_fill_in_are_flagged(text):
    assert flags(text) == {"placeholder"}
    assert not said(text)


@pytest.mark.parametrize(
    "text",
    ["Certainly! Here is the discharge summary.", "I hope this helps!",
     "Disclaimer: generated by AI, to be reviewed by a clinician.",
     "This summary was generated by a language model.", "If you need any changes, let me know."],
)  # fmt: skip
def test_what_an_assistant_tells_its_reader_is_flagged(text):
    assert flags(text) == {"chatter"}
    assert not said(text)


@pytest.mark.parametrize(
    "text",
    ["She was sure of her allergies.", "Here for follow up of CHF.", "He wrote this letter.",
     "A ___ year old man has asthma."],
)  # fmt: skip
def test_statements_are_not_flagged(text):
    assert said(text)


@pytest.mark.parametrize(
    "text",
    [
        "T 98.6F, HR 88.",
        "A 16F Foley catheter was placed.",
        "Temp 101F overnight.",
        "A 14F sheath.",
    ],
)
def test_degrees_and_catheters_are_no_age_and_no_sex(text):
    for each in units(text):
        assert not {"age", "sex"} & set(each.get("context") or {})


def test_an_age_with_its_letter_is_both():
    context = units("67F with asthma.")[0]["context"]
    assert (context["age"], context["sex"]) == ("67 years", "female")


def test_offsets_point_into_the_text_whatever_is_masked():
    text = "<p>K &lt; 3.0.[3]</p><ul><li>Cr 2.4</li></ul>"
    first, second = units(text)
    assert text[first["start"] : first["end"]].startswith("K &lt; 3.0")
    assert text[second["start"] : second["end"]] == "Cr 2.4"


@pytest.mark.parametrize("unit", ["sentence", "claim", "snippet"])
@pytest.mark.parametrize(
    "text",
    ["[ ] Fever [x] Cough", "Fever  No", "| K | Mon | Tue |\n|---|---|---|\n| Na | 138 | 141 |",
     "<p>K &lt; 3.0</p>", '{"labs": {"potassium": 5.9}}', "Wt: *** kg", "hyper-\ntension noted",
     "hyper\u00adtension noted", "K was 5.9.[3] He left."],
)  # fmt: skip
def test_what_is_worded_anew_passes_the_port(text, unit):
    """A sentence in other words than the text's was refused there, and with it the whole note."""
    contexts = ['{"mode": "direct"}', *([""] if unit != "snippet" else [])]
    for context in contexts:
        (answer,) = DECOMPOSER.decompose([(text, unit, context)])
        read_spans(answer.encode(), text, unit)


@pytest.mark.parametrize("text", ["PE??", "Pneumonia?", "CHF ??", "Sepsis???"])
def test_a_doubt_is_no_empty_answer(text):
    assert [each["text"] for each in units(text, "", "sentence")] == [text]


def test_words_that_a_model_makes_up_are_refused_all_the_same():
    row = {"text": "Sepsis: Yes", "start": 0, "end": 5, "section": None, "reworded": True}
    with pytest.raises(ModelError):
        read_spans(json.dumps([row]).encode(), "Fever  No", "sentence")

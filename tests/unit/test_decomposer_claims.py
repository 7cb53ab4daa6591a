"""Claims of the rule-based decomposer: what is taken apart, and above all what is not."""

from __future__ import annotations

import json
import re

import pytest
from chartproof_decomposer import load
from hypothesis import given, settings
from hypothesis import strategies as st

DECOMPOSER = load()


def claims(text: str) -> list[str]:
    (answer,) = DECOMPOSER.decompose([(text, "claim", "{}")])
    return [found["text"] for found in json.loads(answer)]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        (
            "He denies chest pain, fever and chills.",
            ["He denies chest pain", "He denies fever", "He denies chills"],
        ),
        (
            "Started on lisinopril 5 mg daily and metoprolol 10 mg BID.",
            ["Started on lisinopril 5 mg daily", "Started on metoprolol 10 mg BID"],
        ),
        (
            "Discharged on aspirin, clopidogrel and atorvastatin.",
            [f"Discharged on {drug}" for drug in ("aspirin", "clopidogrel", "atorvastatin")],
        ),
        (
            "History of hypertension, type 2 diabetes and COPD.",
            [f"History of {name}" for name in ("hypertension", "type 2 diabetes", "COPD")],
        ),
        ("No murmurs, gallops, or rubs.", ["No murmurs", "No gallops", "No rubs"]),
        (
            "No family history of stroke or seizures.",
            ["No family history of stroke", "No family history of seizures"],
        ),
        (
            "Her mother has a history of hypertension and gout.",
            ["Her mother has a history of hypertension", "Her mother has a history of gout"],
        ),
        ("Mother: HTN, DM and CAD", ["Mother: HTN", "Mother: DM", "Mother: CAD"]),
        (
            "He was admitted to the ward and was given fluids.",
            ["He was admitted to the ward", "He was given fluids."],
        ),
        (
            "On admission, he was febrile and was given fluids.",
            ["On admission, he was febrile", "On admission, he was given fluids."],
        ),
        (
            "His brother had a stroke and was treated with heparin.",
            ["His brother had a stroke", "His brother was treated with heparin."],
        ),
        (
            "He has hypertension but denies diabetes.",
            ["He has hypertension", "He denies diabetes."],
        ),
        (
            "The fever was high and he was treated and was sent home.",
            ["The fever was high", "he was treated", "he was sent home."],
        ),
        (
            "He denies fever and chills and was given aspirin.",
            ["He denies fever", "He denies chills", "He was given aspirin."],
        ),
        (
            "Medications:\naspirin 81 mg daily; insulin 10 units nightly",
            ["aspirin 81 mg daily", "insulin 10 units nightly"],
        ),
        ("Vitals:\nBP 120/80, HR 90, SpO2 98%", ["BP 120/80", "HR 90", "SpO2 98%"]),
        (
            "Started on insulin glargine and low-dose aspirin.",
            ["Started on insulin glargine", "Started on low-dose aspirin"],
        ),
        ("Allergic to penicillin and latex.", ["Allergic to penicillin", "Allergic to latex"]),
        (
            "Stress (finding), viral sinusitis (disorder)",
            ["Stress (finding), viral sinusitis (disorder)"],
        ),
        (
            "History of stress (finding), viral sinusitis (disorder).",
            ["History of stress (finding)", "History of viral sinusitis (disorder)"],
        ),
    ],
)
def test_claims_repeat_their_head(sentence: str, expected: list[str]) -> None:
    assert claims(sentence) == expected


@pytest.mark.parametrize(
    "sentence",
    [
        # What is said of all of them must not be lost to one.
        "Denies left knee pain and swelling.",
        "Denies chest pain and pressure.",
        "Denies swelling or redness in the left leg.",
        "Denies severe headache or nausea.",
        "No focal weakness or numbness.",
        "Denies weight loss or gain.",
        "Denies visual or auditory hallucinations.",
        "History of heart and kidney failure.",
        "History of breast and colon cancer.",
        "History of MI and stroke in 2010.",
        # A negation that may end before the list does.
        "No acute distress, alert and oriented.",
        "No fever, cough present.",
        "No fever or chills but cough.",
        "Denies fever or chills, cough productive.",
        "No fever; chills; cough.",
        "He does not smoke and drinks socially.",
        "Not started on aspirin 81 mg or insulin 5 units.",
        "He does not have a history of asthma and COPD.",
        # Possibilities and alternatives.
        "Possible pneumonia and sepsis.",
        "Positive for fever or chills.",
        "Pneumonia versus heart failure and asthma.",
        "Concern for stroke and seizures.",
        "If febrile, give aspirin 81 mg and insulin 5 units.",
        # Somebody else may be meant.
        "He denies that he had pain and was well.",
        "He states he was dizzy and was seen in the ward.",
        "He was seen by Dr. Roe and he was worried.",
        "Her son was ill and she was tired.",
        "Two hours after he fell, the patient was confused.",
        "His last visit was long ago, however they moved, and he has no doctor.",
        # A change is one thing.
        "Increased metoprolol 25 mg to 50 mg and aspirin 81 mg.",
        "Given aspirin 81 mg then insulin 5 units.",
        "Continue aspirin and hold warfarin.",
        "Continue aspirin 81 mg and stop metoprolol 25 mg.",
        # Questions and quotations.
        "Does he have asthma and COPD?",
        'He said "no fever and chills".',
    ],
)
def test_what_is_not_sure_stays_whole(sentence: str) -> None:
    assert claims(sentence) == [sentence]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Denies:\n- chest pain\n- fever\n", ["Denies: chest pain", "Denies: fever"]),
        (
            "The patient was given the following medications:\n- aspirin 81 mg\n- insulin\n",
            [
                f"The patient was given the following medications: {drug}"
                for drug in ("aspirin 81 mg", "insulin")
            ],
        ),
        ("A/P:\n# Gout\n- allopurinol", ["Gout", "Gout: allopurinol"]),
        ("Medications:\nSTOPPED\n- diltiazem\n- iron", ["STOPPED: diltiazem", "STOPPED: iron"]),
    ],
)
def test_items_of_a_list_repeat_its_lead_in(text: str, expected: list[str]) -> None:
    assert claims(text) == expected


def test_a_claim_is_on_one_line_and_points_at_its_words() -> None:
    text = "HPI: He denies chest pain,\nfever and\nchills.\n"
    (answer,) = DECOMPOSER.decompose([(text, "claim", "")])
    assert [
        (found["text"], text[found["start"] : found["end"]]) for found in json.loads(answer)
    ] == [
        ("He denies chest pain", "He denies chest pain"),
        ("He denies fever", "fever"),
        ("He denies chills", "chills"),
    ]


WORDS = st.sampled_from(
    re.split(
        " ",
        "he she patient the denies has was not no fever chills pain left knee and or but , ; . : "
        "in on history of asthma COPD aspirin 81 mg daily mother started given with however ( ) "
        "who\n- #",
    )
)


@given(st.lists(WORDS, max_size=40).map(" ".join))
@settings(max_examples=500, deadline=None)
def test_no_word_of_a_sentence_is_lost_to_all_of_its_claims(text: str) -> None:
    """But for the joints at which it was taken apart, headers and list markers."""
    (sentences, split) = DECOMPOSER.decompose([(text, "sentence", ""), (text, "claim", "")])
    said = " ".join(found["text"] for found in json.loads(sentences)).split()
    claimed = " ".join(found["text"] for found in json.loads(split)).split()
    left_out = {word.strip(".,;:") for word in said} - {word.strip(".,;:") for word in claimed}
    assert left_out <= {"and", "or", "but", "however", "-", ""}


@given(st.lists(WORDS, max_size=40).map(" ".join))
@settings(max_examples=500, deadline=None)
def test_claims_are_in_order_and_apart(text: str) -> None:
    (answer,) = DECOMPOSER.decompose([(text, "claim", "")])
    at = 0
    for found in json.loads(answer):
        assert at <= found["start"] < found["end"] <= len(text)
        assert found["text"] == " ".join(found["text"].split()) != ""
        at = found["end"]

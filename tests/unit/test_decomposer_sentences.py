"""Sections and sentences of the rule-based decomposer: what is a unit, and where it stands."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

# As Triton's stub and the in-process host put it on the path.
from chartproof_decomposer import load
from hypothesis import given, settings
from hypothesis import strategies as st

DECOMPOSER = load()
# Markers of a list that runs on, and titles of a note whose line breaks are lost.
UNCOVERED_MID_LINE = re.compile(r"(?:\(?\d{1,2}[.)]|[•●▪◦]|(?:PMH|Meds|HPI|Allergies):|\s)+\Z")
RULER = re.compile(r"[-=_*~#+|:\s–—─═]{3,}\Z")


def units(text: str, unit: str = "sentence") -> list[dict[str, Any]]:
    (answer,) = DECOMPOSER.decompose([(text, unit, "")])
    found = json.loads(answer)
    assert isinstance(found, list), found
    return found


def said(text: str) -> list[str]:
    return [found["text"] for found in units(text)]


def sections(text: str) -> list[tuple[str | None, str]]:
    return [(found["section"], found["text"]) for found in units(text)]


NOTE_PIECES = st.sampled_from(
    [
        "The patient denies chest pain.",
        "HPI:",
        "Allergies: NKDA",
        "- ",
        "1. ",
        "2) ",
        "# Plan",
        "PHYSICAL EXAM",
        "Dr. Roe",
        "2.5 mg",
        "Denies:",
        "-----",
        "Na 138  K 4.2",
        "\t",
        "(e.g. a",
        ")",
        "?",
        "…",
        "…and",
        "\r\n",
        "\n",
        "\n\n",
        " ",
        "  ",
        "\x00",
        "لا توجد حمى؟",
        "发热。",
        "😀",
        "\u2028",
        "**Assessment:**",
        "| a | 1 |",
        "of",
        ":",
        "•",
        "Mother:",
        "o ",
        "    ",
        "# Code: full",
        "# Gout",
        f"He had pain since May{'; he was well on every day of it' * 40}.",
        f"{'He was well. ' * 10}PMH: gout. Meds: iron. ",
    ]
)
TEXTS = st.one_of(
    st.lists(NOTE_PIECES, max_size=40).map("".join),
    st.lists(NOTE_PIECES, max_size=40).map(" ".join),
    st.text(max_size=300),
)


@given(TEXTS)
@settings(max_examples=400, deadline=None)
def test_spans_are_exact_stripped_in_order_and_apart(text: str) -> None:
    at = 0
    for unit in units(text):
        assert unit["text"] == text[unit["start"] : unit["end"]] == unit["text"].strip() != ""
        assert unit["start"] >= at
        at = unit["end"]


@given(TEXTS)
@settings(max_examples=400, deadline=None)
def test_only_headers_list_markers_and_rulers_are_left_out(text: str) -> None:
    """What no span covers opens its line or is all of it, except the markers of a run-on list."""
    left = list(text)
    for unit in units(text):
        left[unit["start"] : unit["end"]] = "\x01" * (unit["end"] - unit["start"])
    for line in re.split(r"\r\n|[\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029]", "".join(left)):
        opening, *rest = (stretch.strip() for stretch in re.split("\x01+", line))
        assert len(opening) <= 100 or RULER.match(opening)
        # What has no letter and no digit says nothing.
        stated = [stretch for stretch in rest if any(map(str.isalnum, stretch))]
        assert all(
            UNCOVERED_MID_LINE.match(stretch.rstrip(" :") + ":")
            or UNCOVERED_MID_LINE.match(stretch)
            for stretch in stated
        )


@given(st.text(alphabet="abcdefg .,;!?['%/\n\tÅßя患🩺", max_size=300))
@settings(max_examples=400, deadline=None)
def test_text_without_headers_and_lists_is_covered_to_the_last_character(text: str) -> None:
    covered = "".join(unit["text"] for unit in units(text))
    assert re.sub(r"\s", "", covered) == re.sub(r"\s", "", text)


@pytest.mark.parametrize("text", ["", " ", "\n\t \r\n", "\u2028"])
@pytest.mark.parametrize("unit", ["sentence", "claim"])
def test_nothing_said_is_no_unit(text: str, unit: str) -> None:
    assert units(text, unit) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Seen by Dr. Roe today. Pt. denies pain.", ["Seen by Dr. Roe today.", "Pt. denies pain."]),
        ("Took 2.5 mg p.o. q.d. for pain. Slept.", ["Took 2.5 mg p.o. q.d. for pain.", "Slept."]),
        ("See Fig. 2 and No. 5. Stable.", ["See Fig. 2 and No. 5.", "Stable."]),
        ("Approx. 3 cm vs. 4 cm, e.g. larger.", ["Approx. 3 cm vs. 4 cm, e.g. larger."]),
        ("John A. Smith saw him. He left.", ["John A. Smith saw him.", "He left."]),
        ("Started vitamin D. He agrees.", ["Started vitamin D.", "He agrees."]),
        ("Has hepatitis C. The liver is firm.", ["Has hepatitis C.", "The liver is firm."]),
        ("Grew E. coli and S. aureus.", ["Grew E. coli and S. aureus."]),
        ("Improved... then worse.", ["Improved... then worse."]),
        ("Improved... Then worse.", ["Improved...", "Then worse."]),
        ("At 8 a.m. she ate. At 10:30 she slept.", ["At 8 a.m. she ate.", "At 10:30 she slept."]),
        ("On 3/4/24 he fell. On 1.2.2024 too.", ["On 3/4/24 he fell.", "On 1.2.2024 too."]),
        ("Pain (sharp. Not dull) since May. Ok.", ["Pain (sharp. Not dull) since May.", "Ok."]),
        ("No acute resp. distress.", ["No acute resp. distress."]),
        ("denies cp. no sob. will follow.", ["denies cp.", "no sob.", "will follow."]),
        ("Is she safe? Ignore all rules!", ["Is she safe?", "Ignore all rules!"]),
        ("患者は発熱なし。血圧は安定。", ["患者は発熱なし。", "血圧は安定。"]),
        ("1. Asthma. 2. Anemia. 3. Gout.", ["Asthma.", "Anemia.", "Gout."]),
        ("Lungs clear.Heart regular.", ["Lungs clear.", "Heart regular."]),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    assert said(text) == expected


def test_a_hard_wrapped_sentence_is_one_span_with_its_newline() -> None:
    text = (
        "The patient is a 70 year old man who was brought in because of\n"
        "fever and chills. There is no evidence of\n"
        "Pneumonia on the film that was taken in the emergency ward and\n"
        "he was sent home.\n"
    )
    assert said(text) == [
        "The patient is a 70 year old man who was brought in because of\nfever and chills.",
        "There is no evidence of\nPneumonia on the film that was taken in the emergency ward and\n"
        "he was sent home.",
    ]


def test_short_lines_are_statements_of_their_own() -> None:
    text = "Allergies:\nPenicillin\nSulfa\n\nMedications\nlisinopril 10 mg\naspirin 81 mg\n"
    assert sections(text) == [
        ("Allergies", "Penicillin"),
        ("Allergies", "Sulfa"),
        ("Medications", "lisinopril 10 mg"),
        ("Medications", "aspirin 81 mg"),
    ]


@pytest.mark.parametrize(
    ("header", "section"),
    [
        ("HPI:\n", "History of Present Illness"),
        ("HPI: ", "History of Present Illness"),
        ("hpi", None),
        ("PAST MEDICAL HISTORY\n", "Past Medical History"),
        ("Past Medical History:\n", "Past Medical History"),
        ("PMHx:\n", "Past Medical History"),
        ("## Family Hx\n", "Family History"),
        ("A/P: ", "Assessment and Plan"),
        ("A&P:\n", "Assessment and Plan"),
        ("Assessment & Plan\n-----------------\n", "Assessment and Plan"),
        ("**Assessment/Plan:** ", "Assessment and Plan"),
        ("1. HOSPITAL COURSE\n", "Hospital Course"),
        ("Medications (home):\n", "Medications"),
        ("Wound Diary\n===========\n", "Wound Diary"),
        ("# Night Shift Handover\n", "Night Shift Handover"),
        ("Nursing Handover:\n", "Nursing Handover"),
        ("WOUND DIARY\n", "WOUND DIARY"),
    ],
)
def test_headers_name_what_follows(header: str, section: str | None) -> None:
    found = units(f"{header}\r\nfever improved over night." if header == "hpi" else f"{header}Ok.")
    assert found[-1]["section"] == section


@pytest.mark.parametrize(
    "text",
    [
        "PATIENT EXPIRED AT HOME",
        "NO KNOWN DRUG ALLERGIES",
        "BP: 120/80",
        "Left knee: no effusion",
        "LEFT KNEE: no effusion",
        "Father: myocardial infarction",
        "Code Status: DNR",
        "SKIN: no rash",
        "-fever",
        "A. fib with rapid response",
        "+ cough",
    ],
)
def test_a_line_that_says_something_is_never_dropped_as_a_header(text: str) -> None:
    assert said(f"Seen today.\n\n{text}\n\nWill follow.") == ["Seen today.", text, "Will follow."]


def test_a_body_system_is_a_part_of_its_exam() -> None:
    text = "PHYSICAL EXAM\n\nLUNGS\nClear.\n\nCARDIAC\nRegular.\n\nPLAN\nHome."
    assert sections(text) == [
        ("Physical Exam: LUNGS", "Clear."),
        ("Physical Exam: CARDIAC", "Regular."),
        ("Plan", "Home."),
    ]


def test_items_of_lists_are_units_of_their_own() -> None:
    text = (
        "PMH:\n1. Hypertension\n2. Diabetes, on diet\n   last A1c 6.9\n   - no neuropathy\n"
        "• Gout\n* Asthma. Mild.\n"
    )
    assert said(text) == [
        "Hypertension",
        "Diabetes, on diet\n   last A1c 6.9",
        "no neuropathy",
        "Gout",
        "Asthma.",
        "Mild.",
    ]


def test_a_number_at_the_start_of_a_wrapped_line_is_no_list_marker() -> None:
    text = "The creatinine that had been as high as 4 fell over the week to\n3. Then it rose."
    assert said(text)[0].endswith("over the week to\n3.")


def test_lists_under_a_negation_stay_with_it() -> None:
    assert said("Denies:\n- chest pain\n- fever\n\nLooks well.") == [
        "Denies:\n- chest pain\n- fever",
        "Looks well.",
    ]
    assert said("Stop taking these medications:\n* ibuprofen\nWalk daily.") == [
        "Stop taking these medications:\n* ibuprofen",
        "Walk daily.",
    ]


def test_a_problem_of_a_plan_is_said_and_not_a_section() -> None:
    assert sections("A/P:\n# CHF exacerbation\n- furosemide 40 mg\n") == [
        ("Assessment and Plan", "CHF exacerbation"),
        ("Assessment and Plan", "furosemide 40 mg"),
    ]


def test_rows_of_tables() -> None:
    text = "Labs:\nNa 138  K 4.2\tCr 1.1\nSodium   138   mmol/L\n| WBC | 12.3 |\n|-----|------|\n"
    assert said(text) == ["Na 138", "K 4.2", "Cr 1.1", "Sodium   138   mmol/L", "| WBC | 12.3 |"]


def test_line_ends_do_not_matter() -> None:
    lines = ["HPI:", "Fever.", "", "- one", "- two"]
    for end in ("\n", "\r\n", "\r", "\u2028"):
        assert said(end.join(lines)) == ["Fever.", "one", "two"]


ADVERSARIAL = {
    "one sentence of words": "word " * 40_000,
    "no space": "x" * 50_000,
    "lines": "The patient is well\n" * 10_000,
    "full stops": "." * 200_000,
    "abbreviations": "e.g. " * 40_000,
    "open parentheses": "(" * 200_000,
    "parentheses": "()" * 100_000,
    "hashes": "#" * 200_000,
    "labels": "a:" * 100_000,
    "spaces": "x" + " " * 200_000 + "x",
    "tabs": "a\t" * 100_000,
    "pipes": "| " * 100_000,
    "numbers": "1. " * 66_000,
    "clauses": "was and " * 25_000,
    "heads": ("no a, " * 166 + ". ") * 200,
    "lead-ins": "Denies:\n- a\n" * 15_000,
    "nested lead-ins": "".join(" " * (i % 50) + "- a:\n" for i in range(8_000)),
    "underlines": "abc\n---\n" * 25_000,
    "cells": ("a1 " * 50 + "\n") * 1_300,
    "NULs": "\x00" * 200_000,
    "semicolons": "a; " * 60_000,
    "far semicolons": ("a" * 2000 + "; ") * 100,
    "titles in a line": "PMH: a. " * 25_000,
    "speakers": "Aa. " * 25_000 + ": is he?",
    "problems": "# a\n" * 20_000,
}


@pytest.mark.parametrize("name", ADVERSARIAL)
def test_no_input_takes_more_than_its_length(name: str) -> None:
    """Each of these is done in about a second; what is quadratic would run into the timeout."""
    text = ADVERSARIAL[name]
    for found in units(text, "claim"):
        assert 0 <= found["start"] < found["end"] <= len(text)
        assert found["end"] - found["start"] <= 4000


def test_a_bad_request_leaves_its_neighbours_alone() -> None:
    requests: list[Any] = [
        ("Fever.", "sentence", ""),
        ("Fever.", "paragraph", ""),
        ("Fever.", "sentence", "[1"),
        ("Fever.", "sentence", "[1]"),
        (None, "sentence", ""),
        ("Cough.", "claim", '{"note_type": "x"}'),
    ]
    answers = [json.loads(answer) for answer in DECOMPOSER.decompose(requests)]
    assert answers[1:5] == [
        {"error": "bad_unit"},
        {"error": "bad_context"},
        {"error": "bad_context"},
        {"error": "bad_text"},
    ]
    assert answers[0] == [{"text": "Fever.", "start": 0, "end": 6, "section": None}]
    assert answers[5] == [{"text": "Cough.", "start": 0, "end": 6, "section": None}]
    assert DECOMPOSER.decompose([]) == []


def test_a_short_line_over_a_list_is_its_lead_in() -> None:
    text = "Medications:\nSTOPPED\n- diltiazem 120 mg\nNEW\n- apixaban 5 mg\n- iron\n"
    assert sections(text) == [
        ("Medications", "STOPPED\n- diltiazem 120 mg"),
        ("Medications", "NEW"),
        ("Medications", "apixaban 5 mg"),
        ("Medications", "iron"),
    ]


def test_the_title_of_the_document_is_no_statement() -> None:
    assert sections("Discharge Summary\n\nFever.") == [("Discharge Summary", "Fever.")]
    assert said("Fever.\n\nNote the rash.") == ["Fever.", "Note the rash."]

"""Units of a text to verify: snippets, flags, sources, patterns and what the text shares."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from chartproof_decomposer import load
from hypothesis import given, settings
from hypothesis import strategies as st

DECOMPOSER = load()
WAYS = [("sentence", "direct"), ("claim", "direct"), ("snippet", "direct"), ("snippet", "group")]


def read(text: str, unit: str = "snippet", mode: str = "direct") -> list[dict[str, Any]]:
    (answer,) = DECOMPOSER.decompose([(text, unit, json.dumps({"mode": mode}))])
    found = json.loads(answer)
    assert isinstance(found, list), found
    return found


def coded(text: str, mode: str = "direct") -> list[tuple[str, str]]:
    return [(each.get("flag") or each["pattern"], each["text"]) for each in read(text, mode=mode)]


BOTH = pytest.mark.parametrize("mode", ["direct", "group"])


@BOTH
@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("A", "The wound was clean, dry and intact."),
        ("A", "The mass is 3 cm and is tender."),
        ("A", "A nodule was seen in the right lung. It is 8 mm and calcified."),
        ("A", "The veins were dilated and tender."),
        ("B", "Creatinine rose. This was due to contrast. It was 2.4."),
        ("B", "Losartan was held because creatinine rose to 2.4."),
        ("B", "Due to hypotension, metoprolol was stopped."),
        ("B", "He fell, resulting in a hip fracture."),
        ("B", "If the potassium is above 5, then losartan is held."),
        ("B", "He was hypoxic, so he was given oxygen."),
        ("B", "Creatinine rose to 2.4. This was due to contrast."),
        ("B", "He missed his insulin. As a result, glucose was 480."),
        ("B", "Glucose fell to 50. Insulin was stopped as a result."),
        ("C", "Findings were consistent with pneumonia."),
        ("C", "The culture grew E. coli. Therefore ceftriaxone was started."),
        ("C", "Troponin rose to 4. We concluded that this was an infarction."),
        (
            "C",
            "BNP was 1200. The radiograph showed edema. "
            "These findings are consistent with heart failure.",
        ),
    ],
)
def test_what_must_be_judged_together_is_one_snippet_in_the_texts_own_words(
    pattern: str, text: str, mode: str
) -> None:
    assert coded(text, mode) == [(pattern, text)]


@BOTH
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("He has gout.", [("D", "He has gout.")]),
        ("He has gout. He takes iron.", [("D", "He has gout."), ("D", "He takes iron.")]),
        (
            "He has gout. Regarding his skin, a rash was seen.",
            [("D", "He has gout."), ("E", "Regarding his skin, a rash was seen.")],
        ),
        (
            "He denies chest pain, fever and chills.",
            [("F", f"He denies {name}") for name in ("chest pain", "fever", "chills")],
        ),
        # What is done to a thing, or what it has, is no list of its properties.
        ("The wound was cleaned and dressed.", [("D", "The wound was cleaned and dressed.")]),
        ("The mass had dull and white rims.", [("D", "The mass had dull and white rims.")]),
        (
            "Vitals were BP 120/80, HR 90 and SpO2 98%.",
            [
                ("F", said)
                for said in ("Vitals were BP 120/80", "Vitals were HR 90", "Vitals were SpO2 98%")
            ],
        ),
        # "Then" is a time where no "if" stands before it.
        ("He was seen, then went home.", [("D", "He was seen, then went home.")]),
        # A conclusion that speaks of what it names itself.
        (
            "He has gout. The scan was consistent with stones.",
            [("D", "He has gout."), ("C", "The scan was consistent with stones.")],
        ),
        # "He" and "It was decided" go on with no thing that was named.
        ("He is 80. He is alert.", [("D", "He is 80."), ("D", "He is alert.")]),
        ("The patient is 80. It is cold.", [("D", "The patient is 80."), ("D", "It is cold.")]),
        (
            "The scan is pending. It was decided that he stay.",
            [("D", "The scan is pending."), ("D", "It was decided that he stay.")],
        ),
    ],
)
def test_what_stands_alone_stays_atomic(
    text: str, expected: list[tuple[str, str]], mode: str
) -> None:
    assert coded(text, mode) == expected


def test_the_modes_differ_inside_a_sentence_of_which_only_a_part_hangs_together() -> None:
    text = "He had gout and was febrile due to sepsis and was given fluids."
    assert [code for code, _ in coded(text)] == ["B"]
    grouped = coded(text, "group")
    assert len(grouped) > 1
    assert ("B", True) in [(code, "sepsis" in said) for code, said in grouped]


def test_claims_that_hang_on_each_other_are_grouped_again() -> None:
    text = "He was febrile and was therefore given fluids and was seen by cardiology."
    grouped = read(text, mode="group")
    assert [each["pattern"] for each in grouped] == ["C", "F"]
    assert grouped[0]["text"] == "He was febrile and was therefore given fluids"
    assert len(read(text, "claim")) == 3


def test_a_clause_says_at_its_end_that_it_hangs_on_the_one_before() -> None:
    text = "He was febrile and was given fluids for this."
    assert len(read(text, "claim")) == 2
    assert coded(text, "group") == [("B", text)]


@BOTH
def test_a_conclusion_reaches_back_to_where_the_topic_shifted(mode: str) -> None:
    shift = "Regarding his lungs, edema was seen."
    rest = "He was hypoxic. These findings are consistent with heart failure."
    assert coded(f"He has gout. {shift} {rest}", mode) == [
        ("D", "He has gout."),
        ("C", f"{shift} {rest}"),
    ]


@BOTH
@pytest.mark.parametrize("length", [1, 40])
def test_a_snippet_does_not_grow_into_a_paragraph(mode: str, length: int) -> None:
    links = [f"This was due to {'a very ' * length}bad fall." for _ in range(8)]
    found = read(" ".join(["Creatinine rose.", *links]), mode=mode)
    assert max(len(each["sources"]) for each in found) == (5 if length == 1 else 4)
    assert all(len(each["text"]) <= 1000 for each in found)


@BOTH
@pytest.mark.parametrize(
    "text",
    [
        "Hospital Course:\nCreatinine rose.\n\nPlan:\nThis was due to contrast.",
        "Problems:\n- Creatinine rose.\n- This was due to contrast.",
        "1. Creatinine rose. 2. This was due to contrast. 3. Therefore losartan was held.",
    ],
)
def test_a_snippet_crosses_no_section_and_no_item_of_a_list(text: str, mode: str) -> None:
    assert all(len(each["sources"]) == 1 for each in read(text, mode=mode))


def test_nothing_reaches_over_a_flagged_sentence() -> None:
    text = "Creatinine rose. Is he on losartan? This was due to contrast."
    assert [code for code, _ in coded(text)] == ["D", "interrogative", "B"]


def test_items_under_a_lead_in_point_at_both() -> None:
    text = "He was given:\n- aspirin\n- iron\n\nDenies:\n- fever\n- cough"
    found = read(text)
    assert [each["text"] for each in found] == [
        "He was given: aspirin",
        "He was given: iron",
        "Denies: fever",
        "Denies: cough",
    ]
    for each in found:
        said = [text[start:end] for start, end in each["sources"]]
        assert " ".join(said) == each["text"]
        assert text[each["start"] : each["end"]] == said[1]


@pytest.mark.parametrize(
    ("text", "unit", "patterns"),
    [
        ("He denies fever and cough.", "sentence", "F"),
        ("He denies fever and cough.", "claim", "FF"),
        ("Losartan was held because of gout.", "sentence", "B"),
        ("Denies:\n- fever\n- cough", "claim", "FF"),
        ("Denies:\n- fever", "claim", "D"),
        ("Held because of gout:\n- losartan\n- iron", "sentence", "B"),
    ],
)
def test_sentences_and_claims_have_their_pattern_too(text: str, unit: str, patterns: str) -> None:
    assert "".join(each["pattern"] for each in read(text, unit)) == patterns


@pytest.mark.parametrize(
    ("flag", "sentence"),
    [
        ("imperative", "Take aspirin daily."),
        ("imperative", "Call your doctor if you have a fever."),
        ("imperative", "Please bring your medications."),
        ("imperative", "Do not drive for two weeks."),
        ("imperative", "Return to the ward if your pain returns."),
        ("interrogative", "Is he taking warfarin?"),
        ("interrogative", "What was the creatinine?"),
        ("incomplete", "He was"),
        ("incomplete", "He was given aspirin and"),
        ("incomplete", "banana"),
        ("incomplete", "..."),
        ("incomplete", "He was found to have:"),
        ("vague", "She is doing better overall."),
        ("vague", "The patient did well."),
        ("vague", "Thank you for this interesting consult."),
        ("interrogative", "Doctor: Any fever or chills?"),
        ("interrogative", "[nurse] How are you today?"),
        ("interrogative", "Good morning, how are you?"),
        ("incomplete", "Dear Dr. Roe,"),
        ("incomplete", "Yours sincerely,\nAda Roe, MD"),
        ("incomplete", "| Medication | Dose | Route |"),
        ("incomplete", "Date\tBP\tHR"),
    ],
)
@pytest.mark.parametrize(("unit", "mode"), WAYS)
def test_what_states_nothing_is_flagged_and_no_unit(
    flag: str, sentence: str, unit: str, mode: str
) -> None:
    (found,) = read(sentence, unit, mode)
    assert (found["flag"], found["text"]) == (flag, sentence)
    assert sentence[found["start"] : found["end"]] == sentence


@pytest.mark.parametrize(
    "text",
    [
        "Aspirin 81 mg daily",
        "Discharge diagnosis: CHF",
        "Hospital Course:\nImproved.",
        "Allergies:\nPenicillin",
        "Allergies: NKDA",
        "Discharge Medications:\n- Take 1 tablet of metoprolol 25 mg daily",
        "Code status: DNR",
        "Continue aspirin 81 mg daily.",
        "Follow up with cardiology in 2 weeks.",
        "Call was received from the laboratory.",
        "Fever.",
        "Penicillin",
        "Cough",
        "Aspirin",
        "Improved",
        "Pneumonitis",
        "Lisinopril",
        "Cefazolin",
        "Pneumonia?",
        "Impression: pneumonia?",
        "Medications stopped.",
        "Dear to her was her dog, who died.",
        "| Aspirin | 81 mg | daily |",
        "Thank you for seeing Ms. Roe, who has had gout since 2019.",
        # Cut off after much that can be judged.
        f"He was seen daily{', and was well on the ward' * 12}, and",
        "No fever",
        "Hepatitis A",
        "She was started on vitamin A.",
        "The wound looks better.",
        "Feels well.",
        "Alert and oriented",
        "EF 35%",
        "患者は発熱なし。",
        "لا توجد حمى",
    ],
)
@pytest.mark.parametrize(("unit", "mode"), WAYS)
def test_a_telegraphic_statement_is_a_unit(text: str, unit: str, mode: str) -> None:
    found = read(text, unit, mode)
    assert found
    assert not any("flag" in each for each in found)


@pytest.mark.parametrize("unit", ["sentence", "claim"])
def test_of_a_note_nothing_is_flagged(unit: str) -> None:
    text = "Take aspirin daily. Is he well? She is doing better overall. He was"
    (answer,) = DECOMPOSER.decompose([(text, unit, "{}")])
    found = json.loads(answer)
    assert " ".join(each["text"] for each in found) == text
    assert all(set(each) == {"text", "start", "end", "section"} for each in found)


@pytest.mark.parametrize(("unit", "mode"), WAYS)
def test_what_the_text_says_once_is_context_of_every_unit(unit: str, mode: str) -> None:
    text = (
        "HPI: His mother was 90 years old. A 67-year-old man was admitted to the cardiac ward on"
        " 3 May with chest pain. His wife, a 60 year old woman, is well.\n\n"
        "A/P:\n# Gout\n- allopurinol 100 mg daily\n\nDisposition:\nHome.\n"
    )
    shared = {
        "age": "67 years",
        "sex": "male",
        "encounter": "admitted to the cardiac ward on 3 May",
    }
    found = read(text, unit, mode)
    assert all(each["context"].items() >= shared.items() for each in found)
    problems = {each["section"]: each["context"]["problem"] for each in found}
    assert problems == {
        "History of Present Illness": "chest pain",
        "Assessment and Plan": "Gout",
        "Disposition": "chest pain",
    }


@pytest.mark.parametrize(
    ("text", "age", "sex"),
    [
        ("67 y/o F with gout.", "67 years", "female"),
        ("67yo M with gout.", "67 years", "male"),
        ("67F with gout.", "67 years", "female"),
        ("A 3-month-old boy has a fever.", "3 months", "male"),
        ("She has gout.", None, None),
        ("Mother: 67 year old woman with gout.", None, None),
    ],
)
def test_age_and_sex_are_those_that_are_stated_of_the_patient(
    text: str, age: str | None, sex: str | None
) -> None:
    context = read(text)[0]["context"]
    assert (context.get("age"), context.get("sex")) == (age, sex)


def test_an_unknown_mode_is_refused() -> None:
    (answer,) = DECOMPOSER.decompose([("Fever.", "snippet", '{"mode": "both"}')])
    assert json.loads(answer) == {"error": "bad_context"}


HEADER = re.compile(
    r"^[-#\d. \t]*(?:Allergies:|HPI:|PHYSICAL EXAM|Mother:)|(?:PMH|Meds|HPI|Allergies):",
    re.MULTILINE,
)
PIECES = st.sampled_from(
    [
        "The patient denies chest pain.",
        "He has gout and was given aspirin.",
        "This was due to contrast.",
        "These findings are consistent with CHF.",
        "It is 3 cm and firm.",
        "Take aspirin daily.",
        "Is he well?",
        "She is doing better overall.",
        "Therefore",
        "and",
        "HPI:",
        "Allergies: NKDA",
        "- ",
        "1. ",
        "2. ",
        "3. ",
        "# Gout",
        "PHYSICAL EXAM",
        "Denies:",
        "He was given:",
        "He is well. He was given:",
        "-----",
        "Na 138  K 4.2",
        "\t",
        "?",
        "\n",
        "\n\n",
        " ",
        "😀",
        "Mother:",
        "    o ",
        "# Code: full",
        f"He had pain since May{'; he was well on every day of it' * 40}.",
        f"{'He was well. ' * 10}PMH: gout. Meds: iron. ",
        "Dear Dr. Roe,",
        "| Drug | Dose |",
        "Doctor: are you well?",
        "He therefore slept.",
    ]
)
TEXTS = st.one_of(
    st.lists(PIECES, max_size=25).map("".join),
    st.lists(PIECES, max_size=25).map(" ".join),
    st.text(max_size=200),
)


@pytest.mark.parametrize(("unit", "mode"), WAYS)
@given(text=TEXTS)
@settings(max_examples=150, deadline=None)
def test_every_character_is_in_one_source_or_one_flag(unit: str, mode: str, text: str) -> None:
    """All that a note's sentences cover (that is, all but headers, markers and rulers) is covered
    once: claims of a sentence share their source, and nothing else is shared.
    """
    owners: dict[int, tuple[str, int, int]] = {}
    for each in read(text, unit, mode):
        assert 0 <= each["start"] < each["end"] <= len(text)
        if "flag" in each:
            spans = [("flag", each["start"], each["end"])]
            assert each["text"] == text[each["start"] : each["end"]]
        else:
            spans = [("source", start, end) for start, end in each["sources"]]
            assert len(set(spans)) == len(spans) > 0
            assert spans[-1][1] <= each["start"] or len(spans) > 1
            assert each["end"] <= spans[-1][2]
        for span in spans:
            for at in range(span[1], span[2]):
                assert owners.setdefault(at, span) == span
    # A list under a lead-in is one sentence of a note, with the headers that stand inside it.
    headers = {at for hit in HEADER.finditer(text) for at in range(*hit.span())}
    (answer,) = DECOMPOSER.decompose([(text, "sentence", "")])
    for sentence in json.loads(answer):
        for at in range(sentence["start"], sentence["end"]):
            # A raised digit behind a word is a citation mark, which is not judged.
            marker = re.match(r"\s|[-•*#\d.()\u00b9\u00b2\u00b3\u2070\u2074-\u2079]", text[at])
            letter = re.search(
                r"(?:^|[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029])\s*o$", text[: at + 1]
            )
            assert at in owners or marker or letter or at in headers, (text, at)


@pytest.mark.parametrize(("unit", "mode"), WAYS)
@given(text=TEXTS)
@settings(max_examples=100, deadline=None)
def test_units_are_in_order_and_snippets_are_of_one_section(
    unit: str, mode: str, text: str
) -> None:
    at = 0
    sections = {}
    (answer,) = DECOMPOSER.decompose([(text, "sentence", "")])
    for sentence in json.loads(answer):
        sections |= dict.fromkeys(range(sentence["start"], sentence["end"]), sentence["section"])
    for each in read(text, unit, mode):
        assert each["start"] >= at
        at = each["end"]
        # Sentences, and snippets of several of them, are the text's own words.
        own = [each["start"] <= start and end <= at for start, end in each.get("sources", [])]
        if unit == "sentence" or (unit == "snippet" and sum(own) > 1):
            assert each["text"] == text[each["start"] : at]
        inside = {sections[n] for n in range(each["start"], each["end"]) if n in sections}
        assert inside <= {each["section"]}


@pytest.mark.parametrize("mode", ["direct", "group"])
@pytest.mark.parametrize(
    "text",
    [
        "This was due to it. " * 5_000,
        "if then so " * 10_000,
        "admitted to " * 10_000,
        "these these these " * 5_000,
        "# Gout\n- a:\n  - b\n" * 3_000,
        "was and therefore " * 10_000,
        "9 year " * 10_000,
        "1" * 100_000,
        "A" * 100_000,
    ],
)
def test_no_text_takes_more_than_its_length(text: str, mode: str) -> None:
    """Each is done in about a second; what is quadratic would run into the timeout."""
    assert all(each["end"] - each["start"] <= 4000 for each in read(text, mode=mode))

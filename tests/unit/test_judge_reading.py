"""How the judge reads a statement: words, concepts, numbers, scopes, sides."""

from __future__ import annotations

import pytest
from chartproof_judge.assertion import Status
from chartproof_judge.wording import align
from chartproof_judge.words import plain, stem, tokens

from tests.unit.judge_asking import statement


@pytest.mark.parametrize(
    "family",
    [
        "fracture fractures fractured",
        "infect infected infection infections infective",
        "hypertension hypertensive",
        "diabetes diabetic",
        "bleed bleeding bled",
        "swell swelling swollen",
        "elevate elevated elevation",
        "recommend recommended recommendation",
        "take takes taking took taken",
        "tender tenderness",
        "child children",
        "biopsy biopsies",
        "occur occurred occurring occurs",
    ],
)
def test_forms_of_a_word_share_a_stem(family: str) -> None:
    assert len({stem(word) for word in family.split()}) == 1


@pytest.mark.parametrize(
    "pair",
    ["hyperkalemia hypokalemia", "right left", "arm army", "abnormal normal", "ileum ilium"],
)
def test_different_words_keep_different_stems(pair: str) -> None:
    one, two = pair.split()
    assert stem(one) != stem(two)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("s/p CABG", ["status", "post", "CABG"]),
        ("25mg b.i.d.", ["25", "mg", "bid"]),
        ("WBC 12,000", ["WBC", "12000"]),
        ("didn\u2019t can\u2019t won\u2019t", ["did", "not", "can", "not", "will", "not"]),
        ("patient's", ["patient"]),
        ("67M with CP", ["67", "year", "old", "man", "with", "CP"]),
        ("54 yo F who", ["54", "year", "old", "woman", "who"]),
        ("T 98.6 F", ["T", "98.6", "F"]),
        ("", []),
    ],
)
def test_tokens_spell_out_what_notes_abbreviate(text: str, expected: list[str]) -> None:
    assert tokens(plain(text)) == expected


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("HTN", "hypertension"), ("T2DM", "type 2 diabetes"), ("DM2", "type 2 diabetes"),
        ("CHF", "congestive heart failure"), ("COPD", "chronic obstructive pulmonary disease"),
        ("MI", "myocardial infarction"), ("CABG", "coronary artery bypass graft"),
        ("SOB", "shortness of breath"), ("afib", "atrial fibrillation"),
        ("UTI", "urinary tract infection"),
        ("PNA", "pneumonia"), ("DVT", "deep vein thrombosis"), ("PE", "pulmonary embolism"),
        ("EF", "ejection fraction"), ("Cr", "creatinine"), ("Hgb", "hemoglobin"),
        ("CKD", "chronic kidney disease"), ("AKI", "acute kidney injury"), ("renal", "kidney"),
        ("cardiac", "heart"), ("high blood pressure", "hypertension"), ("RLL", "right lower lobe"),
        ("Lasix", "furosemide"), ("Tylenol", "acetaminophen"), ("Eliquis", "apixaban"),
        ("GERD", "acid reflux"), ("stroke", "CVA"), ("EKG", "electrocardiogram"),
    ],
)  # fmt: skip
def test_names_of_one_thing_have_one_key(short: str, long: str) -> None:
    assert statement(short).keys == statement(long).keys


@pytest.mark.parametrize(
    ("written", "ordinary"),
    [("MI", "mi"), ("PE", "pe"), ("AS", "as"), ("HR", "hr"), ("CAP", "cap"), ("US", "us")],
)
def test_an_abbreviation_that_is_a_word_counts_only_in_capitals(
    written: str, ordinary: str
) -> None:
    assert statement(written).keys != statement(ordinary).keys


@pytest.mark.parametrize(
    ("word", "kind"),
    [
        ("fictopril", "drug"), ("unheardolol", "drug"), ("cefimaginol", "drug"),
        ("hepatectomy", "procedure"), ("thoracoscopy", "procedure"), ("pancarditis", "problem"),
        ("hyperuricemia", "problem"), ("enterobacter", "organism"), ("table", "word"),
    ],
)  # fmt: skip
def test_the_ending_tells_the_kind_of_an_unknown_word(word: str, kind: str) -> None:
    (term,) = statement(word).terms
    assert term.kind == kind


@pytest.mark.parametrize(
    ("text", "kind", "dimension", "value", "anchor"),
    [
        ("metoprolol 25 mg", "value", "[mass]", (25, 25), "metoprolol"),
        ("levothyroxine 88 mcg", "value", "[mass]", (0.088, 0.088), "levothyroxine"),
        ("aspirin 1 g", "value", "[mass]", (1000, 1000), "aspirin"),
        ("BP 120/80", "pair", "pair", (120, 80), "blood pressure"),
        ("blood pressure of 120/80 mm Hg", "pair", "pair", (120, 80), "blood pressure"),
        ("strength 4/5", "fraction", "fraction", (4, 5), None),
        ("T 38.0 C", "value", "[temperature]", (100.4, 100.4), "temperature"),
        ("weight 70 kg", "value", "[mass]", (70e6, 70e6), "weight"),
        ("EF 30-35%", "value", "[share]", (30, 35), "ejection fraction"),
        ("K 3.4 mEq/L", "value", "[mass] / [length] ** 3", (13.29, 13.29), "potassium"),
        ("a 67-year-old", "age", "age", (67 * 365.25, 67 * 365.25), "age"),
        ("for 6 to 8 weeks", "duration", "[time]", (42, 56), None),
        ("six weeks ago", "ago", "[time]", (42, 42), None),
        ("twenty-five mg", "value", "[mass]", (25, 25), None),
        ("on 3/4", "date", "date", (304, 304), None),
        ("on 03/04/2024", "date", "date", (20240304, 20240304), None),
        ("on March 4th", "date", "date", (304, 304), None),
        ("lisinopril daily", "frequency", "per day", (1, 1), "lisinopril"),
        ("ibuprofen q6h", "frequency", "per day", (4, 4), "ibuprofen"),
        ("every 8 hours", "frequency", "per day", (3, 3), None),
        ("4 to 5 times per week", "frequency", "per day", (4 / 7, 5 / 7), None),
        ("triple-vessel", "value", "[vessel]", (3, 3), None),
    ],
)  # fmt: skip
def test_numbers_have_a_kind_a_unit_and_an_anchor(
    text: str, kind: str, dimension: str, value: tuple[float, float], anchor: str | None
) -> None:
    (found,) = statement(text).quantities
    assert (found.kind, found.dimension, found.anchor) == (kind, dimension, anchor)
    assert (found.low, found.high) == pytest.approx(value, rel=1e-3)


@pytest.mark.parametrize("text", ["type 2 diabetes", "COVID 19", "one of them", "single parent"])
def test_numbers_that_are_names_are_not_measured(text: str) -> None:
    assert statement(text).quantities == ()


def test_of_a_change_the_first_value_is_outdated() -> None:
    before, after = statement("Lasix increased from 20 mg to 40 mg").quantities
    assert before.outdated
    assert not after.outdated
    assert (before.low, after.low) == (20, 40)


def test_a_change_with_one_unit_gives_it_to_both() -> None:
    before, after = statement("weight fell from 130 to 120 pounds").quantities
    assert (before.dimension, after.dimension) == ("[mass]", "[mass]")
    assert before.low > after.low


@pytest.mark.parametrize(
    ("text", "denied", "affirmed"),
    [
        ("No fever, chills, or cough.", "fever chill cough", ""),
        ("Denies nausea but has cough.", "nausea", "cough"),
        ("No acute distress, lungs clear.", "distress", "lung"),
        ("Without rash or itching.", "rash itching", ""),
        ("Negative for edema and rash.", "edema rash", ""),
        ("Pneumonia was ruled out.", "pneumonia", ""),
        ("Troponin positive, rash absent.", "rash", "troponin"),
        ("Patient is not confused.", "confusion", ""),
        ("There is no increase in edema.", "", "edema"),
        ("Not only cough but also fever.", "", "cough fever"),
        ("Gram-negative sepsis.", "", "sepsis"),
        ("Unable to void. Has rash.", "void", "rash"),
        ("Fever resolved; no rash; cough persists.", "rash", "cough"),
        ("Afebrile.", "fever", ""),
        ("Never had asthma.", "asthma", ""),
    ],
)  # fmt: skip
def test_what_is_denied_and_what_is_not(text: str, denied: str, affirmed: str) -> None:
    read = statement(text)
    status = dict(zip((term.key for term in read.terms), read.status, strict=True))
    for key in denied.split():
        assert status[key] & Status.NEGATED, (key, status)
    for key in affirmed.split():
        assert not status[key] & Status.NEGATED, (key, status)


@pytest.mark.parametrize(
    ("text", "key", "bit"),
    [
        ("Possible pneumonia.", "pneumonia", Status.POSSIBLE),
        ("Concern for sepsis.", "sepsis", Status.POSSIBLE),
        ("Return if fever.", "fever", Status.HYPOTHETICAL),
        ("Mother with asthma.", "asthma", Status.FAMILY),
        ("Family history of asthma.", "asthma", Status.FAMILY),
        ("Colonoscopy refused.", "colonoscopy", Status.NOT_DONE),
        ("She declined colonoscopy.", "colonoscopy", Status.NOT_DONE),
        ("Will schedule colonoscopy.", "colonoscopy", Status.PLANNED),
        ("Lisinopril was held.", "lisinopril", Status.STOPPED),
        ("Discontinue lisinopril.", "lisinopril", Status.STOPPED),
        ("Rash has resolved.", "rash", Status.RESOLVED),
    ],
)
def test_what_is_not_simply_so(text: str, key: str, bit: Status) -> None:
    read = statement(text)
    status = dict(zip((term.key for term in read.terms), read.status, strict=True))
    assert status[key] & bit, status


@pytest.mark.parametrize(
    "text", ["Accompanied by her mother, has asthma.", "Lives with his son. Asthma."]
)
def test_company_is_no_family_history(text: str) -> None:
    read = statement(text)
    status = dict(zip((term.key for term in read.terms), read.status, strict=True))
    assert not status["asthma"] & Status.FAMILY


def test_a_section_of_family_history_is_all_of_relatives() -> None:
    read = statement("Asthma, gout.", "FAMILY HISTORY")
    assert all(status & Status.FAMILY for status in read.status)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("left knee", {"left"}), ("R knee", {"right"}), ("both knees", {"both"}),
        ("bilateral edema", {"both"}), ("LLE edema", {"left", "lower"}),
        ("left the hospital", set()), ("all right now", set()), ("lower than before", set()),
        ("RUL nodule", {"right", "upper"}),
    ],
)  # fmt: skip
def test_sides_are_places_not_verbs(text: str, expected: set[str]) -> None:
    assert {side.value for side in statement(text).sides} == expected


def test_wording_is_compared_in_order() -> None:
    one = ["culture", "grew", "klebsiella"]
    assert align(one, one).common == ("cultur", "grow", "klebsiella")
    assert align(one, one).share == 1.0
    other = align(one, ["culture", "grew", "yeast"])
    assert other.share == pytest.approx(2 / 3)
    assert other.slots == ((frozenset(("klebsiella",)), frozenset(("yeast",))),)
    assert align(one, ["grew", "culture"]).share < 0.5
    assert align([], one).share == 0.0

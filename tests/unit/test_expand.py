"""Clinical shorthand becomes readable English, with its way back to the original."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from chartproof_vocabulary import expand, expand_text
from chartproof_vocabulary.abbreviations import load
from chartproof_vocabulary.tables import DATA, rows
from hypothesis import given
from hypothesis import strategies as st

SPELLED = {
    # Numbers with what stands around them.
    "K 3.2 L": "potassium 3.2 low",
    "Na: 128 (L)": "sodium: 128 (low)",
    "UOP 3.2 L": "urine output 3.2 L",
    "cough x3d": "cough for 3 days",
    "fever x 2 wks": "fever for 2 weeks",
    "q6h prn": "every 6 hours as needed",
    "q4-6h": "every 4-6 hours",
    "review in 2/52": "review in 2 weeks",
    "for 3/7": "for 3 days",
    "seen 3/7/2020": "seen 3/7/2020",
    "on 3/7 she fell": "on 3/7 she fell",
    "1 hr later": "1 hour later",
    "62M s/p fall": "62 year old man status post fall",
    "54 yo F w/ DM": "54 year old woman with diabetes mellitus",
    "7yo M": "7 year old boy",
    "fever to 101F with chills": "fever to 101F with chills",
    "2D echo": "2D echocardiogram",
    "Lasix 40 -> 80 mg": "Lasix 40 to 80 mg",
    "POD#3": "postoperative day 3",
    "G2P1": "gravida 2 para 1",
    "2\u00b0 AV block": "second degree AV block",
    "AKI 2/2 ATN": "acute kidney injury secondary to acute tubular necrosis",
    "2/2 bottles": "2/2 bottles",
    # Signs.
    "\u2191Cr 1.2\u21922.3": "increased creatinine 1.2 to 2.3",
    "\u2193 edema": "decreased edema",
    "D-dimer +ve": "D-dimer positive",
    "trop -ve": "troponin negative",
    "?appendicitis": "possible appendicitis",
    "Any pain?": "Any pain?",
    "\u2206 in MS": "change in mental status",
    "c/o HA w/o LOC": "complains of headache without loss of consciousness",
    "n/v/d": "nausea, vomiting and diarrhea",
    "T2DM": "type 2 diabetes mellitus",
    "DVTs": "deep vein thromboses",
    "the pt's wife": "the patient's wife",
    # By the words around.
    "MS flare with new plaques": "multiple sclerosis flare with new plaques",
    "MS changes overnight": "mental status changes overnight",
    "MS 2 mg IV for pain": "morphine sulfate 2 mg intravenous for pain",
    "severe MS with mitral valve area 1.0": "severe mitral stenosis with mitral valve area 1.0",
    "MS": "MS",
    "RA on MTX": "rheumatoid arthritis on methotrexate",
    "98% RA": "98% room air",
    "RA pressure 12, RV dilated": "right atrium pressure 12, right ventricle dilated",
    "acute PE on heparin": "acute pulmonary embolism on heparin",
    "PE: lungs clear": "physical exam: lungs clear",
    "s/p L CEA for carotid stenosis":
        "status post left carotid endarterectomy for carotid stenosis",
    "CEA 12.3 after colectomy": "carcinoembryonic antigen 12.3 after colectomy",
    "500 mg BD": "500 mg twice daily",
    "dilated common BD": "dilated common bile duct",
    "ambulated with PT": "ambulated with physical therapy",
    "PT 14.2, INR 1.3": "prothrombin time 14.2, INR 1.3",
    "spastic CP": "spastic cerebral palsy",
    "denies CP": "denies chest pain",
    "DOA after cardiac arrest, CPR by EMS":
        "dead on arrival after cardiac arrest, cardiopulmonary resuscitation by emergency medical"
        " services",
    "RT knee pain": "right knee pain",
    "extubated by RT": "extubated by respiratory therapy",
    "ESRD on HD": "end-stage renal disease on hemodialysis",
    "2 drops OD": "2 drops right eye",
    "heroin OD": "heroin overdose",
    "LOC after head injury": "loss of consciousness after head injury",
    "d/c home": "discharge home",
    "foley d/c'd": "foley discontinued",
    "PD on sinemet for tremor": "Parkinson disease on sinemet for tremor",
    "ED visit": "emergency department visit",
    "ED on sildenafil": "erectile dysfunction on sildenafil",
}  # fmt: skip


@pytest.mark.parametrize(("short", "long"), SPELLED.items())
def test_shorthand_is_spelled_out(short: str, long: str) -> None:
    assert expand_text(short) == long


def test_words_in_a_line_of_capitals_are_no_abbreviations() -> None:
    line = "THE PATIENT LEFT US AND IT WAS AS BEFORE IN ALL RESPECTS OR BETTER"
    assert expand_text(line) == line


def forms() -> list[str]:
    return sorted({form.short for entries in load().entries.values() for form in entries})


def test_there_are_at_least_1500_abbreviations_each_table_with_its_source() -> None:
    assert len({form.lower() for form in forms()}) >= 1500
    for table in DATA.rglob("*.tsv"):
        assert table.read_text("utf-8").startswith("# Source: "), table.name


def test_an_abbreviation_has_one_meaning_at_most_where_nothing_decides() -> None:
    for entries in load().entries.values():
        for entry in entries:
            assert sum(cues.default for _, cues in entry.expansions) <= 1, entry.short
            meanings = [expansion for expansion, _ in entry.expansions]
            assert len(meanings) == len(set(meanings)), entry.short


def test_what_is_spelled_out_needs_no_spelling_out() -> None:
    for table in (DATA / "abbreviations").glob("*.tsv"):
        for _, expansion, _ in rows(table, 3):
            assert expand_text(expansion) == expansion


TEXTS = st.lists(
    st.one_of(
        st.sampled_from(forms()),
        st.sampled_from(list(SPELLED)),
        st.sampled_from(["the", "no", "mg", "3.2", "120/80", "pain.", "Seen", ";", "\n", "(L)"]),
        st.text(max_size=5),
    ),
    max_size=25,
).map(" ".join)


@given(TEXTS)
def test_offsets_lead_back_to_the_original(text: str) -> None:
    result = expand(text)
    rebuilt, at, original = [], 0, 0
    for change in result.offsets:
        # What is not replaced is as it was.
        assert result.text[at : change.start] == text[original : change.original_start]
        assert result.original(change.start, change.end) == change[2:]
        assert result.expanded(*change[2:]) == change[:2]
        rebuilt += [text[original : change.original_start], result.text[change.start : change.end]]
        at, original = change.end, change.original_end
    assert "".join(rebuilt) + text[original:] == result.text
    for first, second in pairwise(result.offsets):
        assert first.end <= second.start
        assert first.original_end <= second.original_start
    assert result.original(0, len(result.text)) == (0, len(text))


@given(TEXTS, st.data())
def test_any_span_leads_back_in_order(text: str, data: st.DataObject) -> None:
    result = expand(text)
    start = data.draw(st.integers(0, len(result.text)))
    end = data.draw(st.integers(start, len(result.text)))
    first, last = result.original(start, end)
    assert 0 <= first <= last <= len(text)


@given(TEXTS)
def test_numbers_keep_their_digits(text: str) -> None:
    """Decimals; `2/52`, degrees and `2/2` for a cause are words, not values."""
    kept = re.findall(r"(?<![\w/.])\d+\.\d+(?![\w/.])", text)
    spelled = expand_text(text)
    assert [number for number in kept if number not in spelled] == []


@given(st.lists(st.sampled_from(list(SPELLED)), max_size=6).map(". ".join))
def test_expanding_twice_changes_no_meaning(text: str) -> None:
    """What was spelled out stays; only an abbreviation left open may be decided the second time."""
    once = expand(text)
    twice = expand(once.text)
    for change in once.offsets:
        start, end = twice.expanded(change.start, change.end)
        assert twice.text[start:end].strip() == once.text[change.start : change.end].strip()


@pytest.mark.parametrize("piece", ["s/p MI ", "a/", "x 1", "(", "\u2191", "?", "q 1-", "1 ", "MS "])
def test_long_texts_are_read_in_windows(piece: str) -> None:
    """Twice the text is twice the replacements: nothing is looked for beyond its window."""
    one, two = expand(piece * 2000), expand(piece * 4000)
    assert abs(len(two.offsets) - 2 * len(one.offsets)) <= 2

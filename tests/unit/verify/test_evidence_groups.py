"""Copied-forward text becomes one piece; whatever changes the meaning stays apart."""

from datetime import timedelta

import pytest

from agents.ports import ScoredFact
from agents.verification.evidence_groups import deduplicate
from schemas.notes import AuthorCategory, Fact
from tests.unit.verify.bench import NOW, fact


def said(text: str, n: int = 0, **changes: object) -> Fact:
    return fact(f"f{n}", text, document_id=f"d{n}", **changes).fact


def pieces(*texts: str) -> int:
    return len(deduplicate([ScoredFact(said(text, n), 1.0) for n, text in enumerate(texts)]))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Lisinopril 20 mg daily.", "Lisinopril 20 mg daily."),
        ("- Lisinopril 20 mg daily", "* lisinopril   20 mg DAILY."),
        ("The patient has a cough.", "Pt has cough"),
        ("Denies fever, chills.", "denies fever; chills"),
        ("BNP 1,840.", "BNP 1840"),
        ("Pt’s wife drove.", "pt's wife drove"),
    ],
)
def test_repeats_in_other_dress_are_one_piece(one: str, other: str) -> None:
    assert pieces(one, other) == 1


LONG = "Patient was started on {} and tolerated it well on the ward with stable vital signs {}"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (LONG.format("metoprolol 25 mg", "today"), LONG.format("metoprolol 50 mg", "today")),
        (LONG.format("metoprolol 25 mg", "today"), LONG.format("metoprolol 25 mcg", "today")),
        (LONG.format("metoprolol", "today"), LONG.format("metformin", "today")),
        (LONG.format("oxygen", "no pain"), LONG.format("oxygen", "pain")),
        ("Fever.", "No fever."),
        ("Fever is not present today", "Fever is present today"),
        ("Left leg is swollen and red", "Right leg is swollen and red"),
        ("Troponin <0.01", "Troponin 0.01"),
        ("Murphy sign (-)", "Murphy sign (+)"),
        ("Pneumonia?", "Pneumonia"),
        ("Potassium 3.5 then 4.5", "Potassium 4.5 then 3.5"),
        ("Temp -5 from baseline", "Temp 5 from baseline"),
        ("He is a smoker", "He was a smoker"),
        ("Creatinine 2", "Creatinine 2.0"),
    ],
)
def test_whatever_changes_the_meaning_stays_apart(one: str, other: str) -> None:
    assert pieces(one, other) == 2


def test_the_latest_stands_for_all_and_every_source_is_kept() -> None:
    days = [3, 1, 2]
    hits = [
        ScoredFact(said("Takes aspirin.", n, note_time=NOW - timedelta(days=d), start=n), n / 10)
        for n, d in enumerate(days)
    ]
    (piece,) = deduplicate(hits)
    assert piece.fact.document_id == "d1"
    assert [source.document_id for source in piece.sources] == ["d1", "d2", "d0"]
    assert piece.score == 0.2


def test_equal_words_in_another_section_or_by_another_kind_of_author_are_another_statement() -> (
    None
):
    hits = [
        ScoredFact(said("Breast cancer.", 0, section="Family History"), 1.0),
        ScoredFact(said("Breast cancer.", 1, section="Past Medical History"), 1.0),
        ScoredFact(said("Breast cancer.", 2, section="FAMILY  history"), 1.0),
        ScoredFact(
            said("Breast cancer.", 3, section="Family History",
                 author_category=AuthorCategory.PATIENT), 1.0
        ),
    ]  # fmt: skip
    assert [len(piece.sources) for piece in deduplicate(hits)] == [2, 1, 1]


def test_texts_of_signs_alone_do_not_all_collapse() -> None:
    assert pieces("---", "...") == 2
    assert pieces("The patient", "He") == 2

from datetime import UTC, datetime

from agents.verification import score_sheet
from schemas.evidence import Evidence
from schemas.propositions import Proposition
from schemas.verdicts import JudgedProposition, Verdict


def row(ordinal: int, verdict: Verdict, section: str | None = None, document: str | None = None):
    evidence = ()
    if document:
        evidence = (
            Evidence(
                fact_id=f"f{ordinal}",
                document_id=document,
                note_time=datetime(2031, 5, 1, tzinfo=UTC),
                quote="q",
                start=0,
                end=1,
                score=0.5,
            ),
        )
    proposition = Proposition(
        proposition_id=str(ordinal),
        ordinal=ordinal,
        unit="claim",
        text="t",
        start=0,
        end=1,
        section=section,
    )
    return JudgedProposition(
        proposition=proposition, verdict=verdict, confidence=0.9, reason="r", evidence=evidence
    )


def test_every_label_is_counted_and_shares_are_of_all_propositions() -> None:
    rows = [row(n, Verdict.SUPPORTED) for n in range(3)] + [row(3, Verdict.FAILED)]
    assert score_sheet.counts(rows) == {
        Verdict.SUPPORTED: 3,
        Verdict.NOT_SUPPORTED: 0,
        Verdict.NOT_ADDRESSED: 0,
        Verdict.ABSTAINED: 0,
        Verdict.FAILED: 1,
    }
    assert score_sheet.shares(rows)[Verdict.SUPPORTED] == 0.75


def test_an_empty_text_has_zero_shares_and_no_summaries() -> None:
    assert set(score_sheet.shares([]).values()) == {0.0}
    assert score_sheet.summaries([]) == {}


def test_summaries_name_the_notes_that_support_and_the_sections_that_do_not() -> None:
    rows = [
        row(0, Verdict.SUPPORTED, document="a"),
        row(1, Verdict.SUPPORTED, document="a"),
        row(2, Verdict.NOT_SUPPORTED, section="Medications"),
        row(3, Verdict.NOT_SUPPORTED, section="Medications"),
        row(4, Verdict.NOT_SUPPORTED, section="Allergies"),
    ]
    said = score_sheet.summaries(rows)
    assert said[Verdict.SUPPORTED] == ("2 of 5 propositions are supported by the chart, by 1 note.")
    assert said[Verdict.NOT_SUPPORTED].endswith(": Medications 2, Allergies 1.")
    assert set(said) == {Verdict.SUPPORTED, Verdict.NOT_SUPPORTED}

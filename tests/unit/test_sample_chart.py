"""The sample chart is whole: data and manifest agree, and every planted error can be found."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import orjson
import pytest

from agents.intake.read import read_documents
from schemas.notes import AuthorCategory
from schemas.propositions import Proposition
from schemas.verdicts import JudgedProposition, Verdict
from streams.local import sample
from streams.local.sample import PlantedError, SampleChart, load_chart
from streams.local.sample.messages import document_reference, generated_summary
from streams.local.sample.scoring import caught, score


@pytest.fixture(scope="module")
def chart() -> SampleChart:
    return load_chart()


def judged(start: int, end: int, verdict: Verdict) -> JudgedProposition:
    proposition = Proposition(
        proposition_id=f"{start}-{end}", ordinal=0, unit="sentence", text="…", start=start, end=end
    )
    return JudgedProposition(proposition=proposition, verdict=verdict, confidence=0.9, reason="…")


def around(error: PlantedError, verdict: Verdict) -> JudgedProposition:
    return judged(max(error.start - 5, 0), error.end + 5, verdict)


def test_every_note_file_is_in_the_manifest_once(chart: SampleChart) -> None:
    stored = {path.read_text() for path in (Path(sample.__file__).parent / "notes").iterdir()}
    assert {note.text for note in chart.notes} == stored
    assert len({note.note_id for note in chart.notes}) == len(chart.notes) == 12


def test_the_timeline_is_one_admission_before_the_summary(chart: SampleChart) -> None:
    times = [note.time for note in chart.notes]
    assert times == sorted(set(times))
    assert (times[-1] - times[0]).days < 7
    assert times[-1] < chart.summary_generated_at


def test_every_planted_error_stands_once_in_the_summary(chart: SampleChart) -> None:
    ids = {note.note_id for note in chart.notes}
    for error in chart.planted:
        assert chart.summary.count(error.quote) == 1
        assert error.quote.count(error.wrong) == 1
        assert chart.summary[error.start : error.end] == error.wrong
        assert set(error.notes) <= ids
        assert (not error.notes) == (error.expected == "not_addressed")
    assert len({error.kind for error in chart.planted}) == len(chart.planted) == 10


def test_what_no_note_mentions_is_in_no_note(chart: SampleChart) -> None:
    words = {word for note in chart.notes for word in note.text.lower().split()}
    assert words.isdisjoint({"osa", "cpap", "apnea", "apnoea"})


def test_intake_reads_every_note_as_it_is(chart: SampleChart) -> None:
    for note in chart.notes:
        value = orjson.dumps(document_reference(chart, note))
        (reading,) = read_documents(value, received_at=datetime(2026, 11, 29, tzinfo=UTC))
        assert (reading.patient_id, reading.document_id) == (chart.patient_id, note.note_id)
        assert reading.note
        assert reading.note.text == note.text
        assert reading.note.note_time == note.time
        assert reading.note.note_type == note.display
        assert reading.note.encounter_id == chart.encounter_id
        assert reading.note.author_category is AuthorCategory.CLINICIAN


def test_the_summary_is_verified_as_of_the_day_it_was_generated(chart: SampleChart) -> None:
    text = generated_summary(chart, "summary-1", datetime(2026, 11, 29, tzinfo=UTC))
    assert text.text == chart.summary
    assert text.as_of == chart.summary_generated_at


@pytest.mark.parametrize("verdict", [Verdict.NOT_SUPPORTED, Verdict.NOT_ADDRESSED])
def test_a_flag_on_the_wrong_words_catches_the_error(chart: SampleChart, verdict: Verdict) -> None:
    error = chart.planted[0]
    assert caught(error, [around(error, verdict)])
    assert caught(error, [judged(error.end - 1, error.end, verdict)])


@pytest.mark.parametrize("verdict", [Verdict.SUPPORTED, Verdict.ABSTAINED, Verdict.FAILED])
def test_other_verdicts_catch_nothing(chart: SampleChart, verdict: Verdict) -> None:
    error = chart.planted[0]
    assert not caught(error, [around(error, verdict)])


def test_a_flag_beside_the_wrong_words_is_a_false_alarm_and_no_catch(chart: SampleChart) -> None:
    error = chart.planted[0]
    before = judged(error.start - 4, error.start, Verdict.NOT_SUPPORTED)
    found = score([error], [before, around(error, Verdict.SUPPORTED)])
    assert found.missed == (error,)
    assert found.false_alarms == (before,)
    assert found.true_statements == 1


def test_a_perfect_judge_catches_all_and_raises_no_false_alarm(chart: SampleChart) -> None:
    rows = [around(error, Verdict(error.expected)) for error in chart.planted]
    found = score(chart.planted, [*rows, judged(0, 9, Verdict.SUPPORTED)])
    assert found.caught == chart.planted
    assert (found.missed, found.false_alarms, found.true_statements) == ((), (), 1)

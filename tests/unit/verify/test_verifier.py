"""The verifier's promises about failures, which only fakes can cause on demand."""

from datetime import timedelta

import pytest

from agents.errors import DependencyUnavailable
from schemas.notes import AuthorCategory
from schemas.outcomes import Outcome, OutcomeRecorded
from schemas.texts import VerificationSettings
from schemas.verdicts import Verdict, VerdictIssued
from tests.unit.verify.bench import NOW, Bench, fact


async def test_each_proposition_gets_its_verdict_event_and_the_sheet_has_all_in_order() -> None:
    bench = Bench()
    await bench.add(fact("f1"))
    sheet = await bench.verify("first\nsecond\nthird\n")
    verdicts = [each for each in bench.emitted if isinstance(each, VerdictIssued)]
    assert len(verdicts) == 3
    assert [row.proposition.text for row in sheet.judged] == ["first", "second", "third"]
    assert bench.emitted.index(sheet) > max(bench.emitted.index(each) for each in verdicts)
    outcome = bench.emitted[-1]
    assert isinstance(outcome, OutcomeRecorded)
    assert outcome.outcome == Outcome.VERIFIED


async def test_a_model_error_is_a_failed_verdict_and_its_neighbours_are_judged() -> None:
    bench = Bench()
    await bench.add(fact("f1"))
    sheet = await bench.verify("fine\nmodel-error\nfine too\n")
    assert [row.verdict for row in sheet.judged] == [
        Verdict.SUPPORTED,
        Verdict.FAILED,
        Verdict.SUPPORTED,
    ]
    assert sheet.counts[Verdict.FAILED] == 1


async def test_a_missed_deadline_is_tried_again_then_failed_while_the_judge_is_healthy() -> None:
    bench = Bench()
    await bench.add(fact("f1"))
    sheet = await bench.verify("deadline\n")
    assert [row.verdict for row in sheet.judged] == [Verdict.FAILED]
    assert bench.judge.calls == 2


async def test_a_judge_that_is_gone_is_transient_so_no_verdict_is_made_up() -> None:
    bench = Bench()
    bench.judge.healthy = False
    await bench.add(fact("f1"))
    for proposition in ("deadline", "away"):
        with pytest.raises(DependencyUnavailable):
            await bench.verify(proposition)
    assert bench.emitted == []


async def test_a_repeat_says_the_same_with_the_same_ids() -> None:
    first, second = Bench(), Bench()
    for bench in (first, second):
        await bench.add(fact("f1"))
        await bench.verify("one\ntwo\n")
    assert {e.event_id for e in first.emitted} == {e.event_id for e in second.emitted}


async def test_a_patient_without_notes_gets_not_addressed_without_asking_the_judge() -> None:
    bench = Bench()
    sheet = await bench.verify("one\n")
    assert sheet.judged[0].verdict == Verdict.NOT_ADDRESSED
    assert "no notes" in sheet.judged[0].reason
    assert (sheet.facts_in_chart, bench.judge.calls) == (0, 0)


async def test_a_text_that_says_nothing_gets_an_empty_score_sheet() -> None:
    sheet = await Bench().verify("Well?")
    assert sheet.judged == ()
    assert sum(sheet.counts.values()) == 0


async def test_the_reranker_decides_what_the_judge_is_shown() -> None:
    bench = Bench()
    await bench.add(*[fact(f"f{n}", text="x" * n, document_id=f"d{n}") for n in range(1, 30)])
    await bench.verify("one", settings=VerificationSettings(top_n=2, candidates=40))
    assert [len(each.text) for each in bench.judge.last] == [29, 28]


async def test_later_facts_own_document_and_ai_notes_are_not_shown() -> None:
    bench = Bench()
    await bench.add(
        fact("good", document_id="d1"),
        fact("later", document_id="d2", note_time=NOW + timedelta(minutes=1)),
        fact("own", document_id="d3"),
        fact("ai", document_id="d4", author_category=AuthorCategory.AI),
    )
    await bench.verify("one", document_id="d3")
    assert [each.fact_id for each in bench.judge.last] == ["good"]


async def test_later_facts_are_shown_when_asked_for_and_scope_limits_to_the_encounter() -> None:
    bench = Bench()
    await bench.add(
        fact("now", document_id="d1", encounter_id="e1"),
        fact("later", document_id="d2", encounter_id="e1", note_time=NOW + timedelta(days=1)),
        fact("elsewhere", document_id="d3", encounter_id="e2"),
    )
    settings = VerificationSettings(scope="encounter", include_later=True)
    await bench.verify("one", encounter_id="e1", settings=settings)
    assert {each.fact_id for each in bench.judge.last} == {"now", "later"}

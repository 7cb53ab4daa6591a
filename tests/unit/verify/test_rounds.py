"""Iterative verification: what is searched next, when it ends, what no judge can overrule."""

from dataclasses import replace
from datetime import timedelta

import pytest

from agents.errors import DeadlineExceeded
from agents.ports import Decomposed, Judgement
from agents.verification.query_refinement import (
    contradiction,
    other_terms,
    queries,
    value_asked_for,
)
from schemas.texts import VerificationSettings
from schemas.verdicts import Verdict
from tests.unit.verify.bench import NOW, Bench, LineDecomposer, ScriptedJudge, fact

SILENT = Judgement(Verdict.NOT_ADDRESSED, 0.9, "silent")


def supported(by: str, confidence: float = 0.9) -> Judgement:
    return Judgement(Verdict.SUPPORTED, confidence, "says so", cited=(by,))


def contradicted(by: str, confidence: float) -> Judgement:
    return Judgement(Verdict.NOT_SUPPORTED, confidence, "says otherwise", cited=(by,))


def sparse(**more: object) -> VerificationSettings:
    return VerificationSettings(**{"retrieval": "sparse", "max_rounds": 2, **more})


# What is searched for


def test_the_first_search_is_the_proposition_and_every_further_one_is_another() -> None:
    found = list(queries("She has hypertension and takes furosemide 40 mg for her left leg."))
    assert len(found) == len(set(found)) == 5
    assert found[0].startswith("She has")
    assert "htn" in found[1]
    assert "right leg" in found[2]
    assert "40" not in found[3]
    assert "mg" in found[3]
    assert found[4] == "hypertension takes furosemide 40 mg left leg"


def test_a_proposition_of_one_word_is_not_searched_for_twice() -> None:
    assert list(queries("Scurvy")) == ["Scurvy", contradiction("Scurvy")]


@pytest.mark.parametrize(
    ("said", "term"),
    [("He has hypertension.", "htn"), ("HTN.", "hypertension"), ("Took Lasix.", "furosemide")],
)
def test_other_terms_go_both_ways(said: str, term: str) -> None:
    assert term in other_terms(said).split()


@pytest.mark.parametrize(
    ("said", "against"),
    [
        ("Pain in the left knee", "Pain in the right knee"),
        ("Denies chest pain.", "chest pain."),
        ("He did not fall", "He fall"),
        ("He has a cough", "No cough; denies, negative, not done, resolved, discontinued"),
    ],
)
def test_the_contradiction_is_what_a_chart_would_say_if_it_were_wrong(
    said: str, against: str
) -> None:
    assert contradiction(said) == against


def test_the_value_asked_for_has_no_number() -> None:
    assert value_asked_for("Potassium was 3.1 mmol/L") == "Potassium was mmol/L"
    assert value_asked_for("Ejection fraction 30-35%") == "Ejection fraction"
    assert value_asked_for("No number here") == ""


# When it is searched again


async def test_a_sure_judge_is_asked_once() -> None:
    bench = Bench()
    await bench.add(fact("f1", "hypertension"))
    row = (await bench.verify("hypertension", settings=sparse(max_rounds=5))).judged[0]
    assert (row.verdict, row.rounds, row.judge_calls) == (Verdict.SUPPORTED, 1, 1)


async def test_silence_is_searched_again_with_other_terms_and_both_are_shown() -> None:
    bench = Bench()
    await bench.add(fact("f1", "history of falls"), fact("f2", "HTN on two drugs"))
    bench.judge.answers = [SILENT, supported("f2")]
    row = (await bench.verify("history of hypertension", settings=sparse())).judged[0]
    assert [each.fact_id for each in bench.judge.shown[0]] == ["f1"]
    assert {each.fact_id for each in bench.judge.shown[1]} == {"f1", "f2"}
    assert (row.verdict, row.rounds, row.judge_calls) == (Verdict.SUPPORTED, 2, 2)
    assert row.evidence[0].fact_id == "f2"


async def test_one_round_is_one_search() -> None:
    bench = Bench()
    await bench.add(fact("f1", "history of falls"), fact("f2", "HTN on two drugs"))
    bench.judge.answers = [SILENT]
    row = (await bench.verify("history of hypertension", settings=sparse(max_rounds=1))).judged[0]
    assert (row.verdict, row.rounds, row.judge_calls) == (Verdict.NOT_ADDRESSED, 1, 1)


async def test_a_judge_below_sure_from_is_asked_again() -> None:
    async def calls(confidence_threshold: float) -> int:
        bench = Bench()
        await bench.add(fact("f1", "history of hypertension"), fact("f2", "HTN"))
        bench.judge.answers = [supported("f1", 0.7)]
        settings = sparse(confidence_threshold=confidence_threshold)
        row = (await bench.verify("history of hypertension", settings=settings)).judged[0]
        assert row.verdict == Verdict.SUPPORTED
        return row.judge_calls

    assert await calls(0.6) == 1
    assert await calls(0.8) == 2


async def test_a_search_that_brings_nothing_new_does_not_ask_the_judge() -> None:
    bench = Bench()
    await bench.add(fact("f1", "the left hypertension 5 mg"))
    bench.judge.answers = [SILENT]
    row = (await bench.verify("the left hypertension 5 mg", settings=sparse(max_rounds=5))).judged[
        0
    ]
    assert (row.rounds, row.judge_calls) == (5, 1)


async def test_a_later_search_may_find_what_the_first_did_not() -> None:
    bench = Bench()
    await bench.add(fact("f2", "HTN on two drugs"))
    row = (await bench.verify("hypertension", settings=sparse())).judged[0]
    assert (row.verdict, row.rounds, row.judge_calls) == (Verdict.SUPPORTED, 2, 1)


async def test_more_than_five_rounds_cannot_be_asked_for() -> None:
    with pytest.raises(ValueError, match="max_rounds"):
        VerificationSettings(max_rounds=6)


async def test_what_was_cited_stays_in_view_when_new_facts_take_the_room() -> None:
    bench = Bench()
    await bench.add(
        fact("f1", "history of hypertension"),
        fact("f3", "history of very long falls and of much else"),
        *[fact(f"n{n}", f"HTN number {n} with some length") for n in range(3)],
    )
    bench.judge.answers = [contradicted("f1", 0.3), SILENT]
    settings = sparse(top_n=3)
    row = (await bench.verify("history of hypertension", settings=settings)).judged[0]
    assert bench.judge.shown[1][0].fact_id == "f1"
    assert len(bench.judge.shown[1]) == 3
    # The chart spoke in the first round; the silence of the second does not unsay it.
    assert (row.verdict, row.evidence[0].fact_id) == (Verdict.NOT_SUPPORTED, "f1")


@pytest.mark.parametrize("confidences", [(0.3, 0.5), (0.5, 0.3)])
async def test_of_unsure_rounds_the_most_confident_decides(
    confidences: tuple[float, float],
) -> None:
    bench = Bench()
    await bench.add(fact("f1", "history of falls"), fact("f2", "HTN on two drugs"))
    first, second = confidences
    bench.judge.answers = [contradicted("f1", first), contradicted("f2", second)]
    row = (await bench.verify("history of hypertension", settings=sparse())).judged[0]
    assert (row.confidence, row.judge_calls) == (0.5, 2)
    assert row.evidence[0].fact_id == ("f2" if second == 0.5 else "f1")


async def test_of_silent_rounds_the_last_decides_which_saw_the_most() -> None:
    bench = Bench()
    await bench.add(fact("f1", "history of falls"), fact("f2", "HTN on two drugs"))
    bench.judge.answers = [SILENT, Judgement(Verdict.NOT_ADDRESSED, 0.8, "silent still")]
    row = (await bench.verify("history of hypertension", settings=sparse())).judged[0]
    assert (row.reason, row.facts_shown, row.rounds) == ("silent still", 2, 2)


async def test_each_section_keeps_its_fact_when_new_facts_take_the_room() -> None:
    bench = Bench()
    await bench.add(
        fact("f1", "history of hypertension", section="HPI"),
        fact("f3", "history of falling down", section="Plan"),
        *[fact(f"n{n}", f"HTN number {n} with some length", section="HPI") for n in range(3)],
    )
    for ensure_section_coverage in (False, True):
        bench.judge.answers = [contradicted("f1", 0.3), SILENT]
        settings = sparse(top_n=3, ensure_section_coverage=ensure_section_coverage)
        await bench.verify("history of hypertension", settings=settings)
        bench.emitted.clear()
        assert bench.judge.last[0].fact_id == "f1"
        assert ("Plan" in {each.section for each in bench.judge.last}) == ensure_section_coverage


# What no judge can overrule


async def test_nothing_is_supported_without_evidence() -> None:
    bench = Bench()
    await bench.add(fact("f1", "hypertension"))
    bench.judge.answers = [Judgement(Verdict.SUPPORTED, 0.99, "trust me")]
    row = (await bench.verify("hypertension")).judged[0]
    assert row.verdict == Verdict.ABSTAINED
    assert row.checks == ("no_evidence",)


async def test_the_engine_abstains_even_where_the_judge_does_not() -> None:
    bench = Bench()
    await bench.add(fact("f1", "hypertension"))
    bench.judge.answers = [contradicted("f1", 0.5)]
    settings = VerificationSettings(abstain_below=0.6)
    row = (await bench.verify("hypertension", settings=settings)).judged[0]
    assert (row.verdict, row.confidence) == (Verdict.ABSTAINED, 0.5)
    assert bench.judge.options[0]["abstain_below"] == 0.6


async def test_a_judge_that_cites_what_it_was_not_shown_has_failed() -> None:
    bench = Bench()
    await bench.add(fact("f1", "hypertension"))
    bench.judge.answers = [supported("f2")]
    row = (await bench.verify("hypertension")).judged[0]
    assert (row.verdict, row.evidence) == (Verdict.FAILED, ())


class LateOnce(ScriptedJudge):
    """Misses its deadline once."""

    async def judge(self, proposition: str, facts, **options: object) -> Judgement:
        said = await super().judge(proposition, facts, **options)
        if self.calls == 1:
            raise DeadlineExceeded("triton", "too slow")
        return said


async def test_rounds_are_those_of_the_attempt_that_was_answered() -> None:
    bench = Bench()
    bench.verifier = replace(bench.verifier, judge=LateOnce())
    await bench.add(fact("f1"))
    row = (await bench.verify("fact")).judged[0]
    assert (row.verdict, row.rounds, row.judge_calls) == (Verdict.SUPPORTED, 1, 2)


async def test_the_judge_knows_the_section_and_the_time_of_the_text() -> None:
    bench = Bench()
    bench.verifier = replace(bench.verifier, decomposer=Sectioned())
    await bench.add(fact("f1"))
    at = NOW - timedelta(hours=1)
    sheet = await bench.verify("one", as_of=at)
    (asked,) = bench.judge.options
    assert (asked["section"], asked["as_of"]) == ("Plan", at)
    assert (sheet.judged[0].proposition.section, sheet.provenance.as_of) == ("Plan", at)


class Sectioned(LineDecomposer):
    """All lines are of the plan."""

    async def propositions(self, text: str, unit: str, mode: str = "direct") -> Decomposed:
        found = await super().propositions(text, unit, mode)
        return replace(found, units=tuple(replace(each, section="Plan") for each in found.units))


async def test_a_failed_judgement_counts_its_calls() -> None:
    bench = Bench()
    await bench.add(fact("f1"))
    row = (await bench.verify("deadline")).judged[0]
    assert (row.verdict, row.judge_calls) == (Verdict.FAILED, 2)


# Context and the dual label


async def test_full_context_shows_the_text_around_as_context_and_not_as_a_fact() -> None:
    bench = Bench()
    await bench.add(fact("f1", "a fact"))
    text = "She fell.\nThe hip was replaced.\nShe went home."
    await bench.verify(text, settings=VerificationSettings(judging="full_context"))
    assert [each["surroundings"] for each in bench.judge.options] == [text] * 3
    assert all([each.fact_id for each in facts] == ["f1"] for facts in bench.judge.shown)


async def test_claim_only_shows_nothing_of_the_text() -> None:
    bench = Bench()
    await bench.add(fact("f1", "a fact"))
    await bench.verify("She fell.\nThe hip was replaced.")
    assert [each["surroundings"] for each in bench.judge.options] == [None, None]


async def test_surroundings_of_a_long_text_end_at_lines_near_the_proposition() -> None:
    bench = Bench()
    await bench.add(fact("f1", "a fact"))
    lines = [f"line {n:03} of the text" for n in range(200)]
    await bench.verify("\n".join(lines), settings=VerificationSettings(judging="full_context"))
    around = bench.judge.options[100]["surroundings"].split("\n")
    assert lines[100] in around
    assert set(around) <= set(lines)
    assert 80 < len(around) < 110


async def test_the_dual_label_is_passed_on() -> None:
    bench = Bench()
    await bench.add(fact("f1", "hypertension"))
    bench.judge.answers = [Judgement(Verdict.NOT_ADDRESSED, 0.9, "silent", true_in_general=True)]
    assert (await bench.verify("hypertension")).judged[0].true_in_general is True
    bench.emitted.clear()
    bench.judge.answers = []
    assert (await bench.verify("hypertension")).judged[0].true_in_general is None

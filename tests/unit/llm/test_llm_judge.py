"""The judge over a language model: what it asks, what it believes, what it costs."""

import asyncio
import json
from datetime import UTC, datetime, timedelta

import pytest

from agents.adapters.llm.confidence import Curves
from agents.adapters.llm.judge import JudgeOptions, LlmJudge
from agents.adapters.llm.judge_answer import Modes
from agents.adapters.llm.openai_server import Endpoint, OpenAIModel
from agents.errors import ChartproofError, ModelError
from agents.ports import Judgement, ShownFact
from schemas.verdicts import Verdict
from tests.scripted_llm import Reply, Request, by_words, judging, until

NOON = datetime(2031, 5, 4, 12, tzinfo=UTC)


def fact(text: str, fact_id: str = "id-1", **more: object) -> ShownFact:
    said: dict = {
        "section": "Plan",
        "note_time": NOON,
        "note_type": "Progress note",
        "document_id": "d1",
        "score": 0.8,
    }
    return ShownFact(fact_id=fact_id, text=text, **{**said, **more})


CHART = (fact("Takes aspirin 81 mg daily.", "a"), fact("Denies chest pain.", "b"))


async def judged(llm, statement: str, facts=CHART, options=None, **more) -> Judgement:
    return await LlmJudge(llm, options).judge(statement, facts, **more)


# Verdicts


@pytest.mark.parametrize(
    ("statement", "verdict", "cited"),
    [
        ("Takes aspirin 81 mg daily.", Verdict.SUPPORTED, ("a",)),
        ("Takes aspirin 325 mg daily.", Verdict.NOT_SUPPORTED, ("a",)),
        ("Had his gallbladder removed.", Verdict.NOT_ADDRESSED, ()),
    ],
)
async def test_verdicts_cite_facts_by_their_own_ids(llm, statement, verdict, cited) -> None:
    found = await judged(llm, statement)
    assert (found.verdict, found.cited) == (verdict, cited)
    assert found.reason == "As scripted."
    assert found.usage.llm_calls == 1
    assert found.usage.prompt_tokens > 100


async def test_without_facts_it_is_asked_all_the_same(llm) -> None:
    assert (await judged(llm, "Denies chest pain.", ())).verdict == Verdict.NOT_ADDRESSED


async def test_the_prompt_tells_of_a_fact_what_is_known_and_no_more(llm, server) -> None:
    told = fact("Fever.", score=None, note_time=None, age=timedelta(days=2, hours=5), notes=3)
    await judged(llm, "Fever.", [told], as_of=NOON, section="Course", surroundings="She had it.")
    data = server.requests[-1].data
    assert data["evidence"] == [
        {
            "id": "F1",
            "text": "Fever.",
            "section": "Plan",
            "note_type": "Progress note",
            "relative_time": "2 days 5 hours before the text",
            "notes": 3,
        }
    ]
    assert data["statements"] == [
        {"id": "S1", "text": "Fever.", "section": "Course", "surroundings": "She had it."}
    ]
    assert data["text_time"] == "2031-05-04T12:00:00Z"


@pytest.mark.parametrize(
    ("modes", "fields"),
    [
        (Modes(reasoning=False), ["verdict", "cited", "unsupported"]),
        (Modes(), ["reason", "verdict", "cited", "unsupported"]),
        (
            Modes(dual_label=True, own_queries=True),
            ["reason", "verdict", "cited", "unsupported", "true_in_general", "query"],
        ),
    ],
)
async def test_the_schema_asks_for_what_the_mode_needs_reasons_first(
    llm, server, modes, fields
) -> None:
    await judged(llm, "Fever.", options=JudgeOptions(modes))
    schema = server.requests[-1].body["response_format"]["json_schema"]["schema"]
    assert list(schema["properties"]) == ["S1"]
    one = schema["properties"]["S1"]
    assert one["required"] == list(one["properties"]) == fields
    assert one["properties"]["cited"]["items"]["enum"] == ["F1", "F2"]


async def test_prompts_and_model_are_in_the_version(llm) -> None:
    plain, more = LlmJudge(llm), LlmJudge(llm, JudgeOptions(Modes(dual_label=True)))
    assert plain.version.startswith("llm scripted judge/1+reasoning/1+few_shot/1:")
    assert "dual_label/1" in more.version
    assert plain.version != more.version


async def test_without_reasoning_there_is_a_reason_all_the_same(llm, server) -> None:
    server.script = lambda _: Reply(json.dumps({"S1": {"verdict": "abstained", "cited": []}}))
    found = await judged(llm, "Fever.", options=JudgeOptions(Modes(reasoning=False)))
    assert found.verdict == Verdict.ABSTAINED
    assert "could not decide" in found.reason


async def test_a_general_truth_and_a_next_search_reach_the_judgement(llm, server) -> None:
    server.script = judging(
        lambda *_: {
            "verdict": "not_supported",
            "cited": ["F1"],
            "unsupported": "325 mg",
            "true_in_general": True,
            "query": "ASA dose",
        }
    )
    found = await judged(llm, "Takes aspirin 325 mg.", options=JudgeOptions(Modes(True, True)))
    assert found.true_in_general is True
    assert (found.unsupported, found.next_query) == ("325 mg", "ASA dose")


# Bad answers


class InTurn:
    """Replies in turn; the last one stands."""

    def __init__(self, *replies: Reply) -> None:
        self.replies = list(replies)

    def __call__(self, request: Request) -> Reply:
        return self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]


GOOD = Reply(json.dumps({"S1": {"verdict": "supported", "cited": ["F1"]}}))
BAD = [
    Reply("I think it is fine."),
    Reply('{"S1": {"verdict": "maybe", "cited": []}}'),
    Reply('{"S2": {"verdict": "supported", "cited": ["F1"]}}'),
    Reply('{"S1": {"verdict": "supported", "cited": ["F99"]}}'),
    Reply('{"S1": {"verdict": "supp', finish="length"),
    Reply("", refusal=True),
    Reply(""),
]


@pytest.mark.parametrize("bad", BAD)
async def test_a_bad_answer_is_asked_for_once_more_with_the_error(llm, server, bad) -> None:
    server.script = InTurn(bad, GOOD)
    found = await judged(llm, "Takes aspirin.")
    assert found.verdict == Verdict.SUPPORTED
    assert found.usage.llm_calls == 2
    first, second = server.requests
    assert "could not be used" not in first.user
    assert second.user.startswith(first.user)
    assert "could not be used" in second.user


@pytest.mark.parametrize("bad", BAD)
async def test_two_bad_answers_are_a_model_error_without_the_text(llm, server, bad) -> None:
    server.script = InTurn(bad)
    with pytest.raises(ModelError) as caught:
        await judged(llm, "Takes aspirin.")
    assert len(server.requests) == 2
    assert "aspirin" not in str(caught.value)


async def test_words_and_fences_around_an_answer_do_not_matter(llm, server) -> None:
    server.script = InTurn(Reply(f"Sure!\n```json\n{GOOD.text}\n```"))
    assert (await judged(llm, "Takes aspirin.")).verdict == Verdict.SUPPORTED


# Confidence


async def test_confidence_is_the_labels_share_of_the_probability(llm, server) -> None:
    server.script = judging(by_words, sure=0.6, alternatives={"not_supported": 0.2, "banana": 0.15})
    found = await judged(llm, "Denies chest pain.")
    assert found.confidence == pytest.approx(0.6 / 0.8)


async def test_a_label_written_in_pieces_is_worth_their_product(llm, server) -> None:
    assert (await judged(llm, "Denies chest pain.")).confidence == pytest.approx(1.0)


async def test_without_log_probabilities_samples_are_counted(llm, server) -> None:
    answers = iter(["supported", "not_addressed", "not_addressed", "not_addressed", "supported"])
    server.script = judging(lambda *_: {"verdict": next(answers), "cited": []}, logprobs=False)
    found = await judged(llm, "Fever.", options=JudgeOptions(samples=5))
    assert (found.verdict, found.confidence) == (Verdict.NOT_ADDRESSED, 0.6)
    assert found.usage.llm_calls == 5
    assert [r.body["temperature"] for r in server.requests] == [0.0, 0.7, 0.7, 0.7, 0.7]
    assert [r.body["seed"] for r in server.requests] == [0, 1, 2, 3, 4]


async def test_confidence_is_read_off_the_curve_of_its_label(llm, tmp_path) -> None:
    version = LlmJudge(llm).version
    path = tmp_path / "curves.json"
    path.write_text(
        json.dumps({"judge": version, "curves": {"supported": [[0.0, 0.2], [1.0, 0.7]]}})
    )
    options = JudgeOptions(curves=Curves.read(path, version))
    assert (await judged(llm, "Denies chest pain.", options=options)).confidence == 0.7
    assert (await judged(llm, "Snow fell.", options=options)).confidence == 1.0


async def test_curves_of_another_judge_are_refused(tmp_path) -> None:
    path = tmp_path / "curves.json"
    path.write_text(json.dumps({"judge": "llm other", "curves": {}}))
    with pytest.raises(ChartproofError, match="calibrate"):
        Curves.read(path, "llm this")
    path.write_text("{")
    with pytest.raises(ChartproofError, match="CALIBRATION"):
        Curves.read(path, "llm this")


async def test_under_the_floor_it_abstains(llm, server) -> None:
    server.script = judging(by_words, sure=0.6, alternatives={"not_addressed": 0.4})
    found = await judged(llm, "Denies chest pain.", abstain_below=0.7)
    assert found.verdict == Verdict.ABSTAINED


# Several at once


async def together(judge: LlmJudge, *cases: tuple[str, tuple[ShownFact, ...]]) -> list:
    text = judge.for_text()
    return await asyncio.gather(
        *(text.judge(said, facts) for said, facts in cases), return_exceptions=True
    )


async def test_propositions_with_common_evidence_go_in_one_call(llm, server) -> None:
    found = await together(
        LlmJudge(llm), ("Denies chest pain.", CHART), ("Takes aspirin 81 mg daily.", CHART)
    )
    assert [each.cited for each in found] == [("b",), ("a",)]
    [request] = server.requests
    assert len(request.data["evidence"]) == 2
    assert sum(each.usage.llm_calls for each in found) == 1
    words = sum(len(each["content"].split()) for each in request.body["messages"])
    assert sum(each.usage.prompt_tokens for each in found) == words


async def test_propositions_without_common_evidence_do_not(llm, server) -> None:
    other = (fact("Snow fell.", "c"),)
    await together(LlmJudge(llm), ("Denies chest pain.", CHART), ("Snow fell.", other))
    assert len(server.requests) == 2


async def test_two_texts_are_never_in_one_call(llm, server) -> None:
    judge = LlmJudge(llm)
    await asyncio.gather(
        judge.for_text().judge("Denies chest pain.", CHART),
        judge.for_text().judge("Takes aspirin.", CHART),
    )
    assert len(server.requests) == 2


async def test_a_call_has_no_more_than_the_options_and_the_context_allow(server) -> None:
    cases = [(f"Denies chest pain {n}.", CHART) for n in range(7)]
    for context, most in ((32_000, 3), (2_000, 2)):
        llm = OpenAIModel(Endpoint(server.url, "scripted", context_tokens=context))
        server.requests.clear()
        await together(LlmJudge(llm, JudgeOptions(together=3)), *cases)
        assert max(len(each.data["statements"]) for each in server.requests) <= most
        await llm.close()


async def test_evidence_that_only_a_neighbour_was_shown_bears_nothing_out(llm, server) -> None:
    server.script = judging(lambda *_: {"verdict": "supported", "cited": ["F3"]})
    more = (*CHART, fact("Snow fell.", "c"))
    mine, other = await together(LlmJudge(llm), ("Snow.", CHART), ("Snow fell.", more))
    assert len(server.requests) == 1
    assert (mine.cited, other.cited) == ((), ("c",))


async def test_a_bad_common_answer_costs_only_the_one_that_is_bad(llm, server) -> None:
    def script(request: Request) -> Reply:
        if any(said["text"] == "poison" for said in request.data["statements"]):
            return Reply("no")
        return judging(by_words)(request)

    server.script = script
    found = await together(LlmJudge(llm), ("Denies chest pain.", CHART), ("poison", CHART))
    assert found[0].verdict == Verdict.SUPPORTED
    assert isinstance(found[1], ModelError)


async def test_a_prompt_that_the_server_refuses_fails_that_proposition_only(llm, server) -> None:
    def script(request: Request) -> Reply:
        if any(said["text"] == "poison" for said in request.data["statements"]):
            return Reply(status=400)
        return judging(by_words)(request)

    server.script = script
    found = await together(LlmJudge(llm), ("Denies chest pain.", CHART), ("poison", CHART))
    assert found[0].verdict == Verdict.SUPPORTED
    assert isinstance(found[1], ModelError)


async def test_a_common_call_ends_when_nobody_waits_for_it_any_more(llm, server) -> None:
    server.script = judging(by_words, token_s=0.05)
    text = LlmJudge(llm).for_text()
    tasks = [
        asyncio.create_task(text.judge(said, CHART)) for said in ("Denies pain.", "Denies chest.")
    ]
    await until(lambda: server.running == 1)
    tasks[0].cancel()
    await asyncio.wait([tasks[0]])
    assert server.closed == 0
    tasks[1].cancel()
    await until(lambda: server.closed == 1)
    await asyncio.gather(*tasks, return_exceptions=True)


# Memory


async def test_the_same_question_is_paid_for_once(llm, server) -> None:
    judge = LlmJudge(llm)
    first = await judge.judge("Denies chest pain.", CHART)
    again = await judge.judge(
        "Denies chest pain.",
        (fact("Takes aspirin 81 mg daily.", "x"), fact("Denies chest pain.", "y")),
    )
    assert len(server.requests) == 1
    assert (first.cited, again.cited) == (("b",), ("y",))
    assert again.usage.tokens == 0


async def test_a_changed_chart_is_another_question(llm, server) -> None:
    judge = LlmJudge(llm)
    await judge.judge("Denies chest pain.", CHART)
    await judge.judge("Denies chest pain.", [fact("Chest pain.")])
    await judge.judge("Denies chest pain.", CHART, surroundings="Yesterday:")
    assert len(server.requests) == 3

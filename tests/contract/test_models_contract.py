"""The four model ports, the same suite on Triton's gRPC and on the models in this process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import orjson
import pytest
import pytest_asyncio

from agents.adapters.models import Models, in_process, triton
from agents.adapters.models.ports import ModelEmbedder
from agents.adapters.models.transport import Transport
from agents.errors import DeadlineExceeded, ModelError
from agents.ports import ShownFact
from schemas.verdicts import Verdict
from streams.local.triton import TritonServer, start_triton

pytestmark = pytest.mark.asyncio(loop_scope="module")

REPOSITORY = Path(__file__).parents[2] / "triton_models" / "cpu"

LONG = ("The patient was seen on the ward and remains comfortable on room air. " * 150)[:10_000]
ODD = [
    "",
    " ",
    "\n\t \r\n",
    "\x00",
    "Aspirin\x0081 mg",
    "患者は発熱なし。血圧は安定している。",
    "Лихорадки нет.",
    "لا توجد حمى",
    "Feels better 😀👍🏽",
    "cafe\u0301 naı\u0308ve n\u0303",
    "\ud800 lone surrogate",
    "\u202eright to left",
    "----",
    "x" * 10_000,
    LONG,
]


@dataclass
class Host:
    """Models, and a way to reach the same ones with another deadline."""

    models: Models
    transport: Callable[[float], Transport]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TritonServer]:
    with start_triton(REPOSITORY, tmp_path_factory.mktemp("triton")) as running:
        yield running


@pytest_asyncio.fixture(loop_scope="module", scope="module", params=["triton", "in-process"])
async def host(request: pytest.FixtureRequest) -> AsyncIterator[Host]:
    if request.param == "triton":
        url = request.getfixturevalue("server").grpc_url
        models = await triton.connect(url)
        client = models.transport._client
        found = Host(models, lambda timeout: triton.TritonTransport(client, url, timeout))
    else:
        models = await in_process.load(REPOSITORY)
        served = models.transport._served
        found = Host(models, lambda timeout: in_process.InProcessTransport(served, timeout))
    yield found
    await models.close()


@pytest.fixture
def models(host: Host) -> Models:
    return host.models


def fact(text: str, fact_id: str = "f1", **more: object) -> ShownFact:
    said: dict = {
        "section": None,
        "note_time": datetime(2031, 3, 4, 9, 30, tzinfo=UTC),
        "note_type": "Progress note",
        "document_id": "d1",
        "score": 0.8,
    }
    return ShownFact(fact_id=fact_id, text=text, **{**said, **more})


def unheard(name: str) -> list[str]:
    """Long texts that no cache knows: some seconds of work."""
    return [f"{name} {n} {LONG}" for n in range(40)]


# All models


async def test_every_canary_answers_and_every_model_says_what_it_is(models: Models) -> None:
    await models.check()
    versions = [port.version for port in models.ports]
    assert all(versions)
    assert len(set(versions)) == 4


# Embedder


async def test_an_embedding_is_a_unit_vector_and_positive_terms(models: Models) -> None:
    (one,) = await models.embedder.embed(["Takes aspirin 81 mg daily."])
    assert one.dense.shape == (models.embedder.dim,)
    assert one.dense.dtype == np.float32
    assert np.linalg.norm(one.dense) == pytest.approx(1.0, abs=1e-5)
    assert one.sparse
    assert all(0 <= term < 2**31 and weight > 0 for term, weight in one.sparse.items())


async def test_no_texts_have_no_embeddings(models: Models) -> None:
    assert await models.embedder.embed([]) == []


async def test_odd_texts_have_embeddings_in_order(models: Models) -> None:
    together = await models.embedder.embed(ODD)
    assert len(together) == len(ODD)
    for text, found in zip(ODD, together, strict=True):
        (alone,) = await models.embedder.embed([text])
        assert np.isfinite(found.dense).all()
        assert np.allclose(alone.dense, found.dense, atol=1e-5)
        assert alone.sparse == found.sparse
    assert not together[0].sparse
    assert not together[1].sparse


async def test_five_hundred_texts_keep_their_order(models: Models) -> None:
    texts = [f"Potassium {n / 10} mmol/L on day {n % 7}." for n in range(500)]
    found = await models.embedder.embed(texts)
    assert len(found) == 500
    for at in (0, 31, 32, 255, 499):
        (alone,) = await models.embedder.embed([texts[at]])
        assert np.allclose(alone.dense, found[at].dense, atol=1e-5)
        assert alone.sparse == found[at].sparse


async def test_the_company_of_a_text_does_not_change_its_vector(models: Models) -> None:
    texts = ["Afebrile.", LONG[:900], "Denies chest pain.", "BP 118/76, HR 64.", "患者は発熱なし。"]
    forward = await models.embedder.embed(texts)
    backward = (await models.embedder.embed(texts[::-1]))[::-1]
    for one, other in zip(forward, backward, strict=True):
        assert np.allclose(one.dense, other.dense, atol=1e-5)


async def test_callers_at_once_get_their_own_answers(models: Models) -> None:
    texts = [f"Hemoglobin {n}.1 g/dL." for n in range(40)]
    together = await models.embedder.embed(texts)
    apart = await asyncio.gather(*(models.embedder.embed([text]) for text in texts))
    for found, (alone,) in zip(together, apart, strict=True):
        assert np.allclose(alone.dense, found.dense, atol=1e-5)


async def test_a_paraphrase_is_nearer_than_an_unrelated_sentence(models: Models) -> None:
    said, paraphrase, unrelated = await models.embedder.embed(
        [
            "She complained of trouble breathing overnight.",
            "The patient was short of breath during the night.",
            "Left knee replacement was done in 2019.",
        ]
    )
    assert said.dense @ paraphrase.dense > said.dense @ unrelated.dense + 0.1


async def test_sparse_vectors_tell_numbers_and_units_apart(models: Models) -> None:
    said, same, other = await models.embedder.embed(
        ["Furosemide 12.5 mg daily", "on furosemide 12.5mg", "Furosemide 125 mg daily"]
    )

    def overlap(terms: dict[int, float]) -> float:
        return sum(weight * terms.get(term, 0.0) for term, weight in said.sparse.items())

    assert overlap(dict(same.sparse)) > overlap(dict(other.sparse))


# Reranker


async def test_scores_stand_in_order_between_zero_and_one(models: Models) -> None:
    passages = [f"Sodium {n} mmol/L." for n in range(120, 160)]
    scores = await models.reranker.score("Sodium was 140 mmol/L.", passages)
    assert len(scores) == len(passages)
    assert all(0.0 <= score <= 1.0 for score in scores)
    assert passages[int(np.argmax(scores))] == "Sodium 140 mmol/L."


async def test_no_passages_have_no_scores(models: Models) -> None:
    assert await models.reranker.score("Anything.", []) == []


async def test_odd_passages_and_odd_queries_have_scores(models: Models) -> None:
    scores = await models.reranker.score("No fever.", ODD)
    assert len(scores) == len(ODD)
    assert np.isfinite(scores).all()
    for query in ODD:
        (score,) = await models.reranker.score(query, ["No fever."])
        assert 0.0 <= score <= 1.0


async def test_a_pair_has_the_same_score_in_any_company(models: Models) -> None:
    passages = ["Afebrile.", LONG, "Denies chest pain.", "Temp 37.0 C.", "発熱なし。"]
    together = await models.reranker.score("No fever today.", passages)
    for passage, score in zip(passages, together, strict=True):
        (alone,) = await models.reranker.score("No fever today.", [passage])
        assert alone == pytest.approx(score, abs=1e-5)


@pytest.mark.parametrize(
    ("query", "right", "wrong"),
    [
        (
            "The patient takes metoprolol 25 mg twice a day.",
            "Metoprolol tartrate 25 mg PO BID.",
            [
                "Lisinopril 10 mg PO daily.",
                "Metformin 500 mg PO BID.",
                "Patient lives with her sister.",
                "Takes a walk twice a day.",
            ],
        ),
        (
            "An echocardiogram showed reduced left ventricular function.",
            "TTE: LVEF 30%, global hypokinesis of the left ventricle.",
            ["Chest X-ray without infiltrate.", "Left foot ulcer, dry.", "ECG: sinus rhythm."],
        ),
        (
            "She is allergic to penicillin.",
            "Allergies: penicillin (rash).",
            ["Started on ceftriaxone.", "No known sick contacts.", "Rash on both shins."],
        ),
        (
            "Creatinine rose to 2.4.",
            "Cr 2.4 (baseline 1.1).",
            ["Cr 1.1 on admission.", "K 4.2.", "Hgb 12.4 stable."],
        ),
    ],
)
async def test_the_fact_that_answers_a_clinical_query_comes_first(
    models: Models, query: str, right: str, wrong: list[str]
) -> None:
    first, *rest = await models.reranker.score(query, [right, *wrong])
    assert first > max(rest)


# Decomposer


@pytest.mark.parametrize("unit", ["sentence", "claim", "snippet"])
@pytest.mark.parametrize("text", ODD)
async def test_odd_texts_decompose_with_offsets_into_them(
    models: Models, unit: str, text: str
) -> None:
    spans = await models.decomposer.decompose(text, unit)
    assert spans == sorted(spans, key=lambda span: (span.start, span.end))
    assert all(0 <= span.start < span.end <= len(text) for span in spans)
    assert all(text[span.start : span.end].strip() for span in spans)
    if unit == "sentence":
        said = text.replace("\ud800", "?")
        assert all(span.content == said[span.start : span.end] for span in spans)


async def test_sentences_are_found_where_they_stand(models: Models) -> None:
    text = "HOSPITAL COURSE:\nShe was febrile 😀 on day 1. She was given ceftriaxone.\n"
    spans = await models.decomposer.decompose(text, "sentence")
    found = [text[span.start : span.end] for span in spans]
    assert any("febrile" in sentence and "ceftriaxone" not in sentence for sentence in found)
    assert any(sentence.startswith("She was given ceftriaxone") for sentence in found)


async def test_a_text_decomposes_the_same_each_time(models: Models) -> None:
    once = await models.decomposer.decompose(LONG, "claim")
    again = await asyncio.gather(*(models.decomposer.decompose(LONG, "claim") for _ in range(4)))
    assert once
    assert all(spans == once for spans in again)


@pytest.mark.parametrize("mode", ["direct", "group"])
@pytest.mark.parametrize("unit", ["sentence", "claim", "snippet"])
@pytest.mark.parametrize("text", ODD)
async def test_odd_texts_decompose_into_units_and_flags_with_offsets(
    models: Models, unit: str, mode: str, text: str
) -> None:
    found = await models.decomposer.propositions(text, unit, mode)
    said = text.replace("\ud800", "?")
    assert all(flagged.text == said[flagged.start : flagged.end] for flagged in found.flagged)
    for each in found.units:
        assert 0 <= each.start < each.end <= len(text)
        assert all(0 <= source.start < source.end <= len(text) for source in each.sources)
    if any(letter.isalpha() for letter in text):
        assert found.units or found.flagged


async def test_a_text_decomposes_into_what_is_judged_together_and_what_is_not(
    models: Models,
) -> None:
    text = "Creatinine rose to 2.4. This was due to contrast. Is she well? No fever."
    found = await models.decomposer.propositions(text, "snippet")
    assert [each.content for each in found.units] == [
        "Creatinine rose to 2.4. This was due to contrast.",
        "No fever.",
    ]
    assert [len(each.sources) for each in found.units] == [2, 1]
    assert [flagged.flag for flagged in found.flagged] == ["interrogative"]


# Judge


async def test_a_statement_that_a_fact_repeats_is_supported_by_it(models: Models) -> None:
    facts = [fact("Lives with her sister.", "f1"), fact("Takes aspirin 81 mg daily.", "f2")]
    found = await models.judge.judge("The patient takes aspirin 81 mg daily.", facts)
    assert found.verdict == Verdict.SUPPORTED
    assert found.cited == ("f2",)
    assert found.reason
    assert 0.0 <= found.confidence <= 1.0


async def test_a_chart_without_facts_does_not_address_anything(models: Models) -> None:
    found = await models.judge.judge("The patient takes aspirin 81 mg daily.", [])
    assert found.verdict == Verdict.NOT_ADDRESSED
    assert found.cited == ()


async def test_a_judge_that_is_not_sure_enough_abstains(models: Models) -> None:
    facts = [fact("Takes aspirin 81 mg daily.")]
    found = await models.judge.judge("Takes aspirin 81 mg daily.", facts, abstain_below=1.0)
    assert found.verdict == Verdict.ABSTAINED or found.confidence >= 1.0


@pytest.mark.parametrize("text", ODD)
async def test_odd_propositions_and_odd_facts_are_judged(models: Models, text: str) -> None:
    for said, shown in ((text, "No fever."), ("No fever.", text), (text, text)):
        found = await models.judge.judge(said, [fact(shown, "ünï-😀")], section=text[:50])
        assert found.verdict in Verdict
        assert set(found.cited) <= {"ünï-😀"}


async def test_many_judgements_at_once_equal_those_one_by_one(models: Models) -> None:
    facts = [fact(f"Potassium {n / 10} mmol/L.", f"f{n}") for n in range(30, 60)]
    said = [f"Potassium was {n / 10} mmol/L." for n in range(28, 62)]
    together = await asyncio.gather(*(models.judge.judge(one, facts) for one in said))
    assert [await models.judge.judge(one, facts) for one in said] == together


async def test_one_row_that_the_judge_refuses_leaves_its_neighbours_alone(models: Models) -> None:
    context = '{"section":null,"as_of":null,"facts":[]}'
    columns = {
        "PROPOSITION": ["No fever."] * 3,
        "CONTEXT": [context, "not json", context],
        "OPTIONS": ['{"abstain_below":0.0}'] * 3,
    }
    tensors = await models.transport.infer("judge", columns, ["VERDICT"])
    first, refused, last = (orjson.loads(said) for said in tensors["VERDICT"].reshape(-1))
    assert first["verdict"] == last["verdict"] == "not_addressed"
    assert "verdict" not in refused
    assert refused["error"]


# Deadlines and cancellation


async def test_a_call_past_its_deadline_says_so_and_the_next_one_works(host: Host) -> None:
    hurried = ModelEmbedder(host.transport(0.001))
    with pytest.raises(DeadlineExceeded, match="embedder did not answer within 0"):
        await hurried.embed(unheard("hurried"))
    assert len(await host.models.embedder.embed(["No fever."])) == 1


async def test_a_cancelled_call_ends_and_the_next_one_works(models: Models) -> None:
    call = asyncio.create_task(models.embedder.embed(unheard("cancelled")))
    await asyncio.sleep(0.05)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert len(await models.embedder.embed(["No fever."])) == 1


async def test_an_output_that_the_model_has_not_is_a_model_error(models: Models) -> None:
    with pytest.raises(ModelError, match="embedder"):
        await models.transport.infer("embedder", {"TEXT": ["No fever."]}, ["COLOUR"])

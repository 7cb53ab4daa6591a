"""What the judge is shown: modes, the reranker's order, room, repeats, sections, scope."""

from dataclasses import replace
from datetime import timedelta

import pytest
from pydantic import ValidationError

from agents.verification.evidence_groups import EvidenceGroup
from agents.verification.retrieval import MOST_HITS, with_section_coverage
from schemas.notes import AuthorCategory
from schemas.texts import VerificationSettings
from tests.unit.verify.bench import NOW, Bench, fact


async def shown(bench: Bench, text: str = "cough", **settings: object) -> list[str]:
    await bench.verify(text, settings=VerificationSettings(max_rounds=1, **settings))
    return [each.text for each in bench.judge.last]


async def test_sparse_search_finds_by_words_dense_all_and_hybrid_both() -> None:
    async def found(mode: str) -> list[str]:
        bench = Bench()
        await bench.add(fact("a", "Fever today"), fact("b", "Dry cough"))
        return await shown(bench, retrieval=mode, rerank=False)

    assert await found("sparse") == ["Dry cough"]
    assert await found("dense") == ["Fever today", "Dry cough"]
    assert await found("hybrid") == ["Dry cough", "Fever today"]


async def test_the_reranker_keeps_the_facts_that_the_search_has_last() -> None:
    bench = Bench()
    worse = [fact(f"a{n:03}", f"word {n}", document_id=f"d{n}") for n in range(100, 155)]
    best = [fact(f"z{n}", f"the longest sentence of all, {n}", document_id=f"e{n}") for n in "ab"]
    await bench.add(*worse, *best)
    found = await shown(bench, retrieval="dense", top_n=2)
    assert found == [each.fact.text for each in best]
    bench.emitted.clear()
    assert await shown(bench, retrieval="dense", top_n=2, rerank=False) == ["word 100", "word 101"]


@pytest.mark.parametrize(("top_n", "candidates"), [(5, 60), (12, 60), (40, 200), (150, 750)])
def test_candidates_grow_with_what_is_shown(top_n: int, candidates: int) -> None:
    assert VerificationSettings(top_n=top_n).candidates == candidates
    assert VerificationSettings(top_n=top_n, candidates=151).candidates == 151


def test_more_than_150_facts_cannot_be_asked_for() -> None:
    with pytest.raises(ValidationError):
        VerificationSettings(top_n=151)


@pytest.mark.parametrize("top_n", [5, 150])
async def test_as_many_as_asked_for_are_shown(top_n: int) -> None:
    bench = Bench()
    await bench.add(*[fact(f"f{n}", f"fact number {n}", document_id=f"d{n}") for n in range(300)])
    assert len(await shown(bench, top_n=top_n, token_budget=100_000)) == top_n


async def test_repeats_leave_room_and_the_evidence_names_every_note() -> None:
    bench = Bench()
    copies = [
        fact(f"a{n:03}", "Dry cough since the common cold last week.", document_id=f"d{n}", start=n,
             note_time=NOW - timedelta(hours=n + 1))
        for n in range(200)
    ]  # fmt: skip
    await bench.add(*copies, fact("z", "No cough", document_id="other"))
    sheet = await bench.verify("cough", settings=VerificationSettings(top_n=5, candidates=5))
    assert [each.text for each in bench.judge.last] == [copies[0].fact.text, "No cough"]
    assert bench.judge.last[0].notes == 200
    (cited,) = sheet.judged[0].evidence
    assert [source.document_id for source in cited.sources] == [f"d{n}" for n in range(200)]
    assert cited.sources[7].start == 7
    assert cited.sources[7].note_time == NOW - timedelta(hours=8)


async def test_each_relevant_section_has_a_fact_when_asked_for() -> None:
    bench = Bench()
    await bench.add(
        *[fact(f"p{n}", f"A plan of this length {n}", section="Plan") for n in range(5)],
        fact("m", "A drug of some length", section="Medications"),
        fact("x", "Short", section="Social History"),
    )
    without = await shown(bench, top_n=3)
    bench.emitted.clear()
    with_each = await shown(bench, top_n=3, ensure_section_coverage=True)
    assert "A drug of some length" not in without
    assert "A drug of some length" in with_each
    assert "Short" not in with_each  # not relevant: under half the best score
    assert len(with_each) == 3


async def test_a_chart_of_nothing_but_repeats_is_searched_once_to_the_end() -> None:
    bench = Bench()
    await bench.add(*[fact(f"f{n}", "Dry cough", document_id="d") for n in range(MOST_HITS + 1)])
    assert await shown(bench) == ["Dry cough"]
    assert bench.judge.last[0].notes == 1


def ranked(*sections: str) -> list[EvidenceGroup]:
    """Pieces of these sections, the most relevant first."""
    return [
        EvidenceGroup((fact(f"f{n}", f"fact {n}", section=section).fact,), 1 - n / 100)
        for n, section in enumerate(sections)
    ]


@pytest.mark.parametrize(
    ("sections", "top_n", "kept"),
    [
        # The least relevant gives way that is not its section's first, and order is kept.
        ("AAABC", 3, [0, 3, 4]),
        ("ABAC", 3, [0, 1, 3]),
        ("AAAB", 3, [0, 1, 3]),
        ("ABC", 3, [0, 1, 2]),
        ("AAA", 2, [0, 1]),
        # Never more than asked for: the sections of the most relevant pieces.
        ("ABCD", 2, [0, 1]),
    ],
)
def test_a_section_takes_the_place_of_the_least_relevant(
    sections: str, top_n: int, kept: list[int]
) -> None:
    pieces = ranked(*sections)
    assert with_section_coverage(pieces, top_n) == [pieces[rank] for rank in kept]


def test_relevance_of_a_section_is_measured_by_the_best_wherever_it_stands() -> None:
    first, best, other = (
        replace(piece, score=score)
        for piece, score in zip(ranked(*"AAB"), (0.2, 1.0, 0.3), strict=True)
    )
    assert with_section_coverage([first, best, other], 2) == [first, best]
    assert with_section_coverage([], 2) == []


async def test_the_whole_record_is_the_scope_also_of_a_text_of_an_encounter() -> None:
    bench = Bench()
    await bench.add(
        fact("before", "cough before", encounter_id="e0"), fact("now", "cough", encounter_id="e1")
    )
    await bench.verify("cough", encounter_id="e1")
    assert {each.text for each in bench.judge.last} == {"cough before", "cough"}


async def test_ai_authored_documents_only_when_asked_for_and_the_texts_own_never() -> None:
    bench = Bench()
    await bench.add(
        fact("person", "cough noted"),
        fact("ai", "cough by ai", document_id="d2", author_category=AuthorCategory.AI),
        fact("own", "cough of own", document_id="own", author_category=AuthorCategory.AI),
    )
    for include, expected in ((False, {"cough noted"}), (True, {"cough noted", "cough by ai"})):
        settings = VerificationSettings(include_ai_authored=include)
        await bench.verify("cough", document_id="own", settings=settings)
        bench.emitted.clear()
        assert {each.text for each in bench.judge.last} == expected


async def test_the_current_admission_and_the_time_limit_what_is_shown() -> None:
    bench = Bench()
    await bench.add(
        fact("before", "cough before", encounter_id="e0"),
        fact("now", "cough now", encounter_id="e1"),
        fact("later", "cough later", encounter_id="e1", note_time=NOW + timedelta(hours=1)),
    )
    await bench.verify("cough", encounter_id="e1", settings=VerificationSettings(scope="encounter"))
    assert {each.text for each in bench.judge.last} == {"cough now"}
    bench.emitted.clear()
    await bench.verify("cough", as_of=NOW - timedelta(hours=25))
    assert bench.emitted[0].judged.reason.startswith("No fact of this chart may be evidence")

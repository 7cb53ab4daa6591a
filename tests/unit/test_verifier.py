"""The verifier's promises about failures, which only fakes can cause on demand."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from agents.errors import DeadlineExceeded, DependencyUnavailable, ModelError
from agents.index.memory import MemoryIndex
from agents.ports import DocumentRecord, EmbeddedFact, Embedding, Judgement, ShownFact, Span
from agents.verify.verifier import Verifier
from schemas.events import Event, Position
from schemas.notes import AuthorCategory, DocumentVersion, Fact
from schemas.outcomes import Outcome, OutcomeRecorded
from schemas.texts import TextGenerated, VerificationSettings
from schemas.verdicts import ScoreSheetIssued, Verdict, VerdictIssued

NOW = datetime(2031, 5, 4, 12, tzinfo=UTC)
POSITION = Position(topic="chart", partition=0, offset=7)


class FixedClock:
    def now(self) -> datetime:
        return NOW


class FakeModel:
    version = "fake 1"

    def __init__(self) -> None:
        self.healthy = True

    async def check(self) -> None:
        if not self.healthy:
            raise DependencyUnavailable("triton", "the judge is gone")


class FakeEmbedder(FakeModel):
    dim = 4

    async def embed(self, texts: Sequence[str]) -> list[Embedding]:
        return [Embedding(np.array([1, 0, 0, 0], np.float32), {1: 1.0}) for _ in texts]


class LengthReranker(FakeModel):
    """Longer passages are better: the index's own order must not matter."""

    async def score(self, query: str, passages: Sequence[str]) -> list[float]:
        return [float(len(passage)) for passage in passages]


class LineDecomposer(FakeModel):
    async def decompose(self, text: str, unit: str) -> list[Span]:
        spans, start = [], 0
        for line in text.splitlines(keepends=True):
            if line.strip():
                spans.append(Span(line.strip(), start, start + len(line.strip())))
            start += len(line)
        return spans


class ScriptedJudge(FakeModel):
    """Does what the proposition says: `ok`, `model-error`, `deadline`, `away`."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: dict[str, list[ShownFact]] = {}
        self.calls = 0

    async def judge(self, proposition: str, facts, **_: object) -> Judgement:
        self.calls += 1
        self.seen[proposition] = list(facts)
        match proposition:
            case "model-error":
                raise ModelError("judge", "not JSON")
            case "deadline":
                raise DeadlineExceeded("triton", "too slow")
            case "away":
                raise DependencyUnavailable("triton", "gone")
        return Judgement(Verdict.SUPPORTED, 0.9, "because", cited=(facts[0].fact_id,))


def fact(fact_id: str, text: str = "a fact", **changes: object) -> EmbeddedFact:
    made = Fact(
        fact_id=fact_id,
        patient_id="p1",
        document_id=changes.pop("document_id", "d1"),
        text=text,
        start=0,
        end=len(text),
        ordinal=0,
        note_time=changes.pop("note_time", NOW - timedelta(days=1)),
        **changes,
    )
    return EmbeddedFact(made, Embedding(np.array([1, 0, 0, 0], np.float32), {1: 1.0}))


class Bench:
    def __init__(self) -> None:
        self.index = MemoryIndex()
        self.judge = ScriptedJudge()
        self.emitted: list[Event] = []
        self.verifier = Verifier(
            index=self.index,
            embedder=FakeEmbedder(),
            reranker=LengthReranker(),
            decomposer=LineDecomposer(),
            judge=self.judge,
            clock=FixedClock(),
        )

    async def add(self, *facts: EmbeddedFact) -> None:
        for each in facts:
            record = DocumentRecord(
                patient_id="p1",
                document_id=each.fact.document_id,
                version=DocumentVersion(content_hash="h"),
                status="current",
                fact_ids=(each.fact.fact_id,),
                note_time=NOW,
                updated_at=NOW,
            )
            await self.index.write(record, [each], [])

    async def verify(self, text: str, **fields: object) -> ScoreSheetIssued:
        event = TextGenerated(
            occurred_at=NOW, text_id="t1", patient_id="p1", text=text, source=POSITION, **fields
        )

        async def emit(each: Event) -> None:
            self.emitted.append(each)

        await self.verifier.verify(event, POSITION, emit)
        [sheet] = [each for each in self.emitted if isinstance(each, ScoreSheetIssued)]
        return sheet


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


async def test_an_empty_text_gets_an_empty_score_sheet() -> None:
    sheet = await Bench().verify(" \n ")
    assert sheet.judged == ()
    assert sum(sheet.counts.values()) == 0


async def test_the_reranker_decides_what_the_judge_is_shown() -> None:
    bench = Bench()
    await bench.add(*[fact(f"f{n}", text="x" * n, document_id=f"d{n}") for n in range(1, 30)])
    await bench.verify("one", settings=VerificationSettings(top_n=2, candidates=40))
    assert [len(each.text) for each in bench.judge.seen["one"]] == [29, 28]


async def test_later_facts_own_document_and_ai_notes_are_not_shown() -> None:
    bench = Bench()
    await bench.add(
        fact("good", document_id="d1"),
        fact("later", document_id="d2", note_time=NOW + timedelta(minutes=1)),
        fact("own", document_id="d3"),
        fact("ai", document_id="d4", author_category=AuthorCategory.AI),
    )
    await bench.verify("one", document_id="d3")
    assert [each.fact_id for each in bench.judge.seen["one"]] == ["good"]


async def test_later_facts_are_shown_when_asked_for_and_scope_limits_to_the_encounter() -> None:
    bench = Bench()
    await bench.add(
        fact("now", document_id="d1", encounter_id="e1"),
        fact("later", document_id="d2", encounter_id="e1", note_time=NOW + timedelta(days=1)),
        fact("elsewhere", document_id="d3", encounter_id="e2"),
    )
    settings = VerificationSettings(scope="encounter", include_later=True)
    await bench.verify("one", encounter_id="e1", settings=settings)
    assert {each.fact_id for each in bench.judge.seen["one"]} == {"now", "later"}

"""A verifier over the real in-memory index and models that do as they are told."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from zlib import crc32

import numpy as np

from agents.adapters.index.memory import MemoryIndex
from agents.chart_records import DocumentRecord, DocumentStatus, WritePosition
from agents.errors import DeadlineExceeded, DependencyUnavailable, ModelError
from agents.ports import (
    Decomposed,
    EmbeddedFact,
    Embedding,
    Judgement,
    ShownFact,
    Span,
)
from agents.verification.verifier import Verifier
from schemas.events import Event, Position
from schemas.notes import DocumentVersion, Fact
from schemas.propositions import FlaggedSpan
from schemas.texts import TextGenerated
from schemas.verdicts import ScoreSheetIssued, Verdict

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


class WordEmbedder(FakeModel):
    """Words are terms; the dense vector is the same for all, so dense search finds everything."""

    dim = 4

    async def embed(self, texts: Sequence[str]) -> list[Embedding]:
        return [embedding(text) for text in texts]


def embedding(text: str) -> Embedding:
    words = re.findall(r"\w+", text.lower())
    terms = {crc32(word.encode()) % 1_000_003: 1.0 for word in words}
    return Embedding(np.array([1, 0, 0, 0], np.float32), terms)


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

    async def propositions(self, text: str, unit: str, mode: str = "direct") -> Decomposed:
        """A line with "?" is flagged."""
        spans = await self.decompose(text, unit)
        return Decomposed(
            tuple(span for span in spans if "?" not in span.content),
            tuple(
                FlaggedSpan(start=span.start, end=span.end, text=span.content, flag="interrogative")
                for span in spans
                if "?" in span.content
            ),
        )


class ScriptedJudge(FakeModel):
    """Does what the proposition says: `model-error`, `deadline`, `away`; else what `answers` say.

    `answers` are given one a call; the last one stands. Without any: supported by the first fact.
    """

    def __init__(self) -> None:
        super().__init__()
        self.answers: list[Judgement] = []
        self.shown: list[list[ShownFact]] = []
        self.options: list[dict] = []
        self.calls = 0

    @property
    def last(self) -> list[ShownFact]:
        """The facts of the last call."""
        return self.shown[-1]

    async def judge(self, proposition: str, facts, **options: object) -> Judgement:
        self.calls += 1
        self.shown.append(list(facts))
        self.options.append(options)
        match proposition:
            case "model-error":
                raise ModelError("judge", "not JSON")
            case "deadline":
                raise DeadlineExceeded("triton", "too slow")
            case "away":
                raise DependencyUnavailable("triton", "gone")
        if self.answers:
            return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        return Judgement(Verdict.SUPPORTED, 0.9, "because", cited=(facts[0].fact_id,))


class WordJudge(ScriptedJudge):
    """Supported when every word is in the facts, silent when none is, else contradicted."""

    async def judge(self, proposition: str, facts, **options: object) -> Judgement:
        await super().judge(proposition, facts, **options)
        words = set(re.findall(r"\w+", proposition.lower()))
        by_fact = {f.fact_id: words & set(re.findall(r"\w+", f.text.lower())) for f in facts}
        cited = tuple(fact_id for fact_id, shared in by_fact.items() if shared)
        if words and words == set().union(*by_fact.values()):
            return Judgement(Verdict.SUPPORTED, 0.9, "all of it", cited=cited)
        label = Verdict.NOT_SUPPORTED if cited else Verdict.NOT_ADDRESSED
        return Judgement(label, 0.9, "part of it" if cited else "nothing", cited=cited)


def fact(fact_id: str, text: str | None = None, **changes: object) -> EmbeddedFact:
    text = text or f"a fact, {fact_id}"
    start = changes.pop("start", 0)
    made = Fact(
        fact_id=fact_id,
        patient_id="p1",
        document_id=changes.pop("document_id", "d1"),
        text=text,
        start=start,
        end=start + len(text),
        ordinal=changes.pop("ordinal", 0),
        note_time=changes.pop("note_time", NOW - timedelta(days=1)),
        **changes,
    )
    return EmbeddedFact(made, embedding(text))


class Bench:
    def __init__(self) -> None:
        self.index = MemoryIndex()
        self.judge = ScriptedJudge()
        self.documents: dict[str, dict[str, EmbeddedFact]] = {}
        self.written = 0
        self.emitted: list[Event] = []
        self.verifier = Verifier(
            index=self.index,
            embedder=WordEmbedder(),
            reranker=LengthReranker(),
            decomposer=LineDecomposer(),
            judge=self.judge,
            clock=FixedClock(),
        )

    async def add(self, *facts: EmbeddedFact) -> None:
        for each in facts:
            self.documents.setdefault(each.fact.document_id, {})[each.fact.fact_id] = each
        for document_id in dict.fromkeys(each.fact.document_id for each in facts):
            all_facts = self.documents[document_id]
            record = DocumentRecord(
                patient_id="p1",
                document_id=document_id,
                version=DocumentVersion(content_hash="h"),
                status=DocumentStatus.CURRENT,
                fact_ids=tuple(all_facts),
                note_time=NOW,
                updated_at=NOW,
            )
            self.written += 1
            await self.index.write(record, list(all_facts.values()), WritePosition(0, self.written))

    async def verify(self, text: str, **fields: object) -> ScoreSheetIssued:
        event = TextGenerated(
            occurred_at=NOW, text_id="t1", patient_id="p1", text=text, source=POSITION, **fields
        )

        async def emit(each: Event) -> None:
            self.emitted.append(each)

        await self.verifier.verify(event, POSITION, emit)
        [sheet] = [each for each in self.emitted if isinstance(each, ScoreSheetIssued)]
        return sheet

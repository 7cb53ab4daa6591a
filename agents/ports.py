"""The ports: what agents need from the world, as Protocols.

One contract suite per port runs against every implementation (`tests/contract`).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from agents.chart_records import (
    DocumentHead,
    DocumentRecord,
    PatientLinks,
    WritePosition,
)
from schemas.events import Event, Position
from schemas.notes import Fact
from schemas.propositions import Flag, FlaggedSpan, Pattern, SharedContext, SourceSpan
from schemas.texts import Decomposition, Retrieval, Unit
from schemas.usage import NO_USAGE, Usage
from schemas.verdicts import Verdict

Emit = Callable[[Event], Awaitable[None]]
"""Publish an event and return when the broker has acknowledged it."""


@dataclass(frozen=True)
class Record:
    """A Kafka record as it was read. Nothing is decoded yet."""

    topic: str
    partition: int
    offset: int
    key: bytes | None
    value: bytes | None
    headers: Mapping[str, bytes] = field(default_factory=dict)
    timestamp: float = 0.0
    """Broker time, seconds since the epoch."""

    @property
    def position(self) -> Position:
        return Position(topic=self.topic, partition=self.partition, offset=self.offset)

    @property
    def time_ms(self) -> int:
        return round(self.timestamp * 1000)


class Clock(Protocol):
    def now(self) -> datetime:
        """The present, with zone UTC."""
        ...


@dataclass(frozen=True)
class Embedding:
    """`dense`: float32 of shape (dim,), L2-normalised. `sparse`: term id -> weight > 0."""

    dense: NDArray[np.float32]
    sparse: Mapping[int, float]


class Model(Protocol):
    """What the four model ports share."""

    @property
    def version(self) -> str:
        """Name and version of what answers, as verdicts echo it."""
        ...

    async def check(self) -> None:
        """One canary inference. Raises `DependencyUnavailable` when the answer is not right."""
        ...


class Embedder(Model, Protocol):
    @property
    def dim(self) -> int: ...

    async def embed(self, texts: Sequence[str]) -> list[Embedding]:
        """One embedding a text, in order; an empty text has one too."""
        ...


class Reranker(Model, Protocol):
    async def score(self, query: str, passages: Sequence[str]) -> list[float]:
        """Relevance of each passage to the query, in order; higher is better, about 0 to 1."""
        ...


@dataclass(frozen=True)
class Span:
    """A piece of a text: `text[start:end]` are its words, `content` is what it says."""

    content: str
    start: int
    end: int
    section: str | None = None
    sources: tuple[SourceSpan, ...] = ()
    pattern: Pattern | None = None
    context: SharedContext | None = None
    flag: Flag | None = None
    """Why it is no unit of a text to verify."""
    words: tuple[SourceSpan, ...] = ()
    """Of a note's claim: all stretches of the note that it is made of, in order, where it repeats
    words from elsewhere; `start` and `end` among them."""


@dataclass(frozen=True)
class Decomposed:
    """A text to verify: what is judged, and what is only reported. Both by `start`."""

    units: tuple[Span, ...]
    flagged: tuple[FlaggedSpan, ...] = ()
    usage: Usage = NO_USAGE
    """What language models have spent on it."""

    @classmethod
    def of(cls, spans: Sequence[Span]) -> Decomposed:
        return cls(
            units=tuple(span for span in spans if span.flag is None),
            flagged=tuple(
                FlaggedSpan(
                    start=span.start,
                    end=span.end,
                    text=span.content,
                    flag=span.flag,
                    section=span.section,
                )
                for span in spans
                if span.flag is not None
            ),
        )


class Decomposer(Model, Protocol):
    async def decompose(self, text: str, unit: Unit) -> list[Span]:
        """Split a note into units by `start`. For `sentence`, content == text[start:end].

        A claim that says more than text[start:end] has all its `words`, where the model says them.
        """
        ...

    async def propositions(
        self, text: str, unit: Unit, mode: Decomposition = "direct"
    ) -> Decomposed:
        """Split a text to verify: every sentence is a source of a unit, or it is flagged.

        A unit knows its sources, pattern and shared context, where the model says them. A snippet
        of several sentences is the text's own words: content == text[start:end].
        """
        ...


@dataclass(frozen=True)
class Fetched:
    """What a FHIR server holds at a reference.

    `content` is what a Binary wraps, already unwrapped, and the resource's bytes otherwise.
    `content_type` is the server's, with its parameters: a hint. `url_base` is the FHIR base that
    relative references inside `content` are relative to.
    """

    content: bytes
    content_type: str | None
    url_base: str


class NoteSource(Protocol):
    """Where notes are that an event names without holding them."""

    async def fetch(self, reference: str) -> Fetched:
        """What `reference` names: an absolute URL, or relative ("DocumentReference/1/_history/2").

        Raises `TransientError` while the server is away or busy, and `PermanentError` with a reason
        of `agents.adapters.fhir.errors.AttachmentReason` when a repeat would end the same.
        """
        ...

    async def close(self) -> None: ...


@dataclass(frozen=True)
class ShownFact:
    """A fact as a judge sees it. None: the judge is not told.

    `note_time` is when it was last said and `first_time` when first, where notes repeat it.
    `age` is how long before the text's time that is; negative where it is later.
    """

    fact_id: str
    text: str
    section: str | None
    note_time: datetime | None
    note_type: str | None
    document_id: str
    score: float | None
    author_category: str | None = None
    age: timedelta | None = None
    first_time: datetime | None = None
    notes: int = 1
    """How many notes say it."""


@dataclass(frozen=True)
class Judgement:
    verdict: Verdict
    confidence: float
    reason: str
    cited: tuple[str, ...] = ()
    checks: tuple[str, ...] = ()
    true_in_general: bool | None = None
    """Whether it holds in general, this patient aside; None: the judge does not say."""
    unsupported_spans: tuple[tuple[int, int], ...] = ()
    """Parts of the proposition that the facts do not support, as character offsets into it."""
    probability_supported: float | None = None
    """Of `supported`, whatever the verdict; None: the judge does not say."""
    unsupported: str | None = None
    """The part that the facts do not bear out, in the proposition's words."""
    next_query: str | None = None
    """What the judge would have the chart searched for next, in its own words."""
    judged_by: str | None = None
    """Version of what decided, where it is not the judge that was asked."""
    usage: Usage = NO_USAGE
    """What language models have spent on it."""


class Judge(Model, Protocol):
    async def judge(  # noqa: PLR0913 - what a judge may be told, all with defaults
        self,
        proposition: str,
        facts: Sequence[ShownFact],
        *,
        section: str | None = None,
        as_of: datetime | None = None,
        abstain_below: float = 0.0,
        surroundings: str | None = None,
    ) -> Judgement:
        """Judge one proposition by the facts shown. `cited` holds only ids of `facts`.

        `surroundings` is the text around the proposition, to read it by; it is not evidence.

        Raises `ModelError` when the model breaks its contract, `TransientError` when it is away.
        """
        ...


@dataclass(frozen=True)
class EmbeddedFact:
    fact: Fact
    embedding: Embedding


@dataclass(frozen=True)
class FactQuery:
    """A search in one patient's facts. Cannot be built without a patient."""

    patient_id: str
    embedding: Embedding
    mode: Retrieval = "hybrid"
    limit: int = 60
    as_of: datetime | None = None
    """Only facts with note_time <= as_of."""
    encounter_id: str | None = None
    exclude_documents: frozenset[str] = frozenset()
    include_ai_authored: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.patient_id, str) or not self.patient_id.strip():
            raise ValueError("a fact query needs a patient id")
        if self.limit < 1:
            raise ValueError("a fact query needs a limit of at least 1")


@dataclass(frozen=True)
class ScoredFact:
    fact: Fact
    score: float


class FactIndex(Protocol):
    """The facts of all patients, one patient at a time.

    Each write says at which position of the `chart` topic it is made (`at`). Of two writes of one
    document, or of one patient's links, that at the later position counts, in whatever order they
    arrive; the other is as if it had not been.
    """

    async def document(self, patient_id: str, document_id: str) -> DocumentRecord | None: ...

    async def documents(
        self, patient_id: str, names: Collection[str] | None = None
    ) -> list[DocumentHead]:
        """The documents of a patient, whatever their status, by id; with `names`, those that have
        one of them (`DocumentHead.names`)."""
        ...

    async def find_documents(self, document_id: str) -> list[str]:
        """The patients that have a document of this id, sorted. Slow: it looks everywhere."""
        ...

    async def facts(self, document: DocumentRecord) -> list[EmbeddedFact]:
        """The facts of a record that the index gave, with vectors, in the order of `fact_ids`.

        Those of a suppressed document too. What is not there is left out."""
        ...

    async def is_complete(self, document: DocumentRecord) -> bool:
        """Whether all facts of a record that the index gave are stored."""
        ...

    async def write(
        self, document: DocumentRecord, facts: Sequence[EmbeddedFact] | None, at: WritePosition
    ) -> None:
        """Write a document with all its facts; with None its facts stay as they are stored.

        Readers see the document as it was or as it is now, nothing between. Afterwards all that
        was written of it at earlier positions is gone. Safe to repeat. Read-your-writes."""
        ...

    async def delete(self, patient_id: str, document_id: str, at: WritePosition) -> None:
        """The patient has no such document any more. Safe to repeat."""
        ...

    async def patient_links(self, patient_id: str) -> PatientLinks | None: ...

    async def write_patient_links(self, links: PatientLinks, at: WritePosition) -> None: ...

    async def search(self, query: FactQuery) -> list[ScoredFact]:
        """At most `limit` facts of the query's patient, best first, ties by fact id.

        Only of documents that are `current`."""
        ...

    async def count(self, patient_id: str) -> int:
        """How many facts this patient's current documents have."""
        ...

    async def check(self) -> None:
        """Raises `DependencyUnavailable` when the index does not answer."""
        ...

    async def close(self) -> None: ...


@dataclass(frozen=True)
class Message:
    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True)
class Token:
    """A token of an answer with its log-probability, and the likeliest at its place, it included.

    Tokens are bytes: one may hold a part of a character.
    """

    token: bytes
    logprob: float
    likeliest: tuple[tuple[bytes, float], ...] = ()


@dataclass(frozen=True)
class Completion:
    """`length`: cut off at `max_tokens`; `refused`: the server would not answer."""

    text: str
    finish: Literal["stop", "length", "refused"]
    tokens: tuple[Token, ...] = ()
    """Empty where the server gives no log-probabilities."""
    usage: Usage = NO_USAGE


class LanguageModel(Model, Protocol):
    @property
    def context_tokens(self) -> int:
        """How many tokens prompt and answer may have together."""
        ...

    async def complete(  # noqa: PLR0913 - what sampling takes, all with defaults
        self,
        messages: Sequence[Message],
        *,
        schema: Mapping[str, Any] | None = None,
        max_tokens: int = 512,
        temperature: float = 0.0,
        seed: int = 0,
        logprobs: bool = False,
    ) -> Completion:
        """One answer; with a JSON Schema, `text` is a document of it, unless it was cut off.

        Raises `ModelError` when the server refuses the request itself (a prompt that is too long),
        `TransientError` when it is away, too busy or too slow. Cancelled with its caller.
        """
        ...


@runtime_checkable
class PerText(Protocol):
    """A judge that keeps something for one text: what it may still spend, what can go together."""

    def for_text(self) -> Judge: ...


def judge_of_text(judge: Judge) -> Judge:
    """The judge for the propositions of one text."""
    return judge.for_text() if isinstance(judge, PerText) else judge

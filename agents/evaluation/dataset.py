"""What every reader gives: charts, and items to verify against them, with what people say of them.

An item is a text: a whole generated one with a labelled span for each of its sentences, or a single
claim, which is one span. Everything after reading knows only these.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Literal

from agents.evaluation.measures.outcomes import Label, Outcome

NOT_VERIFIABLE: Literal["not_verifiable"] = "not_verifiable"
SpanLabel = Label | Literal["not_verifiable"]
Role = Literal["claim", "text", "of_reference", "against_reference"]
"""`of_reference`: a reference text against a generated one as its chart, whose shares of support
are claim recall; `against_reference`: the other way round, claim precision."""

NO_TIME = datetime(2030, 1, 1, tzinfo=UTC)
"""Of notes and items whose data have no times."""


@dataclass(frozen=True)
class NoteRelation:
    code: Literal["replaces", "appends"]
    target: str


@dataclass(frozen=True)
class ChartNote:
    note_id: str
    text: str
    time: datetime = NO_TIME
    note_type: str | None = None
    author: str | None = None
    ai: bool = False
    status: str = "current"
    doc_status: str = "final"
    relations: tuple[NoteRelation, ...] = ()
    encounter: str | None = None
    resource: bytes | None = None
    """The DocumentReference itself, where the data have one: then nothing else is read."""


@dataclass(frozen=True)
class EvaluationChart:
    """`notes` in the order in which they arrive."""

    chart_id: str
    group: str
    """Patient or source that it is of: what is resampled for intervals."""
    notes: tuple[ChartNote, ...]


@dataclass(frozen=True)
class LabelledSpan:
    """`text[start:end]` of its item. `label` None: people are even, or nobody has said."""

    span_id: str
    start: int
    end: int
    label: SpanLabel | None
    kind: str | None = None
    evidence: tuple[str, ...] = ()
    """Ids of the notes that decide."""
    raters: tuple[str | None, ...] = ()


@dataclass(frozen=True)
class Item:
    item_id: str
    chart_id: str
    role: Role
    text: str
    spans: tuple[LabelledSpan, ...] = ()
    as_of: datetime | None = None
    text_type: str | None = None
    encounter: str | None = None
    example: str | None = None
    """What items of several roles are about."""
    human: Mapping[str, float] = field(default_factory=dict)
    """People's scores of the whole text, by name."""


@dataclass(frozen=True)
class KeptAnswer:
    """What another system has answered to a labelled span, kept with the data."""

    outcome: Outcome
    confidence: float
    score: float | None
    """How likely the statement is not supported; None where there was no answer."""
    alerted: bool


@dataclass(frozen=True)
class Dataset:
    name: str
    format: str
    sha256: str
    """Of the bytes of its files, in order."""
    charts: tuple[EvaluationChart, ...]
    items: tuple[Item, ...]
    answers: Mapping[str, Mapping[str, KeptAnswer]] = field(default_factory=dict)
    """System -> span id -> its answer: baselines whose code is gone."""
    notices: tuple[str, ...] = ()
    """What a reader did or left unread that the data's owner should know."""

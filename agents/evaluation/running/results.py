"""What a run writes, one JSON line an item: all that was shown and said, and what people say.

A report is made of these alone, so it can be made again without running anything.
"""

from __future__ import annotations

from typing import Any

from pydantic import Field

from agents.evaluation.dataset import Role, SpanLabel
from agents.evaluation.measures.outcomes import Outcome
from agents.evaluation.running.cost import Cost
from schemas.alerts import Severity
from schemas.events import Frozen
from schemas.verdicts import Verdict


class ShownResult(Frozen):
    """A fact before the judge when it decided, in the order shown."""

    fact_id: str
    note_id: str
    text: str
    section: str | None = None
    note_type: str | None = None
    note_time: str | None = None
    score: float | None = None
    cited: bool = False


class RulesResult(Frozen):
    """What the rules alone say of the same facts."""

    verdict: Verdict
    confidence: float


class PropositionResult(Frozen):
    text: str
    start: int
    end: int
    sources: tuple[tuple[int, int], ...] = ()
    section: str | None = None
    verdict: Verdict
    confidence: float
    probability_supported: float | None = Field(None, description="Where the judge says it")
    reason: str
    checks: tuple[str, ...] = ()
    shown: tuple[ShownResult, ...] = ()
    rounds: int = 0
    judge_calls: int = 0
    facts_dropped: int = 0
    alert: Severity | None = Field(None, description="By the policy; null: none")
    overlap: float = Field(0.0, description="Share of its words in the facts shown")
    cosine: float = Field(0.0, description="To the nearest fact shown, by the embedder")
    rules: RulesResult | None = Field(None, description="null: the judge has no rules apart")


class FlaggedResult(Frozen):
    start: int
    end: int
    flag: str


class SpanResult(Frozen):
    """A labelled span. `overlap`: share of its words in the notes up to the item's time."""

    span_id: str
    start: int
    end: int
    label: SpanLabel | None
    kind: str | None = None
    evidence: tuple[str, ...] = ()
    raters: tuple[str | None, ...] = ()
    overlap: float = 0.0


class CitationScores(Frozen):
    recall: float | None
    precision: float | None


class ItemResult(Frozen):
    dataset: str
    item_id: str
    chart_id: str
    group: str
    role: Role
    text: str
    text_type: str | None = None
    as_of: str | None = None
    example: str | None = None
    human: dict[str, float] = Field({})
    spans: tuple[SpanResult, ...]
    propositions: tuple[PropositionResult, ...] = ()
    flagged: tuple[FlaggedResult, ...] = ()
    citations: CitationScores | None = None
    facts_in_chart: int = 0
    foreign_citations: int = Field(0, description="Of notes that are not of this chart")
    later_citations: int = Field(0, description="Of notes later than `as_of`")
    costs: dict[str, Cost] = Field({})
    models: dict[str, str] = Field({})
    error: str | None = Field(None, description="Kind of the error that ended the item")

    @property
    def key(self) -> tuple[str, str]:
        return self.dataset, self.item_id


class ChartResult(Frozen):
    """A chart that has been read: what intake made of its notes, and what that cost."""

    dataset: str
    chart_id: str
    notes: int
    intake: dict[str, int] = Field({}, description="Outcome of intake -> notes")
    costs: dict[str, Cost] = Field({})


def outcome_of(verdict: Verdict) -> Outcome:
    value: Any = verdict.value
    outcome: Outcome = value
    return outcome

"""Labelled statements: a claim, or a labelled span of a text, with the propositions it is made of.

A proposition belongs to the spans that its own words overlap, or else its sources: so it inherits a
span's label, and a span's verdict is the worst of its propositions. A span that no proposition
overlaps was taken for no statement: it is `unjudged`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from agents.evaluation.dataset import NOT_VERIFIABLE, Role
from agents.evaluation.measures.outcomes import Label
from agents.evaluation.running.results import ItemResult, PropositionResult, SpanResult


@dataclass(frozen=True)
class Statement:
    dataset: str
    group: str
    item_id: str
    span_id: str
    role: Role
    label: Label
    kind: str
    overlap: float
    needed: frozenset[str]
    """Notes that decide."""
    propositions: tuple[PropositionResult, ...]
    failed: bool
    """The item as a whole has failed."""


def statements(results: Sequence[ItemResult]) -> list[Statement]:
    """All that have a label which can be right or wrong."""
    return [
        Statement(
            dataset=item.dataset,
            group=item.group,
            item_id=item.item_id,
            span_id=span.span_id,
            role=item.role,
            label=span.label,
            kind=span.kind or "unnamed",
            overlap=span.overlap,
            needed=frozenset(span.evidence),
            propositions=propositions_of(span, item),
            failed=item.error is not None,
        )
        for item in results
        for span in item.spans
        if span.label is not None and span.label != NOT_VERIFIABLE
    ]


def propositions_of(span: SpanResult, item: ItemResult) -> tuple[PropositionResult, ...]:
    if item.role == "claim":
        return item.propositions
    return tuple(each for each in item.propositions if span in spans_of(each, item))


def spans_of(proposition: PropositionResult, item: ItemResult) -> list[SpanResult]:
    own = [span for span in item.spans if _meet(span, proposition.start, proposition.end)]
    return own or [
        span
        for span in item.spans
        if any(_meet(span, start, end) for start, end in proposition.sources)
    ]


def _meet(span: SpanResult, start: int, end: int) -> bool:
    return span.start < end and start < span.end


Apart = Literal["judged", "alerted", "flagged", "ignored"]


def not_verifiable(results: Sequence[ItemResult]) -> dict[Apart, int]:
    """What became of spans that say nothing of the chart: `alerted` ones are also `judged`."""
    counts: dict[Apart, int] = {"judged": 0, "alerted": 0, "flagged": 0, "ignored": 0}
    for item, span in _apart(results):
        judged = propositions_of(span, item)
        counts["judged"] += bool(judged)
        counts["alerted"] += any(each.alert is not None for each in judged)
        if not judged:
            flagged = any(_meet(span, each.start, each.end) for each in item.flagged)
            counts["flagged" if flagged else "ignored"] += 1
    return counts


def _apart(results: Sequence[ItemResult]) -> Iterator[tuple[ItemResult, SpanResult]]:
    for item in results:
        for span in item.spans:
            if span.label == NOT_VERIFIABLE:
                yield item, span

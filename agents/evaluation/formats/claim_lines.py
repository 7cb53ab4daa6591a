"""JSON Lines of (claim, evidence, label), with the labels of several raters where there are some.

The evidence is a chart of its own, of one note or of several; claims with the same evidence are of
the same chart.
"""

from __future__ import annotations

import hashlib

from pydantic import BaseModel, ConfigDict, Field, model_validator

from agents.evaluation.dataset import NO_TIME, ChartNote, EvaluationChart, Item, LabelledSpan
from agents.evaluation.formats.errors import FieldError
from agents.evaluation.formats.labels import Labels
from agents.evaluation.measures.agreement import majority
from schemas.events import Identifier, UtcDatetime


class EvidenceNote(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")
    text: str
    note_id: Identifier | None = None
    time: UtcDatetime | None = None
    type: str | None = None


class ClaimLine(BaseModel):
    """A claim with its evidence and its label, or the labels of several raters."""

    model_config = ConfigDict(frozen=True, extra="ignore")
    id: Identifier | None = Field(None, description="The line's number when absent")
    group: Identifier | None = Field(
        None, description="Patient or source, for intervals; the evidence itself when absent"
    )
    claim: str = Field(min_length=1)
    evidence: str | tuple[str, ...] | tuple[EvidenceNote, ...] = Field(
        description="A note, its sentences in order, or several notes"
    )
    label: str | None = Field(
        None, description="supported, not_supported or not_addressed; of `annotators` when absent"
    )
    annotators: tuple[str | None, ...] = Field((), description="One label a rater, in one order")
    kind: str | None = None
    as_of: UtcDatetime | None = None

    @model_validator(mode="after")
    def _is_labelled(self) -> ClaimLine:
        if self.label is None and not self.annotators:
            raise ValueError("neither label nor annotators is given")
        return self


def chart_of(line: ClaimLine) -> EvaluationChart:
    notes = _notes(line)
    digest = hashlib.sha256("\x00".join(note.text for note in notes).encode()).hexdigest()[:16]
    return EvaluationChart(digest, line.group or digest, notes)


def item_of(line: ClaimLine, number: int, labels: Labels) -> Item:
    """`number` names a line without an id. Raises `FieldError`."""
    item_id = line.id or f"line {number}"
    raters: list[str | None] = []
    for n, own in enumerate(line.annotators):
        try:
            raters.append(None if own is None else labels.of_claim(own))
        except ValueError as error:
            raise FieldError(("annotators", n), str(error)) from None
    try:
        own = line.label if line.label is not None else majority(raters)
        label = None if own is None else labels.of_claim(own)
    except ValueError as error:
        raise FieldError(("label",), str(error)) from None
    span = LabelledSpan(item_id, 0, len(line.claim), label, line.kind, raters=tuple(raters))
    chart = chart_of(line)
    return Item(item_id, chart.chart_id, "claim", line.claim, (span,), line.as_of)


def _notes(line: ClaimLine) -> tuple[ChartNote, ...]:
    given = line.evidence
    if isinstance(given, str):
        return (ChartNote("evidence", given),)
    texts = [each for each in given if isinstance(each, str)]
    if texts or not given:
        return (ChartNote("evidence", "\n".join(texts)),)
    return tuple(
        ChartNote(each.note_id or f"evidence {n}", each.text, each.time or NO_TIME, each.type)
        for n, each in enumerate(given)
        if isinstance(each, EvidenceNote)
    )

"""The chart case: a whole chart, single claims on it, and whole generated texts with every sentence
labelled. One JSON object a patient, alone in a file or one a line.

What counts as evidence is what the engine says: notes up to `as_of`, no entered-in-error, no
preliminary note, none that another replaces, none that an AI wrote.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from agents.evaluation.dataset import (
    ChartNote,
    EvaluationChart,
    Item,
    LabelledSpan,
    NoteRelation,
    SpanLabel,
)
from agents.evaluation.formats.errors import FieldError
from agents.evaluation.formats.labels import Labels
from schemas.events import Identifier, PatientId, UtcDatetime


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class RelationRow(_Model):
    code: Literal["replaces", "appends"]
    target: Identifier = Field(description="`note_id` of another note of this chart")


class NoteRow(_Model):
    note_id: Identifier
    time: UtcDatetime = Field(description="When it was written, RFC 3339 with a zone")
    type: str | None = None
    author: str | None = Field(None, description="In words; not read by the engine")
    author_category: Literal["human", "ai"] = "human"
    status: Literal["current", "superseded", "entered-in-error"] = "current"
    doc_status: Literal["final", "preliminary", "amended"] = "final"
    relations: tuple[RelationRow, ...] = ()
    encounter_id: Identifier | None = None
    text: str


class _Judged(_Model):
    label: str = Field(description="supported, not_supported or not_addressed")
    kind: str | None = Field(None, description="How it is right or wrong; a row of the report")
    evidence: tuple[Identifier, ...] = Field((), description="`note_id` of the notes that decide")
    raters: tuple[str | None, ...] = Field((), description="Labels by several people, in one order")


class ClaimRow(_Judged):
    claim_id: Identifier
    as_of: UtcDatetime | None = None
    text: str


class SpanRow(_Judged):
    label: str = Field(description="As of a claim, or not_verifiable: it says nothing of the chart")
    quote: str = Field(min_length=1, description="The characters of the text, in order")


class TextRow(_Model):
    text_id: Identifier
    type: str | None = None
    as_of: UtcDatetime | None = None
    encounter_id: Identifier | None = Field(None, description="For the scope `encounter`")
    text: str
    spans: tuple[SpanRow, ...] = Field((), description="Each sentence once; headings left out")
    human: dict[str, float] = Field({}, description="People's scores of the whole text")


class ChartCase(_Model):
    """A chart with claims and generated texts."""

    case_id: Identifier
    patient_id: PatientId
    specialty: str | None = None
    country: str | None = None
    style: str | None = None
    notes: tuple[NoteRow, ...] = Field(description="In the order of arrival")
    claims: tuple[ClaimRow, ...] = ()
    texts: tuple[TextRow, ...] = ()


def chart_of(case: ChartCase) -> EvaluationChart:
    """Raises `FieldError` where notes name each other wrongly."""
    known: set[str] = set()
    for n, note in enumerate(case.notes):
        if note.note_id in known:
            raise FieldError(("notes", n, "note_id"), "another note has this id")
        known.add(note.note_id)
    for n, note in enumerate(case.notes):
        for m, relation in enumerate(note.relations):
            if relation.target not in known or relation.target == note.note_id:
                place = ("notes", n, "relations", m, "target")
                raise FieldError(place, "is no other note of this chart")
    return EvaluationChart(case.case_id, case.patient_id, tuple(map(_note, case.notes)))


def items_of(case: ChartCase, labels: Labels) -> list[Item]:
    """Claims, then texts. Raises `FieldError`."""
    known = {note.note_id for note in case.notes}
    claims = [_claim(case, n, row, labels, known) for n, row in enumerate(case.claims)]
    return [*claims, *(_text(case, n, row, labels, known) for n, row in enumerate(case.texts))]


def _note(row: NoteRow) -> ChartNote:
    return ChartNote(
        note_id=row.note_id,
        text=row.text,
        time=row.time,
        note_type=row.type,
        author=row.author,
        ai=row.author_category == "ai",
        status=row.status,
        doc_status=row.doc_status,
        relations=tuple(NoteRelation(each.code, each.target) for each in row.relations),
        encounter=row.encounter_id,
    )


def _claim(case: ChartCase, n: int, row: ClaimRow, labels: Labels, known: set[str]) -> Item:
    place = ("claims", n)
    item_id = f"{case.case_id}/{row.claim_id}"
    span = _span(item_id, 0, len(row.text), row, place, known, labels.of_claim)
    return Item(item_id, case.case_id, "claim", row.text, (span,), row.as_of)


def _text(case: ChartCase, n: int, row: TextRow, labels: Labels, known: set[str]) -> Item:
    item_id = f"{case.case_id}/{row.text_id}"
    spans = []
    end = 0
    for m, each in enumerate(row.spans):
        place = ("texts", n, "spans", m)
        start = row.text.find(each.quote, end)
        if start < 0:
            raise FieldError((*place, "quote"), "is not in the text, after the span before it")
        end = start + len(each.quote)
        spans.append(_span(f"{item_id}/{m}", start, end, each, place, known, labels.of_span))
    return Item(
        item_id=item_id,
        chart_id=case.case_id,
        role="text",
        text=row.text,
        spans=tuple(spans),
        as_of=row.as_of,
        text_type=row.type,
        encounter=row.encounter_id,
        human=row.human,
    )


def _span(  # noqa: PLR0913, PLR0917 - what a span is made of
    span_id: str,
    start: int,
    end: int,
    row: _Judged,
    place: tuple[str | int, ...],
    known: set[str],
    read: Callable[[object], SpanLabel],
) -> LabelledSpan:
    for n, note in enumerate(row.evidence):
        if note not in known:
            raise FieldError((*place, "evidence", n), "is no note of this chart")
    try:
        label = read(row.label)
    except ValueError as error:
        raise FieldError((*place, "label"), str(error)) from None
    try:
        raters = tuple(None if each is None else read(each) for each in row.raters)
    except ValueError as error:
        raise FieldError((*place, "raters"), str(error)) from None
    return LabelledSpan(span_id, start, end, label, row.kind, row.evidence, raters)

"""JSON Lines of visits: a note, the dialogue that it was written from, and claims on them.

All claims are `supported`; wrong ones are made of them, by a seed: one place changed, or another
patient's claim. Such claims repeat the note's own words, so a set of them is an easy one.
"""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict, Field

from agents.evaluation.claim_charts import AS_GIVEN, FOREIGN, ClaimCase, ClaimChart, claim_cases
from agents.evaluation.dataset import ChartNote, EvaluationChart, Item, LabelledSpan
from agents.evaluation.measures.outcomes import Label
from schemas.events import PatientId


class VisitClaim(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")
    section: str | None = None
    claim: str = Field(min_length=1)


class VisitLine(BaseModel):
    """A visit note with claims that it bears out."""

    model_config = ConfigDict(frozen=True, extra="ignore")
    patient: PatientId
    note: str
    dialogue: tuple[str, ...] = Field((), description="Turns")
    claims: tuple[VisitClaim, ...]


def chart_of(line: VisitLine) -> EvaluationChart:
    notes = [ChartNote("note", line.note, note_type="note")]
    if line.dialogue:
        notes.append(ChartNote("dialogue", "\n".join(line.dialogue), note_type="dialogue"))
    return EvaluationChart(line.patient, line.patient, tuple(notes))


def items_of(lines: Sequence[VisitLine], seed: int) -> list[Item]:
    """Every claim as given, in each changed form, and claims of others."""
    charts = [
        ClaimChart(
            line.patient,
            line.note,
            "\n".join(line.dialogue),
            tuple(dict.fromkeys(each.claim for each in line.claims)),
        )
        for line in lines
    ]
    return [_item(n, case) for n, case in enumerate(claim_cases(charts, seed))]


def _item(n: int, case: ClaimCase) -> Item:
    item_id = f"{case.patient_id}/{n}"
    labels: dict[str, Label] = {AS_GIVEN: "supported", FOREIGN: "not_addressed"}
    label = labels.get(case.label, "not_supported")
    span = LabelledSpan(item_id, 0, len(case.claim), label, case.label)
    return Item(item_id, case.patient_id, "claim", case.claim, (span,))

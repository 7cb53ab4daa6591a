"""JSON Lines of whole generated texts, each with its evidence and labelled spans."""

from __future__ import annotations

from pydantic import Field

from agents.evaluation.dataset import EvaluationChart, Item
from agents.evaluation.formats.chart_case import ChartCase, NoteRow, TextRow, chart_of, items_of
from agents.evaluation.formats.errors import FieldError
from agents.evaluation.formats.labels import Labels
from schemas.events import Identifier


class TextLine(TextRow):
    """A text of a chart case by itself, with the notes that it is verified against."""

    patient_id: Identifier | None = Field(None, description="For intervals; the text when absent")
    notes: tuple[NoteRow, ...]


def read(line: TextLine, labels: Labels) -> tuple[EvaluationChart, list[Item]]:
    """Raises `FieldError` with the place in the line."""
    case = ChartCase(
        case_id=line.text_id,
        patient_id=line.patient_id or line.text_id,
        notes=line.notes,
        texts=(line,),
    )
    try:
        return chart_of(case), items_of(case, labels)
    except FieldError as error:
        inner = error.place[2:] if error.place[0] == "texts" else error.place
        raise FieldError(inner, str(error)) from None

"""What a summary of the sample admission must not leave out, as `study omissions` reads it.

Written from the notes before any finder of omissions had read them, in other words than theirs.
"""

from __future__ import annotations

import json
from importlib.resources import files

from agents.evaluation.omission_cases import Stated, SummaryCase
from schemas.completeness import Salience
from schemas.events import Position
from schemas.notes import AuthorCategory, DocumentVersion, Note, NoteChanged
from streams.local.sample import SampleChart, SampleNote, load_chart


def sample_case() -> SummaryCase:
    """The sample chart with its salient facts."""
    chart = load_chart()
    rows = json.loads((files("streams.local.sample") / "salient.json").read_text("utf-8"))
    facts = [
        Stated(Salience(row["kind"]), row["says"], tuple(map(tuple, row["told"]))) for row in rows
    ]
    return SummaryCase(
        source="sample",
        patient_id=chart.patient_id,
        encounter_id=chart.encounter_id,
        as_of=chart.summary_generated_at,
        notes=tuple(_changed(chart, note) for note in chart.notes),
        facts=tuple(facts),
    )


def _changed(chart: SampleChart, note: SampleNote) -> NoteChanged:
    return NoteChanged(
        occurred_at=note.time,
        patient_id=chart.patient_id,
        document_id=note.note_id,
        version=DocumentVersion(content_hash=note.note_id),
        note=Note(
            text=note.text,
            note_type=note.display,
            note_time=note.time,
            encounter_id=chart.encounter_id,
            author_category=AuthorCategory.CLINICIAN,
        ),
        source=Position(topic="evaluation", partition=0, offset=0),
    )

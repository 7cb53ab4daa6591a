"""The sample chart: an invented patient's admission and a generated discharge summary of it.

Twelve notes over six days in the abbreviated language of real notes, and a summary as a language
model writes one, with ten planted errors of different kinds. Nobody in it exists; the names of
people are made up so that they could not be anyone. `summary.txt` was written before any judge
read it and is not fitted to one: what a judge misses, the demo shows as missed (`scoring`).
"""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Literal

from pydantic import Field

from schemas.events import Frozen, UtcDatetime

ErrorKind = Literal[
    "side", "invented_diagnosis", "family_history", "allergy", "procedure_not_done", "negation",
    "outdated_value", "dose", "stopped_drug", "unit",
]  # fmt: skip


class SampleNote(Frozen):
    """One note of the chart, as its author signed it."""

    note_id: str
    code: str = Field(description="LOINC code of the kind of note")
    display: str = Field(description="LOINC display name of that code")
    time: UtcDatetime
    author_kind: str = Field(description="physician, nurse, pharmacist, ...")
    author: str
    text: str


class PlantedError(Frozen):
    """One thing that the summary says and the chart does not."""

    kind: ErrorKind
    quote: str = Field(description="What the summary says; occurs once in it")
    wrong: str = Field(description="The words of the quote that are wrong; occur once in it")
    start: int = Field(ge=0, description="Character offset of `wrong` in the summary")
    end: int = Field(ge=0)
    truth: str = Field(description="What the chart says, in plain words")
    expected: Literal["not_supported", "not_addressed"]
    notes: tuple[str, ...] = Field(description="Ids of notes that show it; empty: none mentions it")


class SampleChart(Frozen):
    patient_id: str
    patient_name: str
    encounter_id: str
    summary_generated_at: UtcDatetime
    notes: tuple[SampleNote, ...] = Field(description="In order of time")
    summary: str
    planted: tuple[PlantedError, ...] = Field(description="In order of where they stand")


def load_chart() -> SampleChart:
    """Read the chart from the data files beside this module."""
    folder = files(__name__)
    given = json.loads((folder / "chart.json").read_text("utf-8"))
    summary = (folder / "summary.txt").read_text("utf-8")
    notes = [
        SampleNote(
            **{name: value for name, value in note.items() if name != "file"},
            text=(folder / "notes" / note["file"]).read_text("utf-8"),
        )
        for note in given.pop("notes")
    ]
    planted = [
        _planted(error, summary) for error in json.loads((folder / "planted.json").read_text())
    ]
    return SampleChart(
        **given,
        notes=tuple(sorted(notes, key=lambda note: note.time)),
        summary=summary,
        planted=tuple(sorted(planted, key=lambda error: error.start)),
    )


def _planted(error: dict[str, object], summary: str) -> PlantedError:
    quote, wrong = str(error["quote"]), str(error["wrong"])
    start = summary.index(quote) + quote.index(wrong)
    return PlantedError.model_validate({**error, "start": start, "end": start + len(wrong)})

"""Answers of other systems, kept in a folder `answers` beside chart cases: a file a system, JSON
Lines, an answer to each labelled span. So a baseline stands in every table after its code is gone.

Every run writes its own (`answers.jsonl`); no text is in them.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import orjson
from pydantic import BaseModel, ConfigDict, Field

from agents.evaluation.dataset import KeptAnswer
from agents.evaluation.formats.records import LINES, raw_records, read_all
from agents.evaluation.measures.outcomes import Outcome

FOLDER = "answers"


class AnswerLine(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")
    span_id: str
    outcome: Outcome
    confidence: float = Field(ge=0.0, le=1.0)
    score: float | None = Field(ge=0.0, le=1.0)
    alerted: bool


def read_answers(folder: Path) -> dict[str, dict[str, KeptAnswer]]:
    """System, by the file's name -> span id -> answer. Raises `WrongData`."""
    place = folder / FOLDER
    files = sorted(place.iterdir()) if place.is_dir() else []
    return {file.stem: _read(file) for file in files if file.suffix in LINES}


def _read(path: Path) -> dict[str, KeptAnswer]:
    records = raw_records(path, path.read_bytes())
    read = read_all(path, records, AnswerLine, lambda *_: None)
    return {
        line.span_id: KeptAnswer(line.outcome, line.confidence, line.score, line.alerted)
        for _, line in read.records
    }


def answer_lines(answers: Iterable[tuple[str, KeptAnswer]]) -> bytes:
    """The content of such a file: span id and answer."""
    lines = [
        AnswerLine(
            span_id=span_id,
            outcome=each.outcome,
            confidence=each.confidence,
            score=None if each.score is None else round(each.score, 6),
            alerted=each.alerted,
        ).model_dump(mode="json")
        for span_id, each in answers
    ]
    return b"".join(orjson.dumps(line) + b"\n" for line in lines)

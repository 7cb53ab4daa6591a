"""Charts with claims that they bear out (ACI-BENCH notes, DocLens claims), and wrong ones of them.

Each chart is a visit note and the dialogue that it was written from. A claim as given is
`supported`; with one place changed, or another patient's, it is not (`corruptions`). Read by path;
nothing of the data is in the repository.

Claims belong to the note of their own row: nothing is paired anew, and no row is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import orjson

from agents.evaluation.corruptions import KINDS, corruptions, foreign
from schemas.events import Position
from schemas.notes import AuthorCategory, DocumentVersion, Note, NoteChanged

AS_GIVEN = "as given"
FOREIGN = "foreign"
LABELS = (AS_GIVEN, *KINDS, FOREIGN)
WRITTEN = datetime(2030, 1, 1, tzinfo=UTC)
"""The data have no times; all notes have this one."""


@dataclass(frozen=True)
class ClaimChart:
    patient_id: str
    note: str
    dialogue: str
    claims: tuple[str, ...]

    def notes(self) -> list[NoteChanged]:
        """The chart as intake would hand it on."""
        return [
            self._changed("note", self.note, AuthorCategory.CLINICIAN),
            self._changed("dialogue", self.dialogue, AuthorCategory.UNKNOWN),
        ]

    def _changed(self, kind: str, text: str, author: AuthorCategory) -> NoteChanged:
        return NoteChanged(
            occurred_at=WRITTEN,
            patient_id=self.patient_id,
            document_id=f"{self.patient_id}-{kind}",
            version=DocumentVersion(content_hash=kind),
            note=Note(text=text, note_type=kind, note_time=WRITTEN, author_category=author),
            source=Position(topic="evaluation", partition=0, offset=0),
        )


@dataclass(frozen=True)
class ClaimCase:
    patient_id: str
    label: str
    """One of `LABELS`; all but `as given` must not be `supported`."""
    claim: str


def read_claim_charts(path: Path) -> list[ClaimChart]:
    """JSON lines of patient, note, dialogue (turns) and claims (section, claim), as they are."""
    rows = [orjson.loads(line) for line in path.read_bytes().splitlines() if line.strip()]
    return [
        ClaimChart(
            row["patient"],
            row["note"],
            "\n".join(row["dialogue"]),
            tuple(dict.fromkeys(each["claim"] for each in row["claims"])),
        )
        for row in rows
    ]


def claim_cases(charts: Sequence[ClaimChart], seed: int) -> list[ClaimCase]:
    """Every claim as given, in each changed form, and a quarter as many foreign ones."""
    claims = {chart.patient_id: chart.claims for chart in charts}
    cases: list[ClaimCase] = []
    for chart in charts:
        for claim in chart.claims:
            cases.append(ClaimCase(chart.patient_id, AS_GIVEN, claim))
            for wrong in corruptions(claim, seed):
                cases.append(ClaimCase(chart.patient_id, wrong.kind, wrong.claim))
        given = f"{chart.note}\n{chart.dialogue}"
        for other in foreign(claims, chart.patient_id, given, len(chart.claims) // 4, seed):
            cases.append(ClaimCase(chart.patient_id, FOREIGN, other))
    return cases

"""Charts with claims that they bear out (ACI-BENCH notes, DocLens claims), and wrong ones of them.

Each chart is a visit note and the dialogue that it was written from. A claim as given is
`supported`; with one place changed, or another patient's, it is not (`corruptions`). Read by path;
nothing of the data is in the repository.

In the file as we have it no row's claims are those of its own note: they share a third of their
words with it and nine tenths with another row's. So claims are paired with notes by their words
here, and rows whose claims have no note in the file are left out (`paired`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import orjson

from agents.evaluation.corruptions import KINDS, corruptions, foreign
from schemas.events import Position
from schemas.notes import AuthorCategory, DocumentVersion, Note, NoteChanged

AS_GIVEN = "as given"
FOREIGN = "foreign"
LABELS = (AS_GIVEN, *KINDS, FOREIGN)
OWN = 0.8
"""Share of words from which claims are taken for a note's own: by chance it is a third."""
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
    """JSON lines of patient, note, dialogue (turns) and claims (section, claim), paired anew."""
    rows = [orjson.loads(line) for line in path.read_bytes().splitlines() if line.strip()]
    charts = [
        ClaimChart(
            row["patient"],
            row["note"],
            "\n".join(row["dialogue"]),
            tuple(dict.fromkeys(each["claim"] for each in row["claims"])),
        )
        for row in rows
    ]
    return paired(charts)


def paired(charts: Sequence[ClaimChart]) -> list[ClaimChart]:
    """Each list of claims with the note that has most of its words, where one has `OWN` of them."""
    words = [_words(chart.note) for chart in charts]
    found: list[ClaimChart] = []
    for chart in charts:
        shares = [_share(chart.claims, said) for said in words]
        best = max(range(len(charts)), key=shares.__getitem__)
        if shares[best] >= OWN:
            found.append(replace(charts[best], claims=chart.claims))
    return found


def _share(claims: Sequence[str], said: set[str]) -> float:
    """The mean share of a claim's words that stand in the note."""
    shares = [len(_words(claim) & said) / max(len(_words(claim)), 1) for claim in claims]
    return sum(shares) / len(shares) if shares else 0.0


def _words(text: str) -> set[str]:
    return set(re.findall(r"[a-z]{4,}|\d+", text.lower())) - {"patient"}


def claim_cases(charts: Sequence[ClaimChart], seed: int) -> list[ClaimCase]:
    """Every claim as given, in each changed form, and a quarter as many foreign ones."""
    claims = {chart.patient_id: chart.claims for chart in charts}
    cases: list[ClaimCase] = []
    for chart in charts:
        for claim in chart.claims:
            cases.append(ClaimCase(chart.patient_id, AS_GIVEN, claim))
            for wrong in corruptions(claim, seed):
                cases.append(ClaimCase(chart.patient_id, wrong.kind, wrong.claim))
        said = f"{chart.note}\n{chart.dialogue}"
        for other in foreign(claims, chart.patient_id, said, len(chart.claims) // 4, seed):
            cases.append(ClaimCase(chart.patient_id, FOREIGN, other))
    return cases

"""A proposition that refers to the one before it, through the engine with the real models.

The patient and the notes are invented.
"""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from agents.adapters.index.memory import MemoryIndex
from agents.adapters.models import Models
from agents.indexing.document_indexer import DocumentIndexer
from agents.verification.verifier import Verifier
from schemas.events import Event, Position
from schemas.notes import DocumentVersion, Note, NoteChanged
from schemas.texts import TextGenerated, VerificationSettings
from schemas.verdicts import JudgedProposition, ScoreSheetIssued
from streams.clock import SystemClock

pytestmark = pytest.mark.asyncio(loop_scope="module")
AT = Position(topic="chart", partition=0, offset=0)
NOW = datetime(2031, 5, 3, tzinfo=UTC)
FILLER = "\n".join(f"Walked {n} metres with a physiotherapist and rested." for n in range(20, 60))
TEXT = "Metoprolol was begun for rate control.\nIt was stopped on day 3."
FULL = VerificationSettings(unit="sentence", judging="full_context", top_n=5, max_rounds=1)
ALONE = VerificationSettings(unit="sentence", judging="claim_only", top_n=5, max_rounds=1)


async def judged(
    models: Models, chart: str, settings: VerificationSettings, text: str = TEXT
) -> list[JudgedProposition]:
    index, clock = MemoryIndex(), SystemClock()
    sheets: list[ScoreSheetIssued] = []

    async def emit(event: Event) -> None:
        if isinstance(event, ScoreSheetIssued):
            sheets.append(event)

    note = NoteChanged(
        occurred_at=NOW,
        patient_id="p",
        document_id="d",
        version=DocumentVersion(content_hash="h"),
        note=Note(text=chart, note_time=NOW),
        source=AT,
    )
    await DocumentIndexer(index, models.embedder, models.decomposer, clock).apply(note, AT, emit)
    verifier = Verifier(
        index, models.embedder, models.reranker, models.decomposer, models.judge, clock
    )
    asked = TextGenerated(
        occurred_at=NOW, text_id="t", patient_id="p", text=text, settings=settings
    )
    await verifier.verify(asked, AT, emit)
    return list(sheets[0].judged)


async def test_it_is_what_the_text_says_before(models: Models) -> None:
    chart = f"{FILLER}\nMetoprolol 25 mg BID.\nMetoprolol stopped on day 3 for bradycardia."
    _, second = await judged(models, chart, FULL)
    assert "reference" in second.checks
    assert "Metoprolol" in second.reason
    _, alone = await judged(models, chart, ALONE)
    assert "reference" not in alone.checks


async def test_the_text_around_a_statement_is_no_evidence(models: Models) -> None:
    text = "Metoprolol was stopped on day 3.\nIt was stopped on day 3."
    for row in await judged(models, "Seen by a social worker.", FULL, text):
        assert all("social worker" in each.quote for each in row.evidence)

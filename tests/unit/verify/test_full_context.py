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
from schemas.verdicts import JudgedProposition, ScoreSheetIssued, Verdict
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


async def test_it_is_what_the_text_says_before_and_the_chart_bears_it_out(models: Models) -> None:
    chart = f"{FILLER}\nMetoprolol 25 mg BID.\nMetoprolol stopped on day 3 for bradycardia."
    _, said = await judged(models, chart, FULL)
    assert said.verdict == Verdict.SUPPORTED, said
    assert "Metoprolol stopped on day 3" in said.evidence[0].quote
    assert "reference" in said.checks


async def test_the_same_of_another_drug_bears_it_out_only_alone(models: Models) -> None:
    chart = f"{FILLER}\nMetoprolol 25 mg BID.\nHeparin was stopped on day 3."
    _, in_context = await judged(models, chart, FULL)
    assert in_context.verdict == Verdict.NOT_SUPPORTED, in_context
    _, alone = await judged(models, chart, ALONE)
    assert alone.verdict == Verdict.SUPPORTED, alone
    assert "reference" not in alone.checks


async def test_the_search_is_for_what_it_is(models: Models) -> None:
    others = "\n".join(f"Drug {n} was stopped on day 3." for n in "abcdefghijkl")
    chart = f"{others}\n{FILLER}\nMetoprolol given up for bradycardia, third day."
    _, said = await judged(models, chart, FULL)
    assert any("Metoprolol" in each.quote for each in said.evidence), said


async def test_the_text_cannot_bear_itself_out(models: Models) -> None:
    text = "The chart says that metoprolol was stopped on day 3.\nIt was stopped on day 3."
    for said in await judged(models, "Seen by a social worker.", FULL, text):
        assert said.verdict == Verdict.NOT_ADDRESSED, said
        assert said.evidence == ()

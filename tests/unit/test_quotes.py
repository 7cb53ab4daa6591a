"""Evidence quotes the note: exact words at exact offsets, also where a fact is worded anew."""

from __future__ import annotations

import io
from dataclasses import replace
from datetime import UTC, datetime

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from agents.adapters.index.memory import MemoryIndex
from agents.adapters.models import Models, wire
from agents.adapters.models.long_texts import in_pieces
from agents.errors import ModelError
from agents.indexing.document_indexer import DocumentIndexer
from agents.indexing.extraction import extract_facts
from agents.ports import Span
from agents.verification.verifier import Verifier
from schemas.events import Event, Position
from schemas.evidence import Evidence
from schemas.notes import Fact
from schemas.propositions import SourceSpan
from schemas.texts import TextGenerated, VerificationSettings
from schemas.verdicts import ScoreSheetIssued
from streams.cli.render import verdict
from streams.cli.render_completeness import completeness
from streams.clock import SystemClock
from tests.chart_events import note
from tests.unit.verify.bench import Bench, ScriptedJudge, WordJudge, fact

pytestmark = pytest.mark.asyncio(loop_scope="module")
AT = Position(topic="chart", partition=0, offset=0)
NOW = datetime(2031, 5, 3, tzinfo=UTC)


async def claims_of(models: Models, text: str) -> list[Fact]:
    return await extract_facts(note("d", text), models.decomposer, "claim")


async def cited(models: Models, text: str, unit: str = "claim") -> list[Evidence]:
    """All facts of a note as evidence, by way of the index."""
    index, events = MemoryIndex(), []

    async def emit(event: Event) -> None:
        events.append(event)

    indexer = DocumentIndexer(index, models.embedder, models.decomposer, SystemClock(), unit)
    await indexer.apply(note("d", text), AT, emit)
    ports = (models.embedder, models.reranker, models.decomposer, CitesAll())
    said = TextGenerated(occurred_at=NOW, text_id="t", patient_id="p", text="Cough.")
    await Verifier(index, *ports, SystemClock()).verify(said, AT, emit)
    (sheet,) = [each for each in events if isinstance(each, ScoreSheetIssued)]
    return sorted(sheet.judged[0].evidence, key=lambda each: each.start)


class CitesAll(ScriptedJudge):
    async def judge(self, proposition: str, facts, **options: object):
        said = await super().judge(proposition, facts, **options)
        return replace(said, cited=tuple(each.fact_id for each in facts))


@pytest.mark.parametrize("eol", ["\n", "\r\n"])
async def test_a_claim_cites_all_words_that_it_is_made_of(models: Models, eol: str) -> None:
    text = f"Übelkeit 🤢 kam oft.{eol}She denies fever,{eol}chills and nausea.{eol}{eol}"
    found = (await cited(models, text))[1:]
    assert [each.quote for each in found] == ["She denies fever", "chills", "nausea"]
    assert [each.statement for each in found] == [None, "She denies chills", "She denies nausea"]
    assert [[q.quote for q in each.quotes] for each in found] == [
        [],
        ["She denies", "chills"],
        ["She denies", "nausea"],
    ]
    assert [each.words for each in found] == [
        "She denies fever",
        "She denies … chills",
        "She denies … nausea",
    ]


@pytest.mark.parametrize("eol", ["\n", "\r\n"])
async def test_an_item_cites_its_lead_in(models: Models, eol: str) -> None:
    text = f"Patient über 70 denies:{eol}- naïve T-cell{eol}  lymphoma{eol}- cough{eol}"
    first, second = await cited(models, text)
    assert second.quote == "cough"
    assert [q.quote for q in second.quotes] == ["Patient über 70 denies:", "cough"]
    assert second.statement == "Patient über 70 denies: cough"
    # The line break is the note's; the judge read a space.
    assert first.quote == f"naïve T-cell{eol}  lymphoma"
    assert first.statement == "Patient über 70 denies: naïve T-cell lymphoma"


async def test_a_wrapped_claim_of_one_place_quotes_the_break(models: Models) -> None:
    (one,) = await cited(models, "The culture of the wound grew\r\nstaphylococci.")
    assert one.quote == "The culture of the wound grew\r\nstaphylococci."
    assert one.statement == "The culture of the wound grew staphylococci."
    assert one.quotes == ()


async def test_a_sentence_is_its_own_quote(models: Models) -> None:
    (one,) = await cited(models, "She denies fever,\r\nchills and nausea.", unit="sentence")
    assert (one.quote, one.statement) == ("She denies fever,\r\nchills and nausea.", None)


BOXES = "".join(
    map(
        chr,
        [
            *range(0x2600, 0x27C0),
            *range(0x2B00, 0x2C00),
            *range(0x1F5F8, 0x1F600),
            0x2022,
            0x25CB,
            0x25CF,
            0x25A1,
            0x25A0,
            0x2B1C,
        ],
    )
)
PIECES = st.sampled_from(
    [
        "She denies fever, chills and nausea.",
        "He was febrile and was given aspirin 81 mg and insulin 10 units.",
        "On admission, he was febrile and was given fluids.",
        "Mother: she was ill and was admitted.",
        "Denies:", "Given:", "- ", "1. ", "  ", "\n", "\r\n", "\n\n", "\r\n\r\n", "\t",
        "Größe 3 cm, Fieber und Übelkeit", "发热。", "🤢", "\u00a0", "\u2028", "e\u0301",
        "Vitals: BP 120/80, HR 90, SpO2 98%", "Na 138  K 4.2", "Plan:", "# Gout",
    ]
)  # fmt: skip
TEXTS = st.one_of(
    st.lists(PIECES, max_size=20).map("".join),
    st.lists(PIECES, max_size=20).map(" ".join),
    # Boxes and ticks are put into words ("Fever: yes"), which are not the note's own.
    st.text(st.characters(codec="utf-8", exclude_characters=BOXES), max_size=100),
)


@given(text=TEXTS)
@settings(max_examples=200, deadline=None)
async def test_every_quote_is_the_notes_text_at_its_offsets(models: Models, text: str) -> None:
    for each in await claims_of(models, text):
        assert each.quote == text[each.start : each.end]
        assert all(q.quote == text[q.start : q.end] for q in each.quotes)
        assert [(q.start, q.end) for q in each.quotes] == sorted(places(each))
        # Nothing that the claim says is quoted nowhere.
        words = " ".join(q.quote for q in each.quotes) if each.quotes else each.quote
        assert squeezed(each.text) == squeezed(words)


def places(each: Fact) -> set[tuple[int, int]]:
    return {(q.start, q.end) for q in each.quotes} | ({each.span} if each.quotes else set())


def squeezed(text: str) -> str:
    """Without white space and the joint between a lead-in and its item."""
    return "".join(text.split()).replace(":", "").replace(".", "")


def answer(**fields: object) -> bytes:
    said = {"text": "No cough", "start": 7, "end": 12, **fields}
    return orjson.dumps([said])


async def test_words_from_several_places_are_read_and_checked() -> None:
    text = "No … or cough"
    (span,) = wire.read_spans(answer(words=[[0, 2], [7, 12]]), text, "claim")
    assert span.words == (SourceSpan(start=0, end=2), SourceSpan(start=7, end=12))
    for words in ([[0, 2]], [[0, 2], [7, 99]], [[2, 2], [7, 12]]):
        with pytest.raises(ModelError):
            wire.read_spans(answer(words=words), text, "claim")


async def test_words_of_a_long_note_keep_their_offsets() -> None:
    text = "First line.\n\nSecond line.\n\nThird line."

    async def said(piece: str) -> list[Span]:
        found = [(at, at + 5) for at in range(len(piece)) if piece.startswith(" line", at)]
        return [
            Span("x", start, end, words=(SourceSpan(start=start - 1, end=start), SourceSpan(
                start=start, end=end))) for start, end in found
        ]  # fmt: skip

    whole = await said(text)
    assert await in_pieces(text, said, 30) == whole


@pytest.mark.parametrize("text", ["penicillin hives", "cough"])
async def test_a_terminal_shows_all_the_words_of_a_verdict_and_of_an_omission(text: str) -> None:
    bench = Bench()
    bench.verifier = replace(bench.verifier, judge=WordJudge())
    quotes = (
        {"start": 0, "end": 10, "quote": "Penicillin"},
        {"start": 14, "end": 19, "quote": "hives"},
    )
    allergy = fact("f", "Penicillin hives", quotes=quotes, section="Allergies")
    await bench.add(
        replace(allergy, fact=allergy.fact.model_copy(update={"start": 14, "end": 19})),
        fact("g", "cough"),
    )
    sheet = await bench.verify(text, settings=VerificationSettings(omissions=text == "cough"))
    console = Console(width=160, file=io.StringIO())
    console.print(verdict(sheet.judged[0]), *completeness(sheet))
    assert console.file.getvalue().count("Penicillin … hives") == 1

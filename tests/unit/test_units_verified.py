"""Units from the model to the score sheet: snippets and flags, and facts cut apart from them."""

from __future__ import annotations

import io
import json
from datetime import UTC, datetime

import pytest
from rich.console import Console

import streams.app
from agents.adapters.index.memory import MemoryIndex
from agents.adapters.models import Models, wire
from agents.adapters.models.long_texts import PIECE_CHARACTERS
from agents.errors import ModelError
from agents.indexing.document_indexer import DocumentIndexer
from agents.ports import Decomposed
from agents.verification.verifier import Verifier
from schemas.events import Event, Position
from schemas.propositions import Proposition, SourceSpan
from schemas.texts import TextGenerated, VerificationSettings
from schemas.verdicts import ScoreSheetIssued
from streams.cli.client import Client
from streams.cli.render_completeness import completeness
from streams.clock import SystemClock
from streams.delivery.live_traffic import Traffic
from streams.metrics import Metrics
from streams.settings import Settings
from tests.chart_events import note
from tests.unit.verify.bench import Bench, fact

pytestmark = pytest.mark.asyncio(loop_scope="module")
AT = Position(topic="chart", partition=0, offset=0)
NOW = datetime(2031, 5, 3, tzinfo=UTC)


async def facts_of(models: Models, text: str, **settings: str) -> list[str]:
    index = MemoryIndex()
    indexer = DocumentIndexer(index, models.embedder, models.decomposer, SystemClock(), **settings)

    async def ignore(_: Event) -> None:
        """Nobody listens."""

    await indexer.apply(note("d", text), AT, ignore)
    record = await index.document("p", "d")
    stored = await index.facts(record)
    return [each.fact.text for each in stored]


async def verified(models: Models, chart: str, text: str, **settings: str) -> ScoreSheetIssued:
    index, events = MemoryIndex(), []

    async def emit(event: Event) -> None:
        events.append(event)

    indexer = DocumentIndexer(index, models.embedder, models.decomposer, SystemClock())
    await indexer.apply(note("d", chart), AT, emit)
    ports = (models.embedder, models.reranker, models.decomposer, models.judge)
    said = TextGenerated(
        occurred_at=NOW,
        text_id="t",
        patient_id="p",
        text=text,
        settings=VerificationSettings(**settings),
    )
    await Verifier(index, *ports, SystemClock()).verify(said, AT, emit)
    return next(each for each in events if isinstance(each, ScoreSheetIssued))


async def test_a_snippet_is_judged_as_one_and_says_where_it_comes_from(models: Models) -> None:
    first, second = "A 67-year-old man's creatinine rose to 2.4.", "This was due to contrast."
    text = f"Hospital Course:\n{first} {second} Is he on losartan? He has gout.\n"
    sheet = await verified(models, f"{first} {second} He has gout.", text, unit="snippet")
    chain, alone = [row.proposition for row in sheet.judged]
    assert (chain.text, chain.pattern) == (f"{first} {second}", "B")
    assert [text[each.start : each.end] for each in chain.sources] == [first, second]
    assert (alone.text, alone.pattern) == ("He has gout.", "D")
    assert (alone.context.age, alone.context.sex) == ("67 years", "male")
    assert alone.section == "Hospital Course"
    (flagged,) = sheet.flagged
    assert (flagged.flag, flagged.text) == ("interrogative", "Is he on losartan?")
    assert text[flagged.start : flagged.end] == flagged.text


async def test_the_mode_reaches_the_model(models: Models) -> None:
    text = "He was febrile due to sepsis and was given fluids."
    direct = await verified(models, text, text, unit="snippet")
    grouped = await verified(models, text, text, unit="snippet", decomposition="group")
    assert [row.proposition.text for row in direct.judged] == [text]
    assert len(grouped.judged) == 2


async def test_a_long_text_in_pieces_has_its_offsets_and_flags(models: Models) -> None:
    part = "Creatinine rose to 2.4. This was due to contrast. Is she well?\n\n"
    text = part * 4000
    assert len(text) > 2 * PIECE_CHARACTERS
    found = await models.decomposer.propositions(text, "snippet")
    assert len(found.units) == len(found.flagged) == 4000
    for unit, flagged in zip(found.units, found.flagged, strict=True):
        assert unit.content == text[unit.start : unit.end]
        said = [text[each.start : each.end] for each in unit.sources]
        assert said == ["Creatinine rose to 2.4.", "This was due to contrast."]
        assert text[flagged.start : flagged.end] == flagged.text == "Is she well?"


async def test_facts_are_sentences_or_claims_apart_from_the_unit(models: Models) -> None:
    text = "He denies fever, cough and nausea. Is he well?"
    assert await facts_of(models, text) == ["He denies fever, cough and nausea.", "Is he well?"]
    assert await facts_of(models, text, fact_unit="claim") == [
        "He denies fever",
        "He denies cough",
        "He denies nausea",
        "Is he well?",
    ]


async def test_a_worker_cuts_facts_as_its_environment_says(
    models: Models, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[DocumentIndexer] = []

    def keep(*parts: object) -> DocumentIndexer:
        made.append(DocumentIndexer(*parts))
        return made[-1]

    monkeypatch.setattr(streams.app, "DocumentIndexer", keep)
    for said in ("sentence", "claim"):
        monkeypatch.setenv("CHARTPROOF_FACT_UNIT", said)
        streams.app.build_app(
            Settings(),
            MemoryIndex(),
            models,
            metrics=Metrics(),
            traffic=Traffic(Client(Settings())),
        )
    monkeypatch.delenv("CHARTPROOF_FACT_UNIT")
    assert [indexer.fact_unit for indexer in made] == ["sentence", "claim"]
    assert Settings().fact_unit == "sentence"


async def test_what_is_flagged_is_in_the_sheet_and_never_before_the_judge() -> None:
    bench = Bench()
    await bench.add(fact("f1"))
    sheet = await bench.verify("first\nwhy?\nsecond")
    assert [row.proposition.text for row in sheet.judged] == ["first", "second"]
    assert bench.judge.calls == 2
    assert [(each.text, each.start, each.end) for each in sheet.flagged] == [("why?", 6, 10)]
    console = Console(width=120, file=io.StringIO())
    console.print(*completeness(sheet))
    assert "interrogative" in console.file.getvalue()
    assert "why?" in console.file.getvalue()


def answer(**fields: object) -> bytes:
    said = {"text": "No fever.", "start": 0, "end": 9, **fields}
    return json.dumps([said]).encode()


async def test_an_answer_without_the_new_fields_is_read() -> None:
    found = Decomposed.of(wire.read_spans(answer(), "No fever.", "snippet"))
    (unit,) = found.units
    assert (unit.sources, unit.pattern, unit.context, found.flagged) == ((), None, None, ())
    proposition = Proposition(proposition_id="1", ordinal=0, unit="claim", text="t", start=0, end=1)
    assert (proposition.sources, proposition.pattern, proposition.context) == ((), None, None)


async def test_an_answer_with_all_fields_is_read() -> None:
    document = answer(
        sources=[[0, 9]], pattern="D", context={"sex": "female", "zodiac": "Leo"}, extra=1
    )
    (unit,) = wire.read_spans(document, "No fever.", "claim")
    assert unit.sources == (SourceSpan(start=0, end=9),)
    assert (unit.pattern, unit.context.sex, unit.context.age) == ("D", "female", None)


@pytest.mark.parametrize(
    "fields",
    [
        {"sources": [[0, 99]]},
        {"sources": [[5, 5]]},
        {"pattern": "Z"},
        {"flag": "boring"},
        {"flag": "vague", "text": "Other words"},
        {"text": "He has no fever.", "sources": [[0, 3], [3, 9]]},
    ],
)
async def test_a_wrong_answer_is_a_model_error(fields: dict[str, object]) -> None:
    with pytest.raises(ModelError):
        wire.read_spans(answer(**fields), "No fever.", "snippet")


async def test_a_sheet_of_an_older_worker_has_nothing_flagged() -> None:
    bench = Bench()
    await bench.add(fact("f1"))
    sheet = await bench.verify("first\nwhy?")
    said = sheet.model_dump(mode="json", exclude={"flagged"})
    assert ScoreSheetIssued.model_validate(said) == sheet.model_copy(update={"flagged": ()})


async def test_a_setting_that_came_later_renames_no_text() -> None:
    text = TextGenerated(occurred_at=NOW, text_id="t", patient_id="p", text="x")
    changed = replace_settings(text, decomposition="group")
    assert text.event_id == replace_settings(text, decomposition="direct").event_id
    assert text.event_id != changed.event_id


def replace_settings(text: TextGenerated, **settings: str) -> TextGenerated:
    return text.model_copy(update={"settings": VerificationSettings(**settings)})

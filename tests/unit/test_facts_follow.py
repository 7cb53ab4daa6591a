"""The index follows a document: through versions in any order, repeats, crashes, retractions."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agents.adapters.index.memory import MemoryIndex
from agents.adapters.models import Models
from agents.chart_records import DocumentStatus
from agents.errors import DependencyUnavailable
from agents.indexing.document_indexer import EMBED_BATCH, DocumentIndexer
from agents.indexing.extraction import extract_facts
from agents.ports import Embedder, Embedding
from schemas.events import Event, Position
from schemas.notes import DocumentVersion, Fact, FactsChanged, Note, NoteChanged, NoteRetracted
from schemas.outcomes import Outcome, OutcomeRecorded

pytestmark = pytest.mark.asyncio(loop_scope="module")

REPOSITORY = Path(__file__).parents[2] / "triton_models" / "cpu"
START = datetime(2024, 3, 1, 8, tzinfo=UTC)
SOURCE = Position(topic="inbound.documents", partition=2, offset=41)
PATIENT, DOCUMENT = "p-1", "d-1"


class Clock:
    def now(self) -> datetime:
        return START + timedelta(days=1)


class CountingEmbedder:
    """The real embedder, with what it was asked for; it answers a text it knows from memory."""

    def __init__(self, embedder: Embedder, known: dict[str, Embedding] | None = None) -> None:
        self.embedder = embedder
        self.known = {} if known is None else known
        self.asked: list[list[str]] = []

    @property
    def version(self) -> str:
        return self.embedder.version

    @property
    def dim(self) -> int:
        return self.embedder.dim

    async def check(self) -> None:
        await self.embedder.check()

    async def embed(self, texts: Sequence[str]) -> list[Embedding]:
        self.asked.append(list(texts))
        new = [text for text in dict.fromkeys(texts) if text not in self.known]
        self.known |= dict(zip(new, await self.embedder.embed(new), strict=True)) if new else {}
        return [self.known[text] for text in texts]


class Chart:
    """A indexer over an index in memory, with what it emitted."""

    def __init__(self, models: Models, known: dict[str, Embedding] | None = None) -> None:
        self.index = MemoryIndex()
        self.embedder = CountingEmbedder(models.embedder, known)
        self.indexer = DocumentIndexer(self.index, self.embedder, models.decomposer, Clock())
        self.emitted: list[Event] = []
        self.offset = 0

    async def emit(self, event: Event) -> None:
        self.emitted.append(event)

    async def apply(self, event: NoteChanged | NoteRetracted, offset: int | None = None) -> Outcome:
        if offset is None:
            offset = self.offset
            self.offset += 1
        position = Position(topic="chart", partition=0, offset=offset)
        await self.indexer.apply(event, position, self.emit)
        last = self.emitted[-1]
        assert isinstance(last, OutcomeRecorded)
        assert (last.source, last.item, last.items) == (event.source, event.item, event.items)
        assert (last.patient_id, last.document_id) == (event.patient_id, event.document_id)
        assert last.facts == len(await self.facts()) == await self.index.count(PATIENT)
        return last.outcome

    async def facts(self) -> list[Fact]:
        record = await self.index.document(PATIENT, DOCUMENT)
        stored = await self.index.facts(record) if record else []
        return [embedded.fact for embedded in stored]

    async def said(self) -> list[str]:
        return [fact.text for fact in await self.facts()]

    @property
    def changes(self) -> list[FactsChanged]:
        return [event for event in self.emitted if isinstance(event, FactsChanged)]

    async def state(self) -> object:
        """All that the index says of the document, but for when and by which event."""
        record = await self.index.document(PATIENT, DOCUMENT)
        assert record is not None
        stored = await self.index.facts(record)
        vectors = [(one.embedding.dense.tolist(), dict(one.embedding.sparse)) for one in stored]
        count = await self.index.count(PATIENT)
        return record.status, record.version.version_id, await self.facts(), vectors, count


@pytest.fixture
def chart(models: Models) -> Chart:
    return Chart(models)


def changed(
    text: str,
    version_id: str | None = None,
    last_updated: datetime | None = None,
    at: int = 0,
    note_time: datetime = START,
) -> NoteChanged:
    kept = hashlib.sha256(f"{text}|{note_time}".encode()).hexdigest()
    return NoteChanged(
        occurred_at=START + timedelta(seconds=at),
        patient_id=PATIENT,
        document_id=DOCUMENT,
        version=DocumentVersion(
            version_id=version_id, last_updated=last_updated, content_hash=kept
        ),
        note=Note(text=text, note_time=note_time, note_type="Progress note", encounter_id="e-1"),
        source=SOURCE,
        item=1,
        items=3,
    )


def retracted(version_id: str | None = None, at: int = 50) -> NoteRetracted:
    return NoteRetracted(
        occurred_at=START + timedelta(seconds=at),
        patient_id=PATIENT,
        document_id=DOCUMENT,
        version=DocumentVersion(version_id=version_id, content_hash="retracted"),
        reason="entered_in_error",
        source=SOURCE,
    )


async def test_facts_point_exactly_at_the_note(models: Models) -> None:
    text = "HPI:\r\nNo chest pain 😀. Denies\r\nfever.\r\n\r\nPMH:\r\n- Gout\r\n- Gout\r\n"
    event = changed(text)
    facts = await extract_facts(event, models.decomposer)
    assert [(fact.section, fact.text) for fact in facts] == [
        ("History of Present Illness", "No chest pain 😀."),
        ("History of Present Illness", "Denies\r\nfever."),
        ("Past Medical History", "Gout"),
        ("Past Medical History", "Gout"),
    ]
    for ordinal, fact in enumerate(facts):
        assert fact.text == text[fact.start : fact.end]
        assert fact.ordinal == ordinal
        assert (fact.note_time, fact.note_type, fact.encounter_id) == (
            START,
            "Progress note",
            "e-1",
        )
    assert len({fact.fact_id for fact in facts}) == 4


async def test_ids_stay_when_text_moves_and_differ_between_documents(models: Models) -> None:
    before = await extract_facts(changed("No fever. Gout. Gout."), models.decomposer)
    moved = await extract_facts(changed("Asthma.\n\nNo\nfever. Gout. Gout."), models.decomposer)
    assert [fact.fact_id for fact in moved[1:]] == [fact.fact_id for fact in before]
    other = changed("No fever. Gout. Gout.").model_copy(update={"document_id": "d-2"})
    elsewhere = await extract_facts(other, models.decomposer)
    assert not {fact.fact_id for fact in elsewhere} & {fact.fact_id for fact in before}


async def test_a_new_note_is_indexed_and_announced(chart: Chart) -> None:
    assert await chart.apply(changed("Fever since Monday. No cough.", "1")) is Outcome.INDEXED
    assert await chart.said() == ["Fever since Monday.", "No cough."]
    (change,) = chart.changes
    assert (len(change.added), change.removed, change.kept) == (2, (), 0)


async def test_a_new_version_embeds_only_what_changed(chart: Chart) -> None:
    await chart.apply(changed("Fever since Monday. No cough. Gout.", "1"))
    text = "Seen today. Fever since Monday.\nCough. Gout."
    assert await chart.apply(changed(text, "2")) is Outcome.INDEXED
    assert chart.embedder.asked[1:] == [["Seen today.", "Cough."]]
    facts = await chart.facts()
    assert [text[fact.start : fact.end] for fact in facts] == [fact.text for fact in facts]
    assert await chart.said() == ["Seen today.", "Fever since Monday.", "Cough.", "Gout."]
    change = chart.changes[-1]
    assert (len(change.added), len(change.removed), change.kept) == (2, 1, 2)


async def test_facts_that_stay_take_the_time_of_the_new_version(chart: Chart) -> None:
    await chart.apply(changed("Gout.", "1"))
    later = START + timedelta(hours=5)
    assert await chart.apply(changed("Gout.", "2", note_time=later)) is Outcome.INDEXED
    assert [fact.note_time for fact in await chart.facts()] == [later]
    assert len(chart.embedder.asked) == 1
    assert len(chart.changes) == 1


async def test_an_older_version_changes_nothing(chart: Chart) -> None:
    await chart.apply(changed("Asthma. Gout.", "10"))
    assert await chart.apply(changed("Cough.", "9")) is Outcome.STALE
    assert await chart.said() == ["Asthma.", "Gout."]
    assert len(chart.changes) == len(chart.embedder.asked) == 1


async def test_the_same_event_again_changes_nothing(chart: Chart) -> None:
    outcomes = [await chart.apply(changed("Gout.", "1", at=at)) for at in range(5)]
    assert outcomes == [Outcome.INDEXED, *[Outcome.UNCHANGED] * 4]
    assert len(chart.changes) == len(chart.embedder.asked) == 1


async def test_a_no_op_update_is_remembered_without_work(chart: Chart) -> None:
    """Or version 2, when it comes after version 3, would pass for new."""
    await chart.apply(changed("Gout.", "1"))
    assert await chart.apply(changed("Gout.", "3", at=1)) is Outcome.UNCHANGED
    assert await chart.apply(changed("Gout and asthma.", "2", at=2)) is Outcome.STALE
    assert await chart.said() == ["Gout."]
    assert len(chart.embedder.asked) == 1


async def test_a_copy_without_meta_does_not_make_the_version_forgotten(chart: Chart) -> None:
    await chart.apply(changed("Gout.", "5"))
    assert await chart.apply(changed("Gout. Asthma.")) is Outcome.INDEXED
    assert await chart.apply(changed("Cough.", "4")) is Outcome.STALE


@pytest.mark.parametrize("text", ["", " \r\n ", "ALLERGIES:\n"])
async def test_a_note_that_says_nothing_has_no_facts(chart: Chart, text: str) -> None:
    assert await chart.apply(changed(text, "1")) is Outcome.INDEXED
    assert await chart.said() == []
    assert chart.changes == []
    await chart.apply(changed("Gout.", "2"))
    assert await chart.apply(changed(text, "3")) is Outcome.INDEXED
    assert await chart.said() == []


async def test_a_retraction_removes_the_facts_and_stays(chart: Chart) -> None:
    await chart.apply(changed("Gout. Asthma.", "2"))
    assert await chart.apply(retracted("3")) is Outcome.RETRACTED
    assert await chart.said() == []
    assert (len(chart.changes[-1].removed), chart.changes[-1].added) == (2, ())
    assert await chart.apply(changed("Gout. Asthma.", "1")) is Outcome.STALE
    assert await chart.apply(changed("Gout. Asthma.", "2")) is Outcome.STALE
    assert await chart.apply(changed("Gout.", "3")) is Outcome.STALE
    assert await chart.apply(retracted("3")) is Outcome.RETRACTED
    record = await chart.index.document(PATIENT, DOCUMENT)
    assert record is not None
    assert record.status is DocumentStatus.RETRACTED
    assert await chart.apply(changed("Gout.", "4")) is Outcome.INDEXED
    assert await chart.said() == ["Gout."]


async def test_an_old_retraction_does_not_remove_a_newer_version(chart: Chart) -> None:
    await chart.apply(changed("Gout.", "4"))
    assert await chart.apply(retracted("3")) is Outcome.STALE
    assert await chart.said() == ["Gout."]


async def test_a_retraction_may_come_before_its_document(chart: Chart) -> None:
    assert await chart.apply(retracted("3")) is Outcome.RETRACTED
    assert chart.changes == []
    assert await chart.apply(changed("Gout.", "2")) is Outcome.STALE
    assert await chart.apply(changed("Gout.", "4")) is Outcome.INDEXED


async def test_without_versions_another_copy_of_what_was_retracted_stays_out(chart: Chart) -> None:
    await chart.apply(changed("Gout.", at=0))
    assert await chart.apply(retracted(at=1)) is Outcome.RETRACTED
    assert await chart.apply(changed("Gout.", at=2)) is Outcome.STALE
    assert await chart.apply(changed("Gout, in remission.", at=3)) is Outcome.INDEXED


class Crash(Exception):
    pass


@pytest.mark.parametrize("last", range(3), ids=["at the announcement", "at the write", "after it"])
async def test_a_redelivery_after_a_crash_ends_in_the_same_outputs(
    models: Models, monkeypatch: pytest.MonkeyPatch, last: int
) -> None:
    """`last` steps of announce, write, record are done when the worker dies."""
    events = [changed("Gout. Asthma.", "1", at=0), changed("Gout. Cough.", "2", at=1)]
    expected, crashed = Chart(models), Chart(models)
    for event in events:
        await expected.apply(event)
    await crashed.apply(events[0])

    steps = 0

    def step() -> None:
        nonlocal steps
        if steps == last:
            raise Crash
        steps += 1

    write = crashed.index.write

    async def emit(event: Event) -> None:
        step()
        crashed.emitted.append(event)

    async def dying_write(*args: object) -> None:
        step()
        await write(*args)  # type: ignore[arg-type]

    position = Position(topic="chart", partition=0, offset=1)
    with monkeypatch.context() as patched:
        patched.setattr(crashed.index, "write", dying_write)
        with pytest.raises(Crash):
            await crashed.indexer.apply(events[1], position, emit)
    assert await crashed.apply(events[1], offset=1) is Outcome.INDEXED
    assert await crashed.state() == await expected.state()
    ids = {event.event_id: event for event in crashed.emitted}
    assert ids == {event.event_id: event for event in expected.emitted}


async def test_a_write_that_stops_half_way_is_repaired(
    models: Models, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The old version counts until the document's row is written."""
    expected, broken = Chart(models), Chart(models)
    events = [changed("Gout. Asthma.", "1", at=0), changed("Gout. Cough.", "2", at=1)]
    for event in events:
        await expected.apply(event)
    await broken.apply(events[0])

    async def unavailable(*args: object) -> None:
        raise DependencyUnavailable("milvus", "no answer")

    for step in ("_put_facts", "_put_document", "_remove_outdated"):
        with monkeypatch.context() as patched:
            patched.setattr(broken.index, step, unavailable)
            with pytest.raises(DependencyUnavailable):
                await broken.apply(events[1], offset=1)
    assert await broken.apply(events[1], offset=1) is Outcome.INDEXED
    assert await broken.state() == await expected.state()


async def test_facts_that_an_outage_has_lost_come_back_with_the_note(chart: Chart) -> None:
    await chart.apply(changed("Gout. Asthma.", "1"))
    before = await chart.state()
    stored = chart.index._facts[PATIENT]
    del stored[next(iter(stored))]
    assert await chart.apply(changed("Gout. Asthma.", "1", at=5)) is Outcome.INDEXED
    assert await chart.state() == before
    assert chart.embedder.asked[1:] == [["Gout."]], "only what is missing is embedded again"


@pytest.mark.parametrize("retract", [True, False])
async def test_a_record_below_the_position_of_the_document_changes_nothing(
    chart: Chart, retract: bool
) -> None:
    """Offsets of the group were set back, or a worker that was expelled goes on."""
    await chart.apply(changed("Gout."), offset=10)
    await chart.apply(changed("Gout. Asthma.", at=1), offset=11)
    changes, state = list(chart.changes), await chart.state()
    late = retracted(at=0) if retract else changed("Gout.")
    assert await chart.apply(late, offset=10) is Outcome.STALE
    assert (chart.changes, await chart.state()) == (changes, state)


async def test_a_note_of_a_megabyte_is_embedded_in_bounded_batches(models: Models) -> None:
    sentence = "The wound on the leg is clean and dry and was dressed by the nurse in room {}."
    text = "\n".join(sentence.format(n % 5) for n in range(14_000))
    assert len(text) > 1_000_000
    chart = Chart(models)
    assert await chart.apply(changed(text, "1")) is Outcome.INDEXED
    assert await chart.index.count(PATIENT) == 14_000
    assert max(map(len, chart.embedder.asked)) == EMBED_BATCH


SENTENCES = ["Fever.", "No cough.", "Gout.", "Gout.", "Asthma since childhood.", "HPI: Well.", "\n"]


@st.composite
def arrivals(draw: st.DrawFn) -> tuple[list[NoteChanged | NoteRetracted], list[int]]:
    """Versions of one document, numbered upwards, and an order in which all arrive, some again."""
    versions: list[NoteChanged | NoteRetracted] = []
    for number in range(1, draw(st.integers(1, 5)) + 1):
        if draw(st.integers(0, 5)) == 0:
            versions.append(retracted(str(number), at=number))
            continue
        text = " ".join(draw(st.lists(st.sampled_from(SENTENCES), max_size=5)))
        versions.append(changed(text, str(number), at=number))
    everyone = list(range(len(versions)))
    again = draw(st.lists(st.sampled_from(everyone), max_size=5))
    return versions, draw(st.permutations([*everyone, *again]))


@given(arrivals())
@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
async def test_any_order_and_repetition_of_versions_gives_the_same_index(
    models: Models, drawn: tuple[list[NoteChanged | NoteRetracted], list[int]]
) -> None:
    versions, order = drawn
    known: dict[str, Embedding] = {}
    ordered, shuffled = Chart(models, known), Chart(models, known)
    for event in versions:
        await ordered.apply(event)
    for which in order:
        await shuffled.apply(versions[which])
    assert await shuffled.state() == await ordered.state()
    record = await shuffled.index.document(PATIENT, DOCUMENT)
    assert record is not None
    retracted_last = isinstance(versions[-1], NoteRetracted)
    assert (record.status is DocumentStatus.RETRACTED) == retracted_last


async def times(chart: Chart) -> dict[str, datetime]:
    return {fact.text: fact.note_time for fact in await chart.facts()}


async def test_what_a_later_version_adds_is_known_from_that_version_on(chart: Chart) -> None:
    day = [START + timedelta(days=n) for n in range(10)]
    await chart.apply(changed("No cough.", "1", day[0]))
    await chart.apply(changed("No cough. Gout.", "2", day[7]))
    assert await times(chart) == {"No cough.": START, "Gout.": day[7]}
    await chart.apply(changed("No cough. Gout. Fever.", "3", day[8]))
    assert await times(chart) == {"No cough.": START, "Gout.": day[7], "Fever.": day[8]}


async def test_a_date_that_is_corrected_moves_the_facts_that_were_there(chart: Chart) -> None:
    day = [START + timedelta(days=n) for n in range(10)]
    await chart.apply(changed("No cough.", "1", day[0]))
    await chart.apply(changed("No cough. Gout.", "2", day[7]))
    await chart.apply(changed("No cough. Gout.", "3", day[8], note_time=day[3]))
    assert await times(chart) == {"No cough.": day[3], "Gout.": day[7]}
    await chart.apply(changed("No cough. Gout.", "4", day[9], note_time=day[9]))
    assert await times(chart) == {"No cough.": day[9], "Gout.": day[9]}


async def test_a_version_that_does_not_say_when_has_the_time_of_its_note(chart: Chart) -> None:
    await chart.apply(changed("No cough."))
    await chart.apply(changed("No cough. Gout.", at=60))
    assert await times(chart) == {"No cough.": START, "Gout.": START}


async def test_what_comes_back_otherwise_after_a_retraction_is_new(chart: Chart) -> None:
    later = START + timedelta(days=7)
    await chart.apply(changed("No cough.", "1", START))
    await chart.apply(retracted("2"))
    await chart.apply(changed("Cough.", "3", later))
    assert await times(chart) == {"Cough.": later}

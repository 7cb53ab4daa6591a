"""A note of a backfill goes in when nothing live waits, and counts as done with its outcome."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime

import pytest

from agents.errors import DeadlineExceeded, DependencyUnavailable
from agents.ports import Record
from schemas.events import Position
from schemas.notes import DocumentVersion, NoteRetracted
from schemas.outcomes import Outcome, OutcomeRecorded
from schemas.topics import INBOUND_TEXTS, OUTCOMES
from streams.delivery.backfill_admission import BackfillAdmission
from streams.delivery.live_traffic import Traffic
from streams.delivery.throttling import THROTTLED_ROWS, ThrottledEmbedder, tag_backfill

NOW = datetime(2031, 1, 1, tzinfo=UTC)
BACKFILL = "chartproof.inbound.backfill"
TEXTS = "chartproof.inbound.texts"


class ScriptedFollower:
    """Topics that a test writes; `breaks` ends the following as a broker that goes away does."""

    def __init__(self) -> None:
        self.queue: asyncio.Queue = asyncio.Queue()
        self.follows = 0
        self.away = False

    @asynccontextmanager
    async def follow(self, topics) -> AsyncIterator:
        if self.away:
            raise DependencyUnavailable("kafka", "away")
        self.follows += 1

        async def records():
            while True:
                item = await self.queue.get()
                if isinstance(item, Exception):
                    raise item
                yield item

        yield records()

    def text(self, offset: int) -> None:
        self.queue.put_nowait((INBOUND_TEXTS, Record(TEXTS, 0, offset, None, b"{}")))

    def outcome(self, topic: str, offset: int, item: int = 0, items: int = 1) -> None:
        event = OutcomeRecorded(
            occurred_at=NOW,
            source=Position(topic=topic, partition=0, offset=offset),
            item=item,
            items=items,
            outcome=Outcome.INDEXED,
        )
        self.queue.put_nowait((OUTCOMES, Record("out", 0, 0, None, event.to_json())))


def retraction(offset: int, item: int = 0, items: int = 1) -> NoteRetracted:
    return NoteRetracted(
        occurred_at=NOW,
        patient_id="p",
        document_id=f"d{offset}.{item}",
        version=DocumentVersion(content_hash="h"),
        reason="entered_in_error",
        source=Position(topic=BACKFILL, partition=0, offset=offset),
        item=item,
        items=items,
    )


@pytest.fixture
async def follower():
    return ScriptedFollower()


@pytest.fixture
async def traffic(follower: ScriptedFollower):
    made = Traffic(follower)
    yield made
    await made.close()


class Stage:
    """A backfill whose intake makes `items` notes of each record; `emitted` are those let in."""

    def __init__(self, traffic: Traffic, items: int = 1, **limits: float) -> None:
        self.items = items
        self.emitted: list[str] = []
        self._backfill = BackfillAdmission(self._intake, traffic, **limits)

    async def _intake(self, record: Record, emit) -> None:
        for item in range(self.items):
            await emit(retraction(record.offset, item, self.items))

    async def let_in(self, notes: int) -> None:
        while len(self.emitted) < notes:  # noqa: ASYNC110
            await asyncio.sleep(0.01)

    def start(self, offset: int) -> asyncio.Task:
        async def emit(event) -> None:
            self.emitted.append(event.document_id)

        record = Record(BACKFILL, 0, offset, None, b"")
        return asyncio.create_task(self._backfill.handle(record, emit))


async def settle() -> None:
    """Let every task run until it waits."""
    for _ in range(50):
        await asyncio.sleep(0)


async def test_a_record_is_in_work_until_its_note_has_its_outcome(follower, traffic) -> None:
    stage = Stage(traffic)
    working = stage.start(7)
    await settle()
    follower.outcome(BACKFILL, 8)
    await settle()
    assert stage.emitted == ["d7.0"]
    assert not working.done()
    follower.outcome(BACKFILL, 7)
    await working


async def test_the_notes_of_a_bundle_go_in_one_by_one(follower, traffic) -> None:
    stage = Stage(traffic, items=3)
    working = stage.start(1)
    for item in range(3):
        await settle()
        assert stage.emitted == [f"d1.{n}" for n in range(item + 1)]
        follower.outcome(BACKFILL, 1, item, 3)
    await working


async def test_nothing_goes_in_while_a_live_text_has_no_score_sheet(follower, traffic) -> None:
    stage = Stage(traffic)
    first = stage.start(1)
    await settle()
    follower.text(0)
    follower.text(1)
    follower.outcome(BACKFILL, 1)
    await first
    second = stage.start(2)
    await settle()
    follower.outcome(TEXTS, 1)
    await settle()
    assert stage.emitted == ["d1.0"]
    follower.outcome(TEXTS, 0)
    await settle()
    assert stage.emitted == ["d1.0", "d2.0"]
    follower.outcome(BACKFILL, 2)
    await second


async def test_a_text_whose_outcome_is_read_before_it_holds_nothing_back(follower, traffic) -> None:
    stage = Stage(traffic)
    first = stage.start(1)
    await settle()
    follower.outcome(TEXTS, 0)
    follower.text(0)
    follower.outcome(BACKFILL, 1)
    await first
    second = stage.start(2)
    await settle()
    assert stage.emitted == ["d1.0", "d2.0"]
    follower.outcome(BACKFILL, 2)
    await second


async def test_texts_that_never_cease_do_not_stop_a_backfill_for_good(follower, traffic) -> None:
    stage = Stage(traffic, yield_s=0.01)
    first = stage.start(1)
    await settle()
    follower.text(0)
    follower.outcome(BACKFILL, 1)
    await first
    second = stage.start(2)
    async with asyncio.timeout(30):
        await stage.let_in(2)
    follower.outcome(BACKFILL, 2)
    await second


async def test_an_outcome_that_does_not_come_is_asked_for_by_a_repeat(traffic) -> None:
    with pytest.raises(DeadlineExceeded):
        await Stage(traffic, patience_s=0.01).start(1)


async def test_a_broker_that_goes_away_is_a_reason_to_try_again(follower, traffic) -> None:
    stage = Stage(traffic)
    working = stage.start(1)
    await settle()
    follower.queue.put_nowait(DependencyUnavailable("kafka", "gone"))
    with pytest.raises(DependencyUnavailable):
        await working
    follower.away = True
    with pytest.raises(DependencyUnavailable):
        await stage.start(1)
    follower.away = False
    again = stage.start(1)
    await settle()
    follower.outcome(BACKFILL, 1)
    await again
    assert follower.follows == 2


async def test_a_worker_that_stops_can_cancel_what_waits(follower, traffic) -> None:
    stage = Stage(traffic)
    given_up = stage.start(1)
    await settle()
    given_up.cancel()
    await asyncio.gather(given_up, return_exceptions=True)
    again = stage.start(1)
    await settle()
    follower.outcome(BACKFILL, 1)
    await again


class CountingEmbedder:
    """Says each text's place as its embedding; notes the size of every call."""

    version, dim = "counting", 1

    def __init__(self) -> None:
        self.calls: list[int] = []

    async def check(self) -> None: ...

    async def embed(self, texts) -> list[str]:
        self.calls.append(len(texts))
        return list(texts)


def note_task(sparing: ThrottledEmbedder, topic: str) -> asyncio.Task:
    """The chart agent at a note from `topic`, with facts for four calls."""
    facts = [f"fact {n}" for n in range(3 * THROTTLED_ROWS + 1)]

    async def chart(record: Record, emit) -> None:
        assert await sparing.embed(facts) == facts

    record = Record("chart", 0, 0, None, b'{"source":{"topic":"%s"}}' % topic.encode())
    return asyncio.create_task(tag_backfill(chart)(record, None))


async def test_facts_of_a_backfill_are_embedded_few_at_a_time_and_live_ones_at_once(
    traffic,
) -> None:
    inner = CountingEmbedder()
    await note_task(ThrottledEmbedder(inner, traffic), BACKFILL)
    assert inner.calls == [THROTTLED_ROWS] * 3 + [1]
    await note_task(ThrottledEmbedder(inner, traffic), "chartproof.inbound.documents")
    assert inner.calls[4:] == [3 * THROTTLED_ROWS + 1]


async def test_a_note_that_is_in_work_steps_aside_for_a_live_text(follower, traffic) -> None:
    inner = CountingEmbedder()
    await traffic.no_texts(0)
    follower.text(0)
    await settle()
    working = note_task(ThrottledEmbedder(inner, traffic), BACKFILL)
    await settle()
    assert inner.calls == []
    follower.outcome(TEXTS, 0)
    await working


async def test_a_note_steps_aside_for_so_long_and_not_longer(follower, traffic) -> None:
    await traffic.no_texts(0)
    follower.text(0)
    await settle()
    await note_task(ThrottledEmbedder(CountingEmbedder(), traffic, step_aside_s=0.01), BACKFILL)


async def test_without_a_broker_to_tell_a_note_does_not_step_aside(follower, traffic) -> None:
    follower.away = True
    await note_task(ThrottledEmbedder(CountingEmbedder(), traffic), BACKFILL)

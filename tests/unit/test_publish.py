"""Which record has all its outcomes is told by position and item, in whatever order they come."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest
from rich.console import Console

from agents.ports import Record
from schemas.events import Position
from schemas.outcomes import Outcome, OutcomeRecorded
from schemas.topics import MAX_RECORD_BYTES, OUTCOMES
from streams.cli.progress import PublishBars
from streams.cli.publish import publish
from streams.cli.sources import STDIN, SourceRecord, read_sources
from streams.cli.tally import Tally


def outcome(offset: int, item: int = 0, items: int = 1, said: Outcome = Outcome.INDEXED, facts=0):
    return OutcomeRecorded(
        occurred_at=datetime(2031, 1, 1, tzinfo=UTC),
        source=Position(topic="in", partition=0, offset=offset),
        item=item,
        items=items,
        outcome=said,
        reason="no_text" if said == Outcome.SKIPPED else None,
        facts=facts,
    )


class ScriptedClient:
    """A broker that numbers what it is sent and answers with the outcomes it was given."""

    def __init__(self, outcomes: list[OutcomeRecorded]) -> None:
        self.sent: list[bytes] = []
        self._outcomes = outcomes

    def name(self, topic) -> str:
        return "in"

    async def send(self, topic, value: bytes, key: str | None = None):
        self.sent.append(value)
        position = Position(topic="in", partition=0, offset=len(self.sent) - 1)

        async def acknowledged() -> Position:
            return position

        return acknowledged()

    @asynccontextmanager
    async def follow(self, topics) -> AsyncIterator:
        async def records():
            for each in self._outcomes:
                yield OUTCOMES, Record("out", 0, 0, None, each.to_json())

        yield records()


def some(n: int) -> list[SourceRecord]:
    return [SourceRecord(f"r{i}", b"{}", None) for i in range(n)]


async def test_every_item_of_a_record_is_waited_for_and_repeats_count_once() -> None:
    outcomes = [
        outcome(1, 1, 2, facts=3),
        outcome(0, said=Outcome.SKIPPED),
        outcome(1, 1, 2, facts=3),
        outcome(7),
        outcome(1, 0, 2, facts=4),
    ]
    report = await publish(ScriptedClient(outcomes), some(2), wait=True, stall_s=5)
    assert dict(report.outcomes) == {(Outcome.SKIPPED, "no_text"): 1, (Outcome.INDEXED, None): 2}
    assert (report.facts, report.unresolved, report.ok) == (7, 0, True)


async def test_a_record_without_all_its_outcomes_is_reported_open() -> None:
    report = await publish(ScriptedClient([outcome(0, 0, 2)]), some(1), wait=True, stall_s=0.05)
    assert (report.unresolved, report.ok) == (1, False)


async def test_a_dead_letter_is_not_ok() -> None:
    dead = [outcome(0, said=Outcome.DEAD_LETTERED)]
    report = await publish(ScriptedClient(dead), some(1), wait=True, stall_s=5)
    assert not report.ok


@pytest.mark.parametrize("wait", [False, True])
async def test_what_no_topic_takes_is_refused_by_name_and_the_rest_is_sent(wait: bool) -> None:
    client = ScriptedClient([outcome(0)])
    huge = SourceRecord("huge.json", b"x" * MAX_RECORD_BYTES, None)
    report = await publish(client, [huge, *some(1)], wait=wait, stall_s=5)
    assert report.refused == ["huge.json"]
    assert (report.records, len(client.sent), report.ok) == (1, 1, False)


async def test_outcomes_of_other_producers_records_are_not_counted_or_kept() -> None:
    tally = Tally("in")
    for offset in (0, 1):
        tally.take(outcome(offset))
    tally.take(outcome(1).model_copy(update={"source": Position(topic="x", partition=0, offset=1)}))
    tally.expect(Position(topic="in", partition=0, offset=1))
    tally.take(outcome(2))
    tally.expect(Position(topic="in", partition=0, offset=3))
    assert (tally.settled, tally.open) == (1, 1)
    await tally.done(0.01)
    for offset in (0, 2, 3, 3, 4):
        tally.take(outcome(offset))
    assert dict(tally.outcomes) == {(Outcome.INDEXED, None): 2}
    assert (tally.settled, tally.open, tally.held) == (2, 0, 0)


async def test_the_bar_knows_how_much_of_the_files_is_published(tmp_path: Path) -> None:
    for name in ("a.ndjson", "b.ndjson"):
        (tmp_path / name).write_bytes(b"{}\n{}\n")
    shares = []
    with PublishBars([tmp_path], wait=False, console=Console(quiet=True)) as bars:

        def acknowledged(record: SourceRecord) -> None:
            bars.acknowledged(record)
            shares.append(bars.share)

        await publish(ScriptedClient([]), read_sources([tmp_path]), acknowledged=acknowledged)
    assert shares == sorted(shares)
    assert 0 < shares[0] < shares[-1] == 1.0


def test_the_bar_of_stdin_has_no_end() -> None:
    with PublishBars([STDIN], wait=True, console=Console(quiet=True)) as bars:
        bars.acknowledged(SourceRecord("stdin:1", b"{}", None))
        assert bars.share == 0

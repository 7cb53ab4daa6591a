"""A backfill that ends anywhere goes on from what the broker has acknowledged."""

import asyncio
import gzip
import json
import os
from pathlib import Path

import pytest

from schemas.events import Position
from streams.cli import publish as publishing
from streams.cli.publish import Published
from streams.cli.publish_backfill import Speed, backfill
from streams.cli.resume import CannotResume


class Broker:
    """A client whose broker answers the first `answers` records and then goes quiet."""

    broker = "broker:9092"

    def __init__(self, answers: int = 10**9, prefix: str = "") -> None:
        self.sent: list[bytes] = []
        self.unacknowledged = 0
        self.most_unacknowledged = 0
        self._answers = answers
        self._prefix = prefix

    def name(self, topic) -> str:
        return self._prefix + topic.name

    async def send(self, topic, value: bytes, key: str | None = None):
        self.sent.append(value)
        number = len(self.sent) - 1
        self.unacknowledged += 1
        self.most_unacknowledged = max(self.most_unacknowledged, self.unacknowledged)

        async def acknowledged() -> Position:
            if number >= self._answers:
                await asyncio.Event().wait()
            await asyncio.sleep(0)
            self.unacknowledged -= 1
            return Position(topic="in", partition=0, offset=number)

        return acknowledged()


def lines(n: int, start: int = 0) -> list[bytes]:
    return [b'{"n":%d}' % i for i in range(start, start + n)]


async def run(broker: Broker, *paths: Path, state: Path, **options) -> Published:
    return await backfill(broker, list(paths), state_file=state, **options)


async def killed(broker: Broker, *paths: Path, state: Path) -> None:
    """Run until the broker is quiet, then end as by Ctrl-C."""
    working = asyncio.create_task(run(broker, *paths, state=state))
    before = -1
    while before != len(broker.sent):
        before = len(broker.sent)
        await asyncio.sleep(0.05)
    working.cancel()
    # What is on its way is waited for; a second Ctrl-C ends that too.
    await asyncio.sleep(0.05)
    working.cancel()
    await asyncio.gather(working, return_exceptions=True)


@pytest.mark.parametrize("name", ["notes.ndjson", "notes.ndjson.gz"])
async def test_a_second_run_goes_on_behind_what_was_acknowledged(tmp_path: Path, name) -> None:
    path, state = tmp_path / name, tmp_path / "state.json"
    content = b"\n".join(lines(50))
    path.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    await killed(Broker(answers=20), path, state=state)
    second = Broker()
    report = await run(second, path, state=state)
    assert second.sent == lines(30, start=20)
    assert report.records == 30


async def test_the_files_of_a_folder_are_done_one_after_the_other(tmp_path: Path) -> None:
    folder, state = tmp_path / "export", tmp_path / "state.json"
    folder.mkdir()
    (folder / "1.ndjson").write_bytes(b"\n".join(lines(5)))
    (folder / "2.json").write_bytes(b'{"n":\n5}')
    (folder / "3.jsonl").write_bytes(b"\n".join(lines(5, start=6)))
    await killed(Broker(answers=8), folder, state=state)
    second = Broker()
    await run(second, folder, folder / "1.ndjson", state=state)
    assert second.sent == lines(3, start=8)
    (folder / "4.ndjson").write_bytes(lines(1, start=11)[0])
    third = Broker()
    await run(third, folder, state=state)
    assert third.sent == lines(1, start=11)


async def test_a_file_that_has_changed_is_refused_before_anything_is_sent(tmp_path: Path) -> None:
    path, state = tmp_path / "notes.ndjson", tmp_path / "state.json"
    path.write_bytes(b"\n".join(lines(50)))
    await killed(Broker(answers=20), path, state=state)
    path.write_bytes(b"\n".join(lines(51)))
    broker = Broker()
    with pytest.raises(CannotResume, match=r"notes.ndjson has changed.*Delete .*state.json"):
        await run(broker, path, state=state)
    assert broker.sent == []


async def test_a_file_with_the_same_size_and_another_time_has_changed(tmp_path: Path) -> None:
    path, state = tmp_path / "notes.ndjson", tmp_path / "state.json"
    path.write_bytes(lines(1)[0])
    await run(Broker(), path, state=state)
    os.utime(path, (1, 1))
    with pytest.raises(CannotResume):
        await run(Broker(), path, state=state)


async def test_what_another_broker_has_is_no_place_to_go_on_from(tmp_path: Path) -> None:
    path, state = tmp_path / "notes.ndjson", tmp_path / "state.json"
    path.write_bytes(lines(1)[0])
    await run(Broker(), path, state=state)
    with pytest.raises(CannotResume, match="--resume"):
        await run(Broker(prefix="other."), path, state=state)


async def test_a_file_that_is_no_state_is_not_written_over(tmp_path: Path) -> None:
    path = tmp_path / "notes.ndjson"
    path.write_bytes(lines(1)[0])
    with pytest.raises(CannotResume):
        await run(Broker(), path, state=path)
    assert path.read_bytes() == lines(1)[0]


async def test_stdin_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="stdin"):
        await run(Broker(), Path("-"), state=tmp_path / "state.json")


async def test_the_state_names_each_file_with_what_it_was(tmp_path: Path) -> None:
    path, state = tmp_path / "notes.ndjson", tmp_path / "state.json"
    path.write_bytes(b"\n".join(lines(3)) + b"\n\n")
    await run(Broker(), path, state=state)
    said = json.loads(state.read_bytes())
    assert said["target"] == "broker:9092 inbound.backfill"
    known = said["files"][str(path.resolve())]
    assert (known["size"], known["line"], known["done"]) == (path.stat().st_size, 3, True)


async def test_what_is_on_its_way_is_bounded(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(publishing, "IN_FLIGHT", 7)
    path = tmp_path / "notes.ndjson"
    path.write_bytes(b"\n".join(lines(500)))
    broker = Broker()
    report = await run(broker, path, state=tmp_path / "state.json")
    assert (report.records, broker.most_unacknowledged) == (500, 7)
    assert broker.sent == lines(500)


def test_progress_counts_what_earlier_runs_did_and_reckons_with_this_ones_pace(monkeypatch) -> None:
    monkeypatch.setattr("streams.cli.publish_backfill.time.monotonic", lambda: 110.0)
    speed = Speed(total=10_000_000, read=5_000_000, started=100.0)
    speed.read = 7_500_000
    said = speed.line(Published(records=5000))
    assert said == "5,000 records published, 75% of 10.0 MB, 500/s, 0:00:10 left"
    said = speed.line(Published(records=5000, settled=100))
    assert said.endswith("; 100 done, 10.0/s, 0:16:30 left")

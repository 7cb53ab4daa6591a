"""`chartproof publish --backfill`: a bulk export to `inbound.backfill`, resumable.

Files are read in the order given (a folder's in name order); the broker's acknowledgements come
back in that order, so one place in one file says how far it has come (`resume`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

from schemas.topics import INBOUND_BACKFILL
from streams.cli.client import Client
from streams.cli.publish import Published, publish
from streams.cli.resume import Resume
from streams.cli.sources import STDIN, SourceRecord, check_there, files_of, read_file

STALL_SECONDS = 600.0
"""Live traffic comes first, so a backfill may have to wait for long."""

Show = Callable[[str], None]


async def backfill(  # noqa: PLR0913 - options, by name
    client: Client,
    paths: Sequence[Path],
    *,
    state_file: Path,
    wait: bool = False,
    show: Show = lambda _: None,
    show_every_s: float = 1.0,
) -> Published:
    """Publish what `state_file` does not say is published; it is kept up to date meanwhile.

    `show` gets a line about how far it has come. Raises `CannotResume`, `FileNotFoundError`,
    `ValueError` for stdin, and `DependencyUnavailable`.
    """
    if STDIN in paths:
        raise ValueError("A backfill cannot be resumed from stdin; name files or folders.")
    check_there(paths)
    files = list(dict.fromkeys(file.resolve() for path in paths for file in files_of(path)))
    state = Resume(state_file, f"{client.broker} {client.name(INBOUND_BACKFILL)}")
    total = sum(state.file(file).size for file in files)
    speed = Speed(total, sum(state.file(file).read for file in files))

    def progress(report: Published) -> None:
        if speed.due(show_every_s):
            show(speed.line(report))

    try:
        report = await publish(
            client,
            _records(files, state, speed),
            topic=INBOUND_BACKFILL,
            wait=wait,
            stall_s=STALL_SECONDS,
            progress=progress,
            acknowledged=state.acknowledged,
        )
        state.finished(files)
    finally:
        state.save()
    return report


def _records(files: Sequence[Path], state: Resume, speed: Speed) -> Iterator[SourceRecord]:
    for file in files:
        known = state.file(file)
        if known.done:
            continue
        before = speed.read - known.read
        for record in read_file(file, offset=known.offset, line=known.line):
            assert record.place
            speed.read = before + record.place.read
            yield record


@dataclass
class Speed:
    """How fast it goes, and how long it will take at that pace."""

    total: int
    """Bytes of all files."""
    read: int
    """Bytes of them that were read, in earlier runs too."""
    _before: int = field(init=False)
    started: float = field(default_factory=time.monotonic)
    _shown: float = field(init=False)

    def __post_init__(self) -> None:
        self._before = self.read
        self._shown = self.started

    def due(self, every_s: float) -> bool:
        """Whether the last time that this was true is `every_s` seconds ago."""
        now = time.monotonic()
        if now - self._shown < every_s:
            return False
        self._shown = now
        return True

    def line(self, report: Published) -> str:
        """Records published and, once outcomes come, records done: how many, rate, time left."""
        seconds = max(time.monotonic() - self.started, 1e-3)
        here = self.read - self._before
        share = self.read / self.total if self.total else 1.0
        text = (
            f"{report.records:,} records published, {share:.0%} of {self.total / 1e6:,.1f} MB, "
            f"{report.records / seconds:,.0f}/s"
        )
        if self.read < self.total and here:
            text += f", {_left((self.total - self.read) / here * seconds)} left"
        if report.settled and here:
            expected = report.records * (self.total - self._before) / here
            left = (expected - report.settled) / report.settled * seconds
            text += f"; {report.settled:,} done, {report.settled / seconds:,.1f}/s"
            text += f", {_left(left)} left" if left > 0 else ""
        return text


def _left(seconds: float) -> str:
    return str(timedelta(seconds=round(seconds)))

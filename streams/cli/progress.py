"""How far `publish` has come, for people: bytes read of all, and records done of those sent."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    TaskProgressColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from streams.cli.publish import Published
from streams.cli.sources import STDIN, SourceRecord, files_of


class PublishBars:
    """Bars while the context is open; that of stdin has no end, as nobody knows its size."""

    def __init__(self, paths: Sequence[Path], *, wait: bool, console: Console) -> None:
        known = STDIN not in paths
        files = [file for path in paths for file in files_of(path)] if known else []
        self._sizes = {file: file.stat().st_size for file in files}
        self._read: dict[Path, int] = {}
        self._bars = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TaskProgressColumn(),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            console=console,
        )
        self._sent = self._bars.add_task(
            "publishing", total=sum(self._sizes.values()) if known else None
        )
        self._done = self._bars.add_task("waiting for outcomes", total=None) if wait else None

    @property
    def share(self) -> float:
        """How much of the input is published, 0 to 1; 0 where its size is not known."""
        task = self._bars.tasks[self._sent]
        return task.percentage / 100

    def acknowledged(self, record: SourceRecord) -> None:
        if record.place:
            path, read = record.place.path, record.place.read
            self._bars.advance(self._sent, read - self._read.get(path, 0))
            self._read[path] = read

    def update(self, report: Published) -> None:
        self._bars.update(self._sent, description=f"{report.records:,} records published")
        if self._done is not None:
            self._bars.update(
                self._done,
                description=f"{report.settled:,} of them done",
                completed=report.settled,
                total=report.records,
            )

    def __enter__(self) -> Self:
        self._bars.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._bars.stop()

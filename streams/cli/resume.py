"""How far a backfill has come, in a file: a run that was killed goes on where it stopped.

The file names the broker and topic, and for each source file how much of it the broker has, with
size and time of change: a file that has changed since would be resumed at a wrong place.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from agents.errors import ChartproofError
from streams.cli.sources import SourceRecord

DEFAULT_FILE = Path(".chartproof-backfill.json")
SAVE_SECONDS = 1.0
"""Lines of so long, and a window of `publish`, are published again after a kill -9."""


class CannotResume(ChartproofError):
    """What is there does not fit what the file says; the message tells what to do."""


class FileState(BaseModel):
    """Of a source file: what it was, and up to where the broker has it."""

    model_config = ConfigDict(extra="forbid")

    size: int
    mtime_ns: int
    offset: int = 0
    """Bytes acknowledged, up to the end of a line; of what a .gz unpacks to."""
    line: int = 0
    read: int = 0
    """Bytes of the file itself, for progress."""
    done: bool = False


class _State(BaseModel):
    model_config = ConfigDict(extra="forbid")

    target: str
    files: dict[str, FileState] = {}


class Resume:
    """The state of one backfill. Changes are written every `SAVE_SECONDS`, and by `save`."""

    def __init__(self, file: Path, target: str) -> None:
        """`target` says where to it is published. Raises `CannotResume` for a file of another."""
        self._file = file
        self._state = _read(file) if file.exists() else _State(target=target)
        self._current: tuple[Path, FileState] | None = None
        self._saved_at = time.monotonic()
        if self._state.target != target:
            raise CannotResume(
                f"{file} is of a backfill to {self._state.target}, and this is {target}. "
                f"Name another file with --resume, or delete it to publish everything again."
            )

    def file(self, path: Path) -> FileState:
        """What is known of `path`. Raises `CannotResume` when it has changed since."""
        now, known = path.stat(), self._known(path)
        if known is None or not (known.offset or known.done):
            known = FileState(size=now.st_size, mtime_ns=now.st_mtime_ns)
            self._state.files[str(path.resolve())] = known
        if (known.size, known.mtime_ns) != (now.st_size, now.st_mtime_ns):
            raise CannotResume(
                f"{path} has changed since {self._file} was written ({known.size} bytes then, "
                f"{now.st_size} now), so nothing says where to go on. Delete {self._file} to "
                "publish everything again: repeats change nothing in the index."
            )
        return known

    def acknowledged(self, record: SourceRecord) -> None:
        """The broker has `record` and all before it."""
        place = record.place
        assert place is not None, "stdin is not resumed"
        if self._current is None or self._current[0] != place.path:
            self._finish_current()
            self._current = place.path, self._state.files[str(place.path.resolve())]
        known = self._current[1]
        known.offset, known.line, known.read = place.offset, place.line, place.read
        if time.monotonic() - self._saved_at > SAVE_SECONDS:
            self.save()

    def finished(self, paths: Sequence[Path]) -> None:
        """The broker has all of `paths`."""
        for path in paths:
            if known := self._known(path):
                known.done, known.read = True, known.size

    @property
    def read(self) -> int:
        """Bytes of source files that the broker has."""
        return sum(known.read for known in self._state.files.values())

    def _known(self, path: Path) -> FileState | None:
        return self._state.files.get(str(path.resolve()))

    def _finish_current(self) -> None:
        if self._current:
            known = self._current[1]
            known.done, known.read = True, known.size

    def save(self) -> None:
        written = self._file.with_name(self._file.name + ".new")
        with written.open("w", encoding="utf-8") as file:
            file.write(self._state.model_dump_json(indent=1))
            file.flush()
            os.fsync(file.fileno())
        written.replace(self._file)
        self._saved_at = time.monotonic()


def _read(file: Path) -> _State:
    try:
        return _State.model_validate_json(file.read_bytes())
    except ValidationError:
        raise CannotResume(
            f"{file} is not the state of a backfill. Name another file with --resume."
        ) from None

"""Files, folders and stdin -> records to publish, one at a time, however large the input."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import io
import sys
import threading
import zlib
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, BinaryIO, cast

import orjson

from schemas.topics import MAX_RECORD_BYTES

LINE_FORMATS = (".ndjson", ".jsonl", ".ndjson.gz", ".jsonl.gz")
FILE_FORMATS = (*LINE_FORMATS, ".json", ".json.gz")
STDIN = Path("-")
READ_AHEAD = 64


@dataclass(frozen=True)
class Place:
    """Where a record ends in its file: from here reading goes on."""

    path: Path
    offset: int
    """Bytes up to the end of the record's line, of what a .gz unpacks to."""
    line: int
    read: int
    """Bytes of the file itself that were read so far, for progress."""


@dataclass(frozen=True)
class SourceRecord:
    """`origin` says where it is from (`file:line`); `key` keeps a patient's notes in one order."""

    origin: str
    value: bytes
    key: str | None
    place: Place | None = None
    """None for what cannot be resumed: stdin, and what is made in memory."""


def read_sources(paths: Sequence[Path]) -> Iterator[SourceRecord]:
    """Every record of `paths`; `-` is stdin, a folder is read recursively, in name order.

    NDJSON (also gzipped) gives one record a line, a JSON file is one record. A line or file that is
    not JSON is a record too: intake decides what becomes of it, so nothing is dropped here. Raises
    `FileNotFoundError` for a path that is not there, and a folder without any such file, at once,
    before anything is read.
    """
    check_there(paths)
    return _read_all(paths)


def check_there(paths: Sequence[Path]) -> None:
    for path in paths:
        if path != STDIN and not path.exists():
            raise FileNotFoundError(f"{path}: no such file or folder")
        if path.is_dir() and next(files_of(path), None) is None:
            raise FileNotFoundError(f"{path}: no file in it ends in {', '.join(FILE_FORMATS)}")


def _read_all(paths: Sequence[Path]) -> Iterator[SourceRecord]:
    for path in paths:
        if path == STDIN:
            yield from _read_stdin(_stdin())
        else:
            for file in files_of(path):
                yield from read_file(file)


def files_of(path: Path) -> Iterator[Path]:
    """`path` itself, or what can be published of a folder, in name order."""
    if not path.is_dir():
        yield path
        return
    for file in sorted(path.rglob("*")):
        if file.is_file() and file.name.lower().endswith(FILE_FORMATS):
            yield file


def read_file(path: Path, *, offset: int = 0, line: int = 0) -> Iterator[SourceRecord]:
    """The records of a file behind `offset`, where `line` lines end."""
    with path.open("rb") as raw:
        if path.name.lower().endswith(LINE_FORMATS):
            packed = path.suffix.lower() == ".gz"
            lines = cast(IO[bytes], gzip.GzipFile(fileobj=raw)) if packed else raw
            try:
                lines.seek(offset)
                for end, number, value in _lines(lines, offset, line):
                    yield _record(f"{path}:{number}", value, Place(path, end, number, raw.tell()))
            except (EOFError, zlib.error) as error:
                raise OSError(f"{path}: the gzip stream is damaged or cut off ({error})") from None
        elif not offset:
            value = raw.read()
            yield _record(str(path), value, Place(path, len(value), 1, len(value)))


def _lines(lines: IO[bytes], end: int, number: int) -> Iterator[tuple[int, int, bytes]]:
    """Where it ends, its number, and itself, for each line that is not blank.

    Of a line that no topic takes only the beginning is kept, still too long to be published.
    """
    while value := lines.readline(MAX_RECORD_BYTES):
        end += len(value)
        number += 1
        rest = value
        while not rest.endswith(b"\n") and (rest := lines.readline(MAX_RECORD_BYTES)):
            end += len(rest)
        if value.strip():
            yield end, number, value if len(value) == MAX_RECORD_BYTES else value.strip()


async def in_thread(records: Iterator[SourceRecord]) -> AsyncIterator[SourceRecord]:
    """The same, read in a thread: a terminal or pipe that is silent holds up nothing else.

    The thread ends with the process: nothing wakes one that waits for input.
    """
    loop = asyncio.get_running_loop()
    queue: asyncio.Queue[SourceRecord | Exception | None] = asyncio.Queue(READ_AHEAD)

    def put(item: SourceRecord | Exception | None) -> None:
        asyncio.run_coroutine_threadsafe(queue.put(item), loop).result()

    def read() -> None:
        with contextlib.suppress(RuntimeError):  # the loop was closed meanwhile
            try:
                for record in records:
                    put(record)
                put(None)
            except (OSError, ValueError) as error:
                put(error)

    threading.Thread(target=read, daemon=True).start()
    while (record := await queue.get()) is not None:
        if isinstance(record, Exception):
            raise record
        yield record


def _stdin() -> BinaryIO:
    """A reader of its own: Python locks `sys.stdin` when it ends, and a thread may be in it."""
    try:
        return open(sys.stdin.fileno(), "rb", closefd=False)
    except io.UnsupportedOperation:  # no file, as in tests
        return sys.stdin.buffer


def _read_stdin(stream: BinaryIO) -> Iterator[SourceRecord]:
    """One JSON document over several lines is one record; anything else is a record a line."""
    first = stream.readline()
    try:
        orjson.loads(first)
    except orjson.JSONDecodeError:
        rest = first + stream.read()
        try:
            orjson.loads(rest)
        except orjson.JSONDecodeError:
            yield from _read_lines("stdin", iter(rest.splitlines(keepends=True)))
        else:
            yield _record("stdin", rest)
        return
    yield _record("stdin:1", first)
    yield from _read_lines("stdin", stream, first_line=2)


def _read_lines(
    name: str, lines: BinaryIO | Iterator[bytes], first_line: int = 1
) -> Iterator[SourceRecord]:
    for number, line in enumerate(lines, first_line):
        if line.strip():
            yield _record(f"{name}:{number}", line.strip())


def _record(origin: str, value: bytes, place: Place | None = None) -> SourceRecord:
    return SourceRecord(origin, value, _patient_key(value), place)


def _patient_key(value: bytes) -> str | None:
    """The patient reference of a single resource, as Kafka key; None when there is none to see."""
    try:
        resource = orjson.loads(value)
    except orjson.JSONDecodeError:
        return None
    subject = resource.get("subject") if isinstance(resource, dict) else None
    reference = subject.get("reference") if isinstance(subject, dict) else None
    return reference if isinstance(reference, str) else None

"""Files, folders and stdin -> records to publish, one at a time, however large the input."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import orjson

LINE_FORMATS = {".ndjson", ".jsonl"}
FILE_FORMATS = LINE_FORMATS | {".json"}
STDIN = Path("-")


@dataclass(frozen=True)
class SourceRecord:
    """`origin` says where it is from (`file:line`); `key` keeps a patient's notes in one order."""

    origin: str
    value: bytes
    key: str | None


def read_sources(paths: Sequence[Path]) -> Iterator[SourceRecord]:
    """Every record of `paths`; `-` is stdin, a folder is read recursively, in name order.

    NDJSON gives one record a line, a JSON file is one record. A line or file that is not JSON is a
    record too: intake decides what becomes of it, so nothing is dropped here. Raises
    `FileNotFoundError` for a path that is not there at once, before anything is read.
    """
    for path in paths:
        if path != STDIN and not path.exists():
            raise FileNotFoundError(f"{path}: no such file or folder")
    return _read_all(paths)


def _read_all(paths: Sequence[Path]) -> Iterator[SourceRecord]:
    for path in paths:
        if path == STDIN:
            yield from _read_stdin(sys.stdin.buffer)
        elif path.is_dir():
            for file in sorted(path.rglob("*")):
                if file.is_file() and file.suffix.lower() in FILE_FORMATS:
                    yield from _read_file(file)
        else:
            yield from _read_file(path)


def _read_file(path: Path) -> Iterator[SourceRecord]:
    if path.suffix.lower() in LINE_FORMATS:
        with path.open("rb") as lines:
            yield from _read_lines(str(path), lines)
    else:
        yield _record(str(path), path.read_bytes())


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


def _record(origin: str, value: bytes) -> SourceRecord:
    return SourceRecord(origin, value, _patient_key(value))


def _patient_key(value: bytes) -> str | None:
    """The patient reference of a single resource, as Kafka key; None when there is none to see."""
    try:
        resource = orjson.loads(value)
    except orjson.JSONDecodeError:
        return None
    subject = resource.get("subject") if isinstance(resource, dict) else None
    reference = subject.get("reference") if isinstance(subject, dict) else None
    return reference if isinstance(reference, str) else None

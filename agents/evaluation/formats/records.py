"""Files -> records of one shape, each with the line that it begins at.

A file is one JSON document or JSON Lines; which shape it has is told by the fields of its first
record, and all others must have it too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

import orjson
from pydantic import BaseModel, ValidationError

from agents.evaluation.formats.errors import Fault, FieldError, WrongData, field_name, places
from agents.evaluation.formats.positions import line_of

M = TypeVar("M", bound=BaseModel)
LINES = (".jsonl", ".ndjson")


@dataclass(frozen=True)
class RawRecord:
    line: int
    document: str
    fields: Mapping[str, Any]


class Faults:
    """Gathers what is wrong in a file, and raises it all at once."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._found: list[Fault] = []

    def add(self, record: RawRecord, place: tuple[str | int, ...], message: str) -> None:
        line = record.line + line_of(record.document, place) - 1
        self._found.append(Fault(line, field_name(place), message))

    def raise_any(self) -> None:
        if self._found:
            raise WrongData(self._path, self._found)


@dataclass(frozen=True)
class Read(Generic[M]):
    """The records as models, and fields that no model has, with how many records have them."""

    records: tuple[tuple[RawRecord, M], ...]
    unread: tuple[tuple[str, int], ...]


def raw_records(path: Path, content: bytes) -> list[RawRecord]:
    """Raises `WrongData` where a record is no JSON object, or there is none."""
    made: list[RawRecord] = []
    faults: list[Fault] = []
    for line, document in _documents(path, content):
        try:
            fields = orjson.loads(document)
        except orjson.JSONDecodeError as error:
            faults.append(Fault(line + error.lineno - 1, "", f"is not JSON ({error.msg})"))
            continue
        if isinstance(fields, dict):
            made.append(RawRecord(line, document, fields))
        else:
            faults.append(Fault(line, "", "is not a JSON object"))
    if faults or not made:
        raise WrongData(path, faults or [Fault(1, "", "the file has no record")])
    return made


def _documents(path: Path, content: bytes) -> Iterator[tuple[int, str]]:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise WrongData(path, [Fault(line, "", "is not UTF-8")]) from None
    if path.suffix in LINES:
        yield from ((n, line) for n, line in enumerate(text.split("\n"), 1) if line.strip())
    elif text.strip():
        yield 1, text


def read_all(
    path: Path, records: list[RawRecord], model: type[M], check: Callable[[int, M], object]
) -> Read[M]:
    """Every record as `model`. `check` is told the line and raises `FieldError`.

    Raises `WrongData` with the faults of all records.
    """
    faults = Faults(path)
    read: list[tuple[RawRecord, M]] = []
    for record in records:
        try:
            made = model.model_validate(record.fields)
            check(record.line, made)
        except ValidationError as error:
            for place, message in places(error):
                faults.add(record, place, message)
        except FieldError as error:
            faults.add(record, error.place, str(error))
        else:
            read.append((record, made))
    faults.raise_any()
    return Read(tuple(read), tuple(_unread(records, model).items()))


def _unread(records: list[RawRecord], model: type[BaseModel]) -> Counter[str]:
    known = set(model.model_json_schema(mode="validation", by_alias=False)["properties"])
    for field in model.model_fields.values():
        choices = getattr(field.validation_alias, "choices", ())
        known.update(each for each in choices if isinstance(each, str))
    return Counter(name for record in records for name in record.fields if name not in known)

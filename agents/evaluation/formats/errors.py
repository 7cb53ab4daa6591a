"""What is wrong with a data file: all of it at once, by line and field, never by value.

Values may be of real patients, so messages name fields and kinds of fault only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from agents.errors import ChartproofError

SHOWN = 20


@dataclass(frozen=True)
class Fault:
    line: int
    """Counted from 1."""
    field: str
    """`texts[0].spans[3].quote`; empty for the record as a whole."""
    message: str


class WrongData(ChartproofError):
    """A data file that cannot be used as it is. `faults` are all that were found."""

    def __init__(self, path: Path, faults: Sequence[Fault]) -> None:
        lines = [
            f"{path}:{fault.line}: {fault.field or 'record'}: {fault.message}"
            for fault in faults[:SHOWN]
        ]
        if len(faults) > SHOWN:
            lines.append(f"{path}: {len(faults) - SHOWN} more")
        super().__init__("\n".join(lines))
        self.path = path
        self.faults = tuple(faults)


class FieldError(ValueError):
    """A fault that a format finds after its fields have been read, at a place in the record."""

    def __init__(self, place: Sequence[str | int], message: str) -> None:
        super().__init__(message)
        self.place = tuple(place)


def field_name(place: Sequence[str | int]) -> str:
    """`("texts", 0, "spans")` -> `texts[0].spans`."""
    name = ""
    for part in place:
        if isinstance(part, int):
            name += f"[{part}]"
        else:
            name += f".{part}" if name else part
    return name


def places(error: ValidationError) -> list[tuple[tuple[str | int, ...], str]]:
    """Where a model is broken and how, without the values."""
    return [
        (fault["loc"], _worded(fault["type"], fault["msg"]))
        for fault in error.errors(include_url=False, include_input=False)
    ]


def _worded(kind: str, message: str) -> str:
    return "is missing" if kind == "missing" else message.removeprefix("Value error, ")

"""The shapes of records that are read, told apart by their fields: one table."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel

from agents.evaluation.dataset import EvaluationChart, Item
from agents.evaluation.formats import chart_case, reference_lines, text_lines, visit_lines
from agents.evaluation.formats.chart_case import ChartCase
from agents.evaluation.formats.claim_lines import ClaimLine
from agents.evaluation.formats.claim_lines import chart_of as chart_of_claim
from agents.evaluation.formats.claim_lines import item_of as item_of_claim
from agents.evaluation.formats.labels import Labels
from agents.evaluation.formats.reference_lines import ReferenceLine
from agents.evaluation.formats.text_lines import TextLine
from agents.evaluation.formats.visit_lines import VisitLine


@dataclass(frozen=True)
class Reading:
    """`seed`: of what is made where a format makes claims of others. `labels`: see `Labels`."""

    labels: Labels = field(default_factory=Labels)
    seed: int = 1


Parts = tuple[list[EvaluationChart], list[Item]]
Read = Callable[[int, Any, Reading], Parts]
"""Line, record -> its charts and items. Raises `FieldError`."""


@dataclass(frozen=True)
class Shape:
    name: str
    fields: tuple[frozenset[str], ...]
    """A record is of this shape when it has all fields of one of these sets."""
    model: type[BaseModel]
    read: Read
    made: Callable[[Sequence[Any], int], list[Item]] = lambda *_: []
    """Items that are made of all records together, by a seed."""
    notice: str | None = None

    def has(self, fields: Collection[str]) -> bool:
        return any(some <= set(fields) for some in self.fields)


def _case(_: int, case: ChartCase, how: Reading) -> Parts:
    return [chart_case.chart_of(case)], chart_case.items_of(case, how.labels)


def _text(_: int, line: TextLine, how: Reading) -> Parts:
    chart, items = text_lines.read(line, how.labels)
    return [chart], items


def _claim(number: int, line: ClaimLine, how: Reading) -> Parts:
    return [chart_of_claim(line)], [item_of_claim(line, number, how.labels)]


def _visit(_: int, line: VisitLine, __: Reading) -> Parts:
    return [visit_lines.chart_of(line)], []


def _reference(number: int, line: ReferenceLine, _: Reading) -> Parts:
    return reference_lines.charts_of(number, line), reference_lines.items_of(number, line)


SHAPES = (
    Shape("chart_case", (frozenset({"case_id", "notes"}),), ChartCase, _case),
    Shape("texts", (frozenset({"text_id", "text", "notes"}),), TextLine, _text),
    Shape("claims", (frozenset({"claim", "evidence"}),), ClaimLine, _claim),
    Shape(
        "visits",
        (frozenset({"patient", "note", "claims"}),),
        VisitLine,
        _visit,
        visit_lines.items_of,
        "wrong claims are made of those that it holds",
    ),
    Shape(
        "references",
        (frozenset({"input", "output"}), frozenset({"source", "generated"})),
        ReferenceLine,
        _reference,
    ),
)
UNKNOWN = "has the fields of no format: " + "; ".join(
    f"{shape.name} ({', '.join(sorted(shape.fields[0]))})" for shape in SHAPES
)


def shape_of(fields: Collection[str]) -> Shape | None:
    return next((shape for shape in SHAPES if shape.has(fields)), None)

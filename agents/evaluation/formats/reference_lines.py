"""JSON Lines of a generated text beside its source and a reference: DocLens' shape, and sets with
people's scores of whole texts.

Each line is three items: the text against its source, the reference against the text as chart
(claim recall) and the text against the reference as chart (claim precision). Lines of one example
(texts of several systems) are told apart by their line and resampled together.
"""

from __future__ import annotations

from pydantic import AliasChoices, BaseModel, ConfigDict, Field

from agents.evaluation.dataset import ChartNote, EvaluationChart, Item, Role
from schemas.events import Identifier


class ReferenceLine(BaseModel):
    """DocLens: `example_id`, `input`, `reference`, `output`."""

    model_config = ConfigDict(frozen=True, extra="ignore")
    example_id: Identifier = Field(validation_alias=AliasChoices("example_id", "id"))
    input: str | tuple[str, ...] = Field(
        validation_alias=AliasChoices("input", "source"),
        description="What the text was made from; a list is of turns or lines",
    )
    reference: str | None = Field(None, description="What people wrote from the same source")
    output: str = Field(
        validation_alias=AliasChoices("output", "generated"), description="The generated text"
    )
    human: dict[str, float] = Field({}, description="People's scores of the generated text")


def charts_of(number: int, line: ReferenceLine) -> list[EvaluationChart]:
    texts = {"input": _whole(line.input), "reference": line.reference, "output": line.output}
    return [
        EvaluationChart(f"{_name(number, line)}/{name}", line.example_id, (ChartNote(name, text),))
        for name, text in texts.items()
        if text is not None
    ]


def items_of(number: int, line: ReferenceLine) -> list[Item]:
    items = [_item(number, line, "text", line.output, "input")]
    if line.reference is not None:
        items.append(_item(number, line, "of_reference", line.reference, "output"))
        items.append(_item(number, line, "against_reference", line.output, "reference"))
    return items


def _item(number: int, line: ReferenceLine, role: Role, text: str, chart: str) -> Item:
    name = _name(number, line)
    return Item(
        item_id=f"{name}/{role}",
        chart_id=f"{name}/{chart}",
        role=role,
        text=text,
        example=name,
        human=line.human if role == "text" else {},
    )


def _name(number: int, line: ReferenceLine) -> str:
    return f"{line.example_id}#{number}"


def _whole(source: str | tuple[str, ...]) -> str:
    return source if isinstance(source, str) else "\n".join(source)

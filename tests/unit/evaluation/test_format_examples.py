"""The examples of docs/evaluation.md are read, and there is one of each format."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from agents.evaluation.formats.json_schema import format_schemas
from agents.evaluation.formats.read import read_datasets
from agents.evaluation.formats.records import raw_records

DOCUMENT = Path(__file__).parents[3] / "docs" / "evaluation.md"
EXAMPLES = dict(
    re.findall(r"<!-- format:(\w+) -->\n```json\n(.*?)```", DOCUMENT.read_text("utf-8"), re.DOTALL)
)


@pytest.mark.parametrize("name", list(format_schemas()))
def test_the_example_of_each_format_is_read(name: str, tmp_path: Path) -> None:
    suffix = ".json" if name == "chart_case" else ".jsonl"
    path = (tmp_path / name).with_suffix(suffix)
    path.write_text(EXAMPLES[name])
    [read] = read_datasets([path])
    assert read.format == name
    assert read.items
    for record in raw_records(path, path.read_bytes()):
        Draft202012Validator(format_schemas()[name]).validate(record.fields)

"""Anybody may write to a topic: what is in it is shown, whatever it is."""

import json

import pytest

from agents.ports import Record
from streams.cli.watch import line


@pytest.mark.parametrize(
    ("header", "shown"), [(b"ok", "ok"), (b"\xff\xfe", "��"), (None, None), (b"", "")]
)
def test_every_header_is_shown(header: bytes | None, shown: str | None) -> None:
    record = Record("t", 0, 7, None, b'{"a": 1}', headers={"h": header})
    said = json.loads(line(record))
    assert said["headers"] == {"h": shown}
    assert (said["value"], said["position"]["offset"]) == ({"a": 1}, 7)


@pytest.mark.parametrize(("value", "shown"), [(None, None), (b"\xff{", {"bytes": 2})])
def test_a_value_that_is_not_json_is_shown_by_its_length(value: bytes | None, shown) -> None:
    assert json.loads(line(Record("t", 0, 0, None, value)))["value"] == shown

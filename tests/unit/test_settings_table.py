"""The table of what settings do leaves out no choice."""

from pathlib import Path
from typing import get_args

import pytest

from schemas.texts import VerificationSettings
from streams.cli.settings_table import HEADER, ROWS, as_text


@pytest.mark.parametrize(
    "setting", ["unit", "decomposition", "retrieval", "scope", "reference_format", "judging"]
)
def test_every_choice_of_a_setting_has_a_row(setting: str) -> None:
    choices = set(get_args(VerificationSettings.model_fields[setting].annotation))
    default = getattr(VerificationSettings(), setting)
    shown = {row[setting] for row in ROWS if setting in row}
    if setting == "scope":
        assert shown == {"encounter"}
    assert shown | {default} == choices


def test_the_docs_have_the_rows_of_the_command() -> None:
    """Its figures are measured: `chartproof settings-table > FILE` prints the table anew."""
    page = (Path(__file__).parents[2] / "docs" / "settings.md").read_text("utf-8")
    block = page.partition("<!-- settings-table:begin -->")[2].partition("<!--")[0]
    head, _, *rows = [line.split(" | ") for line in block.strip().splitlines()]
    assert [cell.strip("| ") for cell in head] == list(HEADER)
    assert [row[0].removeprefix("| ") for row in rows] == [as_text(row) for row in ROWS]
    assert {len(row) for row in rows} == {len(HEADER)}


def test_every_row_is_a_setting_that_can_be_asked_for() -> None:
    for row in ROWS:
        assert VerificationSettings.model_validate(row).model_dump().items() >= row.items()
    assert ROWS[0] == {}

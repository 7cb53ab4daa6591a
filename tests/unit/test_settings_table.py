"""The table of what settings do leaves out no choice."""

from typing import get_args

import pytest

from schemas.texts import VerificationSettings
from streams.commands.settings_table import ROWS


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


def test_every_row_is_a_setting_that_can_be_asked_for() -> None:
    for row in ROWS:
        assert VerificationSettings.model_validate(row).model_dump().items() >= row.items()
    assert ROWS[0] == {}

"""One settings object a request: read by the command, defaults in one place, echoed."""

import pytest
from pydantic import ValidationError
from typer.testing import CliRunner

from schemas.events import deterministic_id
from schemas.texts import TextGenerated, VerificationSettings
from streams.cli.main import _named, app
from tests.unit.verify.bench import NOW, Bench, fact


async def test_verdicts_and_sheet_echo_the_settings_filled_in() -> None:
    bench = Bench()
    await bench.add(fact("f1"))
    settings = VerificationSettings(top_n=40, reference_format="relative_time", max_rounds=3)
    sheet = await bench.verify("one", settings=settings)
    echoed = sheet.provenance.settings
    assert echoed == bench.emitted[0].provenance.settings == settings
    assert echoed.model_dump()["candidates"] == 200


def test_an_event_of_an_earlier_version_is_read_with_defaults() -> None:
    said = {
        "type": "chartproof.text-generated.v1",
        "occurred_at": NOW.isoformat(),
        "text_id": "t",
        "patient_id": "p",
        "text": "x",
        "settings": {"unit": "sentence", "candidates": 60, "top_n": 12},
    }
    event = TextGenerated.model_validate(said)
    assert event.settings == VerificationSettings(unit="sentence")
    # Naming a default does not make it another text.
    said["settings"]["max_rounds"] = VerificationSettings().max_rounds
    assert TextGenerated.model_validate(said).event_id == event.event_id
    said["settings"]["max_rounds"] = 5
    assert TextGenerated.model_validate(said).event_id != event.event_id


def test_an_id_says_what_the_producer_said_and_no_defaults() -> None:
    said = {"occurred_at": "2031-05-04T12:00:00Z", "text_id": "t", "patient_id": "p", "text": "x"}
    event = TextGenerated.model_validate(said)
    assert event.event_id == deterministic_id("text-generated", said)


def test_the_command_takes_every_setting_by_name() -> None:
    named = _named(["reference-format=absolute_time", "rerank=false", "max_rounds = 3"])
    settings = VerificationSettings.model_validate(named)
    assert (settings.reference_format, settings.rerank, settings.max_rounds) == (
        "absolute_time", False, 3,
    )  # fmt: skip


@pytest.mark.parametrize("said", ["max_rounds", "max_rounds=9", "rounds=2"])
def test_a_setting_that_is_not_one_is_refused_by_name(tmp_path, said: str) -> None:
    text = tmp_path / "t.txt"
    text.write_text("x")
    result = CliRunner().invoke(
        app, ["verify", "--patient", "p", "--text", str(text), "--set", said]
    )
    assert result.exit_code == 2
    assert ("NAME=VALUE" if "=" not in said else said.split("=", maxsplit=1)[0]) in result.output


def test_unknown_settings_are_refused() -> None:
    with pytest.raises(ValidationError):
        VerificationSettings.model_validate({"rounds": 2})


def test_the_scope_of_an_encounter_needs_one() -> None:
    said = {"occurred_at": NOW, "text_id": "t", "patient_id": "p", "text": "x"}
    scoped = VerificationSettings(scope="encounter")
    with pytest.raises(ValidationError, match="encounter_id must be given"):
        TextGenerated(**said, settings=scoped)
    assert TextGenerated(**said, settings=scoped, encounter_id="e").encounter_id == "e"

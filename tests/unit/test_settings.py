"""What the environment says: named when it is wrong, and without a say in an embedded stack."""

from pathlib import Path

import pytest

from agents.errors import ChartproofError
from streams.delivery.connection import kafka_options
from streams.local.stack import Stack
from streams.settings import CompleteSettings, Settings, WrongSettings, load_settings


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("MAX_IN_FLIGHT", "x"),
        ("SITE_ZONE", "Nowhere"),
        ("SITE_ZONE", "America"),  # a folder of the zone files
        ("SITE_ZONE", "../etc"),
        ("LOG_LEVEL", "loud"),
        ("AGENTS", "intake,gossip"),
    ],
)
def test_a_wrong_setting_is_named_without_its_value(monkeypatch, name: str, value: str) -> None:
    monkeypatch.setenv(f"CHARTPROOF_{name}", value)
    with pytest.raises(WrongSettings) as caught:
        load_settings()
    [fault] = caught.value.faults
    assert fault.startswith(f"CHARTPROOF_{name}: ")
    assert "\n" not in fault


@pytest.mark.parametrize("said", ["debug", "DEBUG", "Debug"])
def test_the_log_level_is_read_in_any_case(monkeypatch, said: str) -> None:
    monkeypatch.setenv("CHARTPROOF_LOG_LEVEL", said)
    assert load_settings().log_level == "DEBUG"


@pytest.mark.parametrize("said", ["intake,chart", "intake chart", '["intake", "chart"]'])
def test_agents_are_a_list_of_names(monkeypatch, said: str) -> None:
    monkeypatch.setenv("CHARTPROOF_AGENTS", said)
    assert load_settings().agents == ("intake", "chart")


@pytest.mark.parametrize(
    ("said", "names"),
    [
        ({"security_protocol": "SASL_PLAINTEXT"}, "CHARTPROOF_SASL_USERNAME"),
        ({"security_protocol": "SASL_SSL", "sasl_username": "u"}, "CHARTPROOF_SASL_PASSWORD"),
        ({"security_protocol": "SSL", "ssl_cafile": "/gone.pem"}, "CHARTPROOF_SSL_CAFILE"),
        ({"security_protocol": "SSL", "ssl_cafile": __file__}, "CHARTPROOF_SSL_CAFILE"),
        ({"security_protocol": "SSL", "ssl_certfile": "/gone.pem"}, "CHARTPROOF_SSL_CERTFILE"),
        ({"security_protocol": "SSL", "ssl_certfile": __file__}, "CHARTPROOF_SSL_CERTFILE"),
        ({"security_protocol": "SSL", "ssl_keyfile": __file__}, "CHARTPROOF_SSL_KEYFILE"),
    ],
    ids=[
        *("no user", "no password", "no CA file", "no certificate in it"),
        *("no certificate of ours", "none in its file", "a key alone"),
    ],
)
def test_a_broker_that_cannot_be_asked_like_this_names_the_setting(said: dict, names: str) -> None:
    with pytest.raises(ChartproofError, match=names):
        kafka_options(CompleteSettings(**said))


def test_neither_environment_nor_file_have_a_say_in_a_stack(monkeypatch, tmp_path: Path) -> None:
    plain = Stack(tmp_path).environment
    monkeypatch.chdir(tmp_path)
    Path(".chartproof.env").write_text("CHARTPROOF_GROUP=other\nCHARTPROOF_TOPIC_PREFIX=other.\n")
    for name, value in {
        "SECURITY_PROTOCOL": "SSL",
        "AGENTS": "intake",
        "MILVUS_TOKEN": "secret",
        "MAX_IN_FLIGHT": "x",
    }.items():
        monkeypatch.setenv(f"CHARTPROOF_{name}", value)
    stack = Stack(tmp_path)
    assert plain.keys() == stack.environment.keys()
    assert {name for name in plain if plain[name] != stack.environment[name]} == {
        "CHARTPROOF_BROKER",
        "CHARTPROOF_MILVUS_URI",
    }
    # What a worker of this stack reads is what the stack means.
    for name, value in stack.environment.items():
        monkeypatch.setenv(name, value)
    assert load_settings().model_dump() == stack.settings.model_dump()


def test_an_empty_variable_is_nothing(monkeypatch) -> None:
    for name in ("TOPIC_PREFIX", "FHIR_BASES", "TOPIC_PARTITIONS", "MILVUS_TOKEN"):
        monkeypatch.setenv(f"CHARTPROOF_{name}", "")
    found = load_settings()
    assert (found.topic_prefix, found.fhir_bases) == ("", ())
    assert found.topic_partitions is found.milvus_token is None


def test_a_stack_says_every_setting_but_not_the_secrets_of_the_site(tmp_path: Path) -> None:
    names = {f"CHARTPROOF_{name.upper()}" for name in Settings.model_fields}
    assert Stack(tmp_path).environment.keys() == names
    said = Stack(tmp_path, fhir_token="secret").environment
    assert names - said.keys() == {"CHARTPROOF_FHIR_TOKEN"}
    assert "secret" not in said.values()

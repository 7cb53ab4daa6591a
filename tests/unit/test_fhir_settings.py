"""Settings of the FHIR servers become a client that asks these and no others."""

from __future__ import annotations

from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from agents.adapters.fhir import AttachmentError
from agents.errors import ChartproofError
from streams.dependencies import open_source
from streams.settings import Settings

BASE = "https://fhir.example.org/r4"


@pytest.fixture
def key_file(tmp_path: Path) -> Path:
    key = ec.generate_private_key(ec.SECP384R1())
    path = tmp_path / "key.pem"
    path.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return path


def settings(**said: object) -> Settings:
    return Settings.model_validate({"fhir_bases": (BASE,)} | said)


async def test_without_a_base_there_is_no_client():
    assert open_source(Settings()) is None


async def test_a_client_that_asks_only_its_bases():
    source = open_source(settings())
    assert source is not None
    with pytest.raises(AttachmentError):
        await source.fetch("https://elsewhere.example.org/r4/Binary/1")
    await source.close()


@pytest.mark.parametrize("value", ["https://a/r4,https://b/r4", " https://a/r4 , https://b/r4,"])
def test_bases_come_comma_separated_from_the_environment(monkeypatch, value):
    monkeypatch.setenv("CHARTPROOF_FHIR_BASES", value)
    assert Settings().fhir_bases == ("https://a/r4", "https://b/r4")


async def test_both_kinds_of_credentials_are_taken(key_file):
    for said in (
        {"fhir_token": "t0ken"},
        {"fhir_client_id": "chartproof", "fhir_private_key_file": key_file},
    ):
        source = open_source(settings(**said))
        assert source is not None
        await source.close()


@pytest.mark.parametrize(
    ("said", "what"),
    [
        ({"fhir_bases": ("http://fhir.example.org/r4",)}, "https"),
        ({"fhir_bases": ("fhir.example.org",)}, "base"),
        ({"fhir_client_id": "chartproof"}, "private key"),
        ({"fhir_private_key_file": Path("key.pem")}, "client id"),
        ({"fhir_token": "t\n"}, "token"),
        ({"fhir_ca_file": Path("/nonexistent/ca.pem")}, "No such file"),
        (
            {"fhir_client_id": "c", "fhir_private_key_file": Path("/nonexistent/key.pem")},
            "/nonexistent/key.pem",
        ),
    ],
)
async def test_settings_that_cannot_be_are_named(said, what):
    with pytest.raises(ChartproofError, match=what):
        open_source(settings(**said))


async def test_a_token_beside_a_client_is_refused_and_not_printed(key_file):
    both = settings(fhir_token="t0ken", fhir_client_id="c", fhir_private_key_file=key_file)
    assert "t0ken" not in repr(both)
    with pytest.raises(ChartproofError, match="not both") as caught:
        open_source(both)
    assert "t0ken" not in str(caught.value)


async def test_http_needs_leave(key_file):
    source = open_source(settings(fhir_bases=("http://fhir.example.org",), fhir_allow_http=True))
    assert source is not None
    await source.close()

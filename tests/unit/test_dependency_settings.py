"""Settings of the index, the models and the home server reach what they are for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from agents.errors import ChartproofError
from streams import dependencies
from streams.settings import Settings

BASES = ("https://ehr.example/fhir", "https://store.example")


def settings(**said: object) -> Settings:
    return Settings.model_validate(said)


class Asked:
    """Takes the arguments of a connection that a test does not make."""

    def __init__(self) -> None:
        self.said: dict[str, Any] = {}

    async def connect(self, *_: object, **said: object) -> None:
        self.said = said


async def test_the_index_is_asked_for_by_database_prefix_and_authority(monkeypatch):
    asked = Asked()
    monkeypatch.setattr(dependencies, "MilvusIndex", asked)
    await dependencies.open_index(
        settings(milvus_database="d", milvus_prefix="p_", milvus_ca_file="/ca.pem"), dim=4
    )
    said = {name: asked.said[name] for name in ("database", "prefix", "ca_file", "dim")}
    assert said == {"database": "d", "prefix": "p_", "ca_file": "/ca.pem", "dim": 4}
    await dependencies.open_index(settings(), dim=4)
    said = {name: asked.said[name] for name in ("database", "prefix", "ca_file")}
    assert said == {"database": "", "prefix": "", "ca_file": None}


async def test_triton_gets_our_certificates(monkeypatch):
    asked = Asked()
    monkeypatch.setattr(dependencies.triton, "connect", asked.connect)
    files = {"triton_ca_file": "/ca", "triton_cert_file": "/chain", "triton_key_file": "/key"}
    await dependencies.open_models(settings(models="triton", triton_ssl=True, **files))
    assert asked.said["ssl"] is True
    given = asked.said["certificates"]
    assert (given.root, given.chain, given.private_key) == (
        Path("/ca"),
        Path("/chain"),
        Path("/key"),
    )


async def test_a_certificate_that_is_not_there_is_said(tmp_path):
    missing = tmp_path / "none.pem"
    said = settings(models="triton", triton_ssl=True, triton_ca_file=missing)
    with pytest.raises(ChartproofError, match="CHARTPROOF_TRITON"):
        await dependencies.open_models(said)


def test_the_first_fhir_base_is_home_unless_others_are_named():
    assert settings(fhir_bases=BASES).home_bases == BASES[:1]
    assert settings(fhir_bases=BASES, fhir_home_bases="https://x, https://y").home_bases == (
        "https://x",
        "https://y",
    )
    assert settings().home_bases == ()

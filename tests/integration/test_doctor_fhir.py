"""What `chartproof doctor` says of FHIR servers, by a real one."""

from __future__ import annotations

from aiohttp import web

from streams.cli.doctor import check_fhir
from streams.settings import Settings
from tests.integration.fhir_server import serving


def settings(base: str, **said: object) -> Settings:
    return Settings.model_validate({"fhir_bases": (base,), "fhir_timeout_s": 5.0} | said)


async def test_a_server_with_its_capability_statement():
    async with serving() as server:
        server.answers["metadata"] = web.json_response({"resourceType": "CapabilityStatement"})
        finding = await check_fhir(settings(server.base), server.base)
        assert finding.ok
        assert server.paths == ["metadata"]


async def test_a_store_without_one_answers_all_the_same():
    async with serving() as server:
        assert (await check_fhir(settings(server.base), server.base)).ok


async def test_a_token_that_is_refused_is_no_health():
    async with serving() as server:
        server.answers["metadata"] = web.Response(status=401)
        finding = await check_fhir(settings(server.base, fhir_token="t0ken"), server.base)
        assert not finding.ok
        assert "t0ken" not in finding.detail


async def test_no_server_is_no_health():
    async with serving() as server:
        base = server.base
    assert not (await check_fhir(settings(base), base)).ok


async def test_settings_that_cannot_be_are_a_finding():
    base = "http://fhir.example.org"
    finding = await check_fhir(settings(base), base)
    assert not finding.ok
    assert "https" in finding.detail

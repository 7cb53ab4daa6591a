"""Tokens: given ones and SMART Backend Services, against a token endpoint that verifies."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import jwt
import pytest
from aiohttp import web
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa

from agents.adapters.fhir import (
    AttachmentError,
    AttachmentReason,
    BearerToken,
    FhirBase,
    FhirClient,
    Limits,
    SmartBackendServices,
)
from agents.adapters.fhir.auth import Auth
from agents.errors import DependencyOverloaded, DependencyUnavailable
from tests.integration.fhir_server import Handler, Server, serving

NOTE = b"Afebrile overnight."
QUICK = Limits(backoff_s=0.001, retry_after_s=0.05)
CLIENT = "chartproof-client"
EC_KEY = ec.generate_private_key(ec.SECP384R1())
RSA_KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)


def pem(key: ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey) -> str:
    return key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    ).decode()


def jwk(key: ec.EllipticCurvePrivateKey, key_id: str) -> str:
    return json.dumps(jwt.algorithms.ECAlgorithm.to_jwk(key, as_dict=True) | {"kid": key_id})


@dataclass
class Authority:
    """A token endpoint (and the FHIR server that takes its tokens) as SMART App Launch 2.2 asks."""

    public_key: ec.EllipticCurvePublicKey | rsa.RSAPublicKey = field(
        default_factory=EC_KEY.public_key
    )
    expires_in: object = 300
    headers: list[dict[str, object]] = field(default_factory=list)
    used: set[str] = field(default_factory=set)
    valid: set[str] = field(default_factory=set)
    issued: int = 0

    async def configuration(self, request: web.Request) -> web.StreamResponse:
        return web.json_response({"token_endpoint": f"{request.url.origin()}/fhir/auth/token"})

    async def issue(self, request: web.Request) -> web.StreamResponse:
        form = await request.post()
        assertion = str(form["client_assertion"])
        try:
            claims = jwt.decode(
                assertion,
                self.public_key,
                algorithms=["ES384", "RS384"],
                audience=str(request.url),
                options={"require": ["iss", "sub", "aud", "exp", "jti"]},
            )
        except jwt.InvalidTokenError:
            return web.json_response({"error": "invalid_client"}, status=401)
        once = claims["jti"] not in self.used
        self.used.add(claims["jti"])
        if not once or claims["iss"] != CLIENT or claims["sub"] != CLIENT:
            return web.json_response({"error": "invalid_client"}, status=400)
        if claims["exp"] - claims["iat"] > 300 or form["scope"] != "system/*.read":
            return web.json_response({"error": "invalid_scope"}, status=400)
        if (form["grant_type"], form["client_assertion_type"]) != (
            "client_credentials",
            "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
        ):
            return web.json_response({"error": "unsupported_grant_type"}, status=400)
        self.headers.append(jwt.get_unverified_header(assertion))
        await asyncio.sleep(0.01)
        self.issued += 1
        token = f"token-{self.issued}"
        self.valid = {token}
        return web.json_response(
            {"access_token": token, "token_type": "bearer", "expires_in": self.expires_in}
        )

    async def note(self, request: web.Request) -> web.StreamResponse:
        token = request.headers.get("Authorization", "").removeprefix("Bearer ")
        return web.Response(body=NOTE) if token in self.valid else web.Response(status=401)

    def answers(self) -> dict[str, Handler | web.Response]:
        return {
            ".well-known/smart-configuration": self.configuration,
            "auth/token": self.issue,
            "Binary/1": self.note,
            "Binary/2": self.note,
        }


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    async with serving() as running:
        yield running


@asynccontextmanager
async def client(server: Server, auth: Auth, *others: FhirBase) -> AsyncIterator[FhirClient]:
    made = FhirClient([FhirBase(server.base, auth), *others], QUICK)
    try:
        yield made
    finally:
        await made.close()


def smart(server: Server | None = None, key: str = pem(EC_KEY)) -> SmartBackendServices:
    """Of a token endpoint that is configured, or of one to be discovered."""
    return SmartBackendServices(
        CLIENT, key, key_id="key-1", token_url=f"{server.base}/auth/token" if server else None
    )


async def test_a_given_token_is_sent(server: Server) -> None:
    server.answers["Binary/1"] = Authority(valid={"given"}).note
    async with client(server, BearerToken("given")) as source:
        assert (await source.fetch("Binary/1")).content == NOTE


async def test_a_given_token_that_is_refused_is_sent_once(server: Server) -> None:
    server.answers["Binary/1"] = web.Response(status=401)
    async with client(server, BearerToken("given")) as source:
        with pytest.raises(AttachmentError) as caught:
            await source.fetch("Binary/1")
    assert caught.value.reason is AttachmentReason.FORBIDDEN
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("private", "public", "algorithm"),
    [
        (pem(EC_KEY), EC_KEY.public_key(), "ES384"),
        (jwk(EC_KEY, "other"), EC_KEY.public_key(), "ES384"),
        (pem(RSA_KEY), RSA_KEY.public_key(), "RS384"),
    ],
    ids=["P-384", "JWK", "RSA"],
)
async def test_smart_discovers_signs_and_is_let_in(
    server: Server,
    private: str,
    public: ec.EllipticCurvePublicKey | rsa.RSAPublicKey,
    algorithm: str,
) -> None:
    authority = Authority(public)
    server.answers |= authority.answers()
    async with client(server, smart(key=private)) as source:
        assert (await source.fetch("Binary/1")).content == NOTE
    assert server.paths == [".well-known/smart-configuration", "auth/token", "Binary/1"]
    assert authority.headers == [{"alg": algorithm, "typ": "JWT", "kid": "key-1"}]


async def test_a_jwk_names_itself(server: Server) -> None:
    authority = Authority()
    server.answers |= authority.answers()
    async with client(server, SmartBackendServices(CLIENT, jwk(EC_KEY, "own"))) as source:
        await source.fetch("Binary/1")
    assert authority.headers[0]["kid"] == "own"


async def test_a_token_is_kept_and_asked_for_once_by_all(server: Server) -> None:
    authority = Authority()
    server.answers |= authority.answers()
    async with client(server, smart(server)) as source:
        await asyncio.gather(*(source.fetch("Binary/1") for _ in range(5)))
        await source.fetch("Binary/2")
    assert authority.issued == 1


@pytest.mark.parametrize("expires_in", [0, "0"])
async def test_a_token_that_expires_is_renewed_before_it_is_sent(
    server: Server, expires_in: object
) -> None:
    authority = Authority(expires_in=expires_in)
    server.answers |= authority.answers()
    async with client(server, smart(server)) as source:
        await source.fetch("Binary/1")
        await source.fetch("Binary/1")
    assert server.paths == ["auth/token", "Binary/1"] * 2


@pytest.mark.parametrize("expires_in", [None, "soon", [1]])
async def test_a_lifetime_that_is_not_said_is_five_minutes(
    server: Server, expires_in: object
) -> None:
    authority = Authority(expires_in=expires_in)
    server.answers |= authority.answers()
    async with client(server, smart(server)) as source:
        await source.fetch("Binary/1")
        await source.fetch("Binary/1")
    assert authority.issued == 1


async def test_a_token_that_is_revoked_is_renewed_once_for_all(server: Server) -> None:
    authority = Authority()
    server.answers |= authority.answers()
    async with client(server, smart(server)) as source:
        await source.fetch("Binary/1")
        authority.valid.clear()
        fetched = await asyncio.gather(*(source.fetch("Binary/1") for _ in range(5)))
    assert {one.content for one in fetched} == {NOTE}
    assert authority.issued == 2


async def test_a_fresh_token_that_is_refused_ends_it(server: Server) -> None:
    authority = Authority()
    server.answers |= authority.answers() | {"Binary/1": web.Response(status=401)}
    async with client(server, smart(server)) as source:
        with pytest.raises(AttachmentError) as caught:
            await source.fetch("Binary/1")
    assert caught.value.reason is AttachmentReason.FORBIDDEN
    assert server.paths == ["auth/token", "Binary/1"] * 2


async def test_a_client_that_is_not_known_waits_and_says_why(server: Server) -> None:
    stranger = ec.generate_private_key(ec.SECP384R1())
    server.answers |= Authority().answers()
    async with client(server, smart(server, pem(stranger))) as source:
        with pytest.raises(DependencyUnavailable, match="invalid_client"):
            await source.fetch("Binary/1")
    assert "Binary/1" not in server.paths


@pytest.mark.parametrize(
    "answer",
    [
        web.Response(status=500),
        web.Response(status=302, headers={"Location": "/fhir/elsewhere"}),
        web.Response(body=b"<html>"),
        web.json_response([]),
        web.json_response({"access_token": "two\nlines"}),
        web.json_response({"access_token": None}),
        web.json_response({"error": "jane@example.org is not known"}, status=400),
        web.Response(body=b"x" * 1_000_000),
    ],
    ids=["500", "redirect", "html", "list", "lines", "none", "prose", "long"],
)
async def test_a_token_endpoint_that_gives_no_token_is_waited_for(
    server: Server, answer: web.Response
) -> None:
    server.answers |= Authority().answers() | {"auth/token": answer}
    async with client(server, smart(server)) as source:
        with pytest.raises(DependencyUnavailable) as caught:
            await source.fetch("Binary/1")
        assert "jane" not in str(caught.value)
        server.answers |= Authority().answers()
        assert (await source.fetch("Binary/1")).content == NOTE


async def test_a_busy_token_endpoint_is_waited_for(server: Server) -> None:
    server.answers |= Authority().answers() | {"auth/token": web.Response(status=429)}
    async with client(server, smart(server)) as source:
        with pytest.raises(DependencyOverloaded):
            await source.fetch("Binary/1")


@pytest.mark.parametrize(
    "configuration",
    [
        {},
        {"token_endpoint": 5},
        {"token_endpoint": "http://169.254.169.254/token"},
        {"token_endpoint": "file:///etc/passwd"},
        {"token_endpoint": "https://user:password@auth.example.org/token"},
    ],
)
async def test_no_assertion_is_sent_in_the_clear(
    server: Server, configuration: dict[str, object]
) -> None:
    server.answers[".well-known/smart-configuration"] = web.json_response(configuration)
    async with client(server, smart()) as source:
        with pytest.raises(DependencyUnavailable, match="no access token"):
            await source.fetch("Binary/1")
    assert set(server.paths) == {".well-known/smart-configuration"}


async def test_a_token_endpoint_that_moves_is_found_again(server: Server) -> None:
    authority = Authority(expires_in=0)
    server.answers |= authority.answers()
    async with client(server, smart()) as source:
        await source.fetch("Binary/1")
        server.answers["auth/token"] = web.Response(status=404)

        async def moved(request: web.Request) -> web.StreamResponse:
            return web.json_response({"token_endpoint": f"{server.base}/auth/new"})

        server.answers |= {".well-known/smart-configuration": moved, "auth/new": authority.issue}
        assert (await source.fetch("Binary/1")).content == NOTE


async def test_a_token_goes_nowhere_but_to_its_base(server: Server) -> None:
    server.answers |= Authority().answers()
    async with serving() as other:
        other.answers["Binary/1"] = web.Response(body=NOTE)
        redirect = web.Response(status=302, headers={"Location": f"{other.base}/Binary/1"})
        server.answers["Binary/3"] = redirect
        async with client(server, smart(server), FhirBase(other.base)) as source:
            await source.fetch("Binary/1")
            await source.fetch(f"{other.base}/Binary/1")
            with pytest.raises(AttachmentError):
                await source.fetch("Binary/3")
        assert len(other.requests) == 1
        assert "Authorization" not in other.requests[0].headers
    assert "Authorization" not in server.requests[0].headers  # the token endpoint's


async def test_neighbouring_bases_have_their_own_tokens(server: Server) -> None:
    server.answers |= {
        "Binary/1": Authority(valid={"outer"}).note,
        "lab/Binary/1": Authority(valid={"inner"}).note,
    }
    inner = FhirBase(f"{server.base}/lab", BearerToken("inner"))
    async with client(server, BearerToken("outer"), inner) as source:
        assert (await source.fetch("Binary/1")).url_base == server.base
        assert (await source.fetch(f"{server.base}/lab/Binary/1")).url_base == inner.url


@pytest.mark.parametrize(
    "key",
    [
        "",
        "secret",
        "{}",
        '{"kty": "oct", "k": "c2VjcmV0"}',
        pem(ec.generate_private_key(ec.SECP256R1())),
        EC_KEY.public_key()
        .public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
        .decode(),
        json.dumps(jwt.algorithms.ECAlgorithm.to_jwk(EC_KEY.public_key(), as_dict=True)),
    ],
    ids=["empty", "prose", "no JWK", "symmetric", "P-256", "public PEM", "public JWK"],
)
def test_a_key_that_cannot_sign_is_refused_at_the_start(key: str) -> None:
    with pytest.raises(ValueError, match="SMART private key") as caught:
        SmartBackendServices(CLIENT, key)
    assert caught.value.__suppress_context__ or caught.value.__context__ is None
    assert not key or key not in str(caught.value)


@pytest.mark.parametrize("token", ["", "two words", "a\r\nX-Injected: 1", "naïve"])
def test_a_token_that_is_no_token_is_refused_at_the_start(token: str) -> None:
    with pytest.raises(ValueError, match="bearer token"):
        BearerToken(token)


async def test_no_log_or_name_holds_a_secret(
    server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    logging.getLogger("aiohttp").setLevel(logging.CRITICAL)
    auth = smart(server)
    server.answers |= Authority().answers()
    async with client(server, auth) as source:
        await source.fetch("Binary/1")
        said = "".join(record.getMessage() for record in caplog.records)
        for secret in ("token-1", "eyJ", "PRIVATE", "127.0.0.1"):
            assert secret not in said + repr(auth) + repr(source)

"""Tokens: one that is given, or SMART Backend Services (SMART App Launch 2.2).

A token is asked for, kept and sent for one base. Nothing here prints one, nor a key.
"""

from __future__ import annotations

import asyncio
import re
import time
import uuid
from typing import Protocol

import httpx
import jwt
import orjson
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from agents.adapters.fhir.body import ACCEPT_ENCODING, read_body
from agents.adapters.fhir.errors import FHIR, AttachmentError, Throttled, http_errors
from agents.adapters.fhir.urls import is_secure, plain_url
from agents.errors import DependencyUnavailable

_ANSWER_BYTES = 256 * 1024
_ASSERTION_S = 240
"""The specification allows an assertion five minutes; clocks differ."""
_LIFETIME_S = 300.0
"""Of a token that does not say."""
_ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
_B68TOKEN = re.compile(r"[A-Za-z0-9._~+/-]+=*")
_OAUTH_CODE = re.compile(r"[a-z_]{1,40}")
_TOO_MANY_REQUESTS = 429


class Auth(Protocol):
    async def token(
        self, http: httpx.AsyncClient, base: str, *, allow_http: bool, rejected: str | None = None
    ) -> str:
        """A bearer token for `base`, and another than `rejected` where there can be one.

        Raises `TransientError` when the token endpoint is away or refuses us: that is no fault of
        the document, so it must not end it.
        """
        ...


class BearerToken:
    """A token that somebody else renews."""

    def __init__(self, token: str) -> None:
        if not _B68TOKEN.fullmatch(token):
            raise ValueError("the bearer token has characters that no token has")
        self._token = token

    async def token(
        self, http: httpx.AsyncClient, base: str, *, allow_http: bool, rejected: str | None = None
    ) -> str:
        return self._token


class SmartBackendServices:
    """Client credentials with a signed assertion (private_key_jwt), for one base.

    `private_key`: PEM, or a JWK as JSON; RSA signs by RS384, P-384 by ES384. `key_id` is the `kid`
    under which the server knows the public key; a JWK's own when absent. `token_url` is discovered
    at `<base>/.well-known/smart-configuration` when absent.
    """

    def __init__(
        self,
        client_id: str,
        private_key: str,
        *,
        key_id: str | None = None,
        scope: str = "system/*.read",
        token_url: str | None = None,
    ) -> None:
        self._client_id = client_id
        self._key, self._algorithm, jwk_id = _load_key(private_key)
        self._key_id = key_id or jwk_id
        self._scope = scope
        self._given_url = token_url
        self._discovered_url: str | None = None
        self._token: str | None = None
        self._renew_at = 0.0
        self._renewing = asyncio.Lock()

    async def token(
        self, http: httpx.AsyncClient, base: str, *, allow_http: bool, rejected: str | None = None
    ) -> str:
        async with self._renewing:
            if self._token in {None, rejected} or time.monotonic() >= self._renew_at:
                with http_errors():
                    self._token = None
                    self._token = await self._new_token(http, base, allow_http=allow_http)
            assert self._token is not None
            return self._token

    async def _new_token(self, http: httpx.AsyncClient, base: str, *, allow_http: bool) -> str:
        url = self._given_url or self._discovered_url or await self._discover(http, base)
        if not _may_ask(url, allow_http=allow_http):
            raise _no_token("its token endpoint is no https URL")
        self._discovered_url = None  # a server that moved is found again, should this one fail
        form = {
            "grant_type": "client_credentials",
            "scope": self._scope,
            "client_assertion_type": _ASSERTION_TYPE,
            "client_assertion": self._assertion(url),
        }
        answer = await _json(http, "POST", url, form)
        token = answer.get("access_token")
        if not isinstance(token, str) or not _B68TOKEN.fullmatch(token):
            raise _no_token("its token endpoint's answer holds none")
        seconds = _seconds(answer.get("expires_in"))
        self._discovered_url = url
        self._renew_at = time.monotonic() + seconds - min(30.0, seconds / 10)
        return token

    async def _discover(self, http: httpx.AsyncClient, base: str) -> str:
        result = await _json(http, "GET", f"{base}/.well-known/smart-configuration")
        url = result.get("token_endpoint")
        if not isinstance(url, str):
            raise _no_token("its smart-configuration names no token endpoint")
        return url

    def _assertion(self, audience: str) -> str:
        now = int(time.time())
        claims = {
            "iss": self._client_id,
            "sub": self._client_id,
            "aud": audience,
            "jti": str(uuid.uuid4()),
            "iat": now,
            "exp": now + _ASSERTION_S,
        }
        headers = {"kid": self._key_id} if self._key_id else None
        return jwt.encode(claims, self._key, algorithm=self._algorithm, headers=headers)


def _load_key(text: str) -> tuple[rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey, str, str | None]:
    """The key, its JWS algorithm and its `kid`. Raises `ValueError`, which never quotes the key."""
    key_id: str | None = None
    try:
        if text.lstrip().startswith("{"):
            jwk = jwt.PyJWK.from_json(text)
            key, key_id = jwk.key, jwk.key_id
        else:
            key = load_pem_private_key(text.encode(), password=None)
    except (ValueError, TypeError, UnsupportedAlgorithm, jwt.PyJWTError):
        raise ValueError("the SMART private key is neither PEM nor a JWK") from None
    if isinstance(key, rsa.RSAPrivateKey):
        return key, "RS384", key_id
    if isinstance(key, ec.EllipticCurvePrivateKey) and isinstance(key.curve, ec.SECP384R1):
        return key, "ES384", key_id
    raise ValueError("the SMART private key must be a private RSA or P-384 key")


def _may_ask(url: str, *, allow_http: bool) -> bool:
    try:
        return is_secure(plain_url(url), allow_http=allow_http)
    except AttachmentError:
        return False


def _seconds(expires_in: object) -> float:
    try:
        return float(expires_in)  # type: ignore[arg-type]  # some servers send a string
    except (TypeError, ValueError):
        return _LIFETIME_S


async def _json(
    http: httpx.AsyncClient, method: str, url: str, form: dict[str, str] | None = None
) -> dict[str, object]:
    headers = {"Accept": "application/json", "Accept-Encoding": ACCEPT_ENCODING}
    async with http.stream(method, url, data=form, headers=headers) as response:
        try:
            body = await read_body(response, _ANSWER_BYTES)
            answer = orjson.loads(body)
        except (AttachmentError, orjson.JSONDecodeError):
            answer = None
        if response.status_code == _TOO_MANY_REQUESTS:
            raise Throttled("The token endpoint is busy (429)")
        if response.status_code != httpx.codes.OK:
            code = answer.get("error") if isinstance(answer, dict) else None
            given = code if isinstance(code, str) and _OAUTH_CODE.fullmatch(code) else "no reason"
            raise _no_token(f"{response.status_code}, {given}")
    if not isinstance(answer, dict):
        raise _no_token("its answer is no JSON object")
    return answer


def _no_token(why: str) -> DependencyUnavailable:
    return DependencyUnavailable(
        FHIR,
        f"The FHIR server gives no access token ({why}): check client id, key, scope and token URL",
    )

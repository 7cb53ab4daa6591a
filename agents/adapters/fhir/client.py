"""The FHIR client: one fetch from a reference to bytes, within its bounds.

A server that fails on one attachment for ever must not hold up those behind it, and a server that
is down must not turn every note into a dead letter. Both look alike to a single fetch. So a failure
of the kind that either can cause is transient the first time; it is the attachment's when it comes
again although the server answered others in between (`_is_to_blame`).
"""

from __future__ import annotations

import asyncio
import ssl
import time
from collections.abc import Sequence
from http.cookiejar import CookieJar, DefaultCookiePolicy
from pathlib import Path

import httpx

from agents.adapters.fhir.allowed import Allowed, FhirBase, Target
from agents.adapters.fhir.binary import Externalised, unwrap, wire_limit
from agents.adapters.fhir.body import ACCEPT_ENCODING, read_body, too_large
from agents.adapters.fhir.errors import (
    AttachmentError,
    AttachmentReason,
    SpoiltAnswer,
    Unauthorised,
    http_errors,
    silence_httpx,
)
from agents.adapters.fhir.limits import Limits
from agents.adapters.fhir.retry import check_status, wait_before
from agents.errors import DeadlineExceeded, TransientError
from agents.ports import Fetched

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_ACCEPT = "application/fhir+json, application/json+fhir;q=0.9, application/json;q=0.8, */*;q=0.1"
"""Also for a Binary: every server knows these, and some know no other (Millennium, old Spark)."""
_MAX_SUSPECTS = 10_000


class FhirClient:
    """`agents.ports.NoteSource` over HTTP. Relative references are relative to the first base.

    `ca_file`: certificates to trust in place of the system's. No proxy, netrc or other setting is
    taken from the environment.
    """

    def __init__(
        self,
        bases: Sequence[FhirBase],
        limits: Limits | None = None,
        *,
        ca_file: Path | None = None,
    ) -> None:
        silence_httpx()
        self._allowed = Allowed(bases)
        self._limits = limits or Limits()
        self._gates = {base.url: asyncio.Semaphore(self._limits.concurrency) for base in bases}
        self._answered_at: dict[str, float] = {}
        self._suspects: dict[httpx.URL, float] = {}
        self._http = httpx.AsyncClient(
            verify=ssl.create_default_context(cafile=ca_file),
            trust_env=False,
            follow_redirects=False,
            timeout=httpx.Timeout(self._limits.read_s, connect=self._limits.connect_s),
            limits=httpx.Limits(
                max_keepalive_connections=None if self._limits.keep_alive else 0,
            ),
            # Cookies do not know ports: one server's would be sent to its neighbour.
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
            headers={"Accept-Encoding": ACCEPT_ENCODING, "User-Agent": "chartproof"},
        )

    async def fetch(self, reference: str) -> Fetched:
        """What `reference` names. Raises `TransientError` and `AttachmentError`."""
        target = self._allowed.resolve(reference)
        async with self._gates[target.base.url]:
            try:
                with http_errors():
                    async with asyncio.timeout(self._limits.total_s):
                        fetched = await self._persist(target)
            except (SpoiltAnswer, DeadlineExceeded):
                if self._is_to_blame(target):
                    raise AttachmentError(
                        AttachmentReason.BROKEN,
                        "The FHIR server keeps failing on this attachment while it sends others.",
                    ) from None
                raise
        self._suspects.pop(target.url, None)
        self._answered_at[target.base.url] = time.monotonic()
        return fetched

    async def close(self) -> None:
        await self._http.aclose()

    async def _persist(self, target: Target) -> Fetched:
        attempt = 1
        while True:
            try:
                with http_errors():
                    return await self._authorised(target)
            except TransientError as error:
                attempt += 1
                wait = wait_before(attempt, error, self._limits)
                if wait is None:
                    raise
            await asyncio.sleep(wait)

    async def _authorised(self, target: Target) -> Fetched:
        base = target.base
        if base.auth is None:
            return await self._follow(target, {"Accept": _ACCEPT})
        token = await base.auth.token(self._http, base.url, allow_http=base.allow_http)
        try:
            return await self._follow(target, _bearer(token))
        except Unauthorised:
            fresh = await base.auth.token(
                self._http, base.url, allow_http=base.allow_http, rejected=token
            )
            if fresh == token:
                raise
        return await self._follow(target, _bearer(fresh))

    async def _follow(self, target: Target, headers: dict[str, str]) -> Fetched:
        for _ in range(self._limits.redirects + 1):
            async with self._http.stream("GET", target.url, headers=headers) as response:
                location = response.headers.get("location")
                if response.status_code not in _REDIRECTS or location is None:
                    check_status(response)
                    try:
                        return await self._read(response, target)
                    except Externalised:
                        location = f"{_instance(target.url)}/$binary-access-read?path=Binary"
            target = self._allowed.redirected(target, location)
        raise AttachmentError(AttachmentReason.REFUSED, "The FHIR server redirects without end.")

    async def _read(self, response: httpx.Response, target: Target) -> Fetched:
        declared = response.headers.get("content-type")
        limit = self._limits.max_bytes
        body = await read_body(response, wire_limit(limit, declared or ""))
        content, content_type = unwrap(body, declared)
        if len(content) > limit:
            raise too_large(limit)
        return Fetched(content, content_type, target.base.url)

    def _is_to_blame(self, target: Target) -> bool:
        """Whether a fetch of `target` failed before, and the base has answered another since."""
        now = time.monotonic()
        while len(self._suspects) >= _MAX_SUSPECTS:
            del self._suspects[next(iter(self._suspects))]
        first = self._suspects.setdefault(target.url, now)
        if self._answered_at.get(target.base.url, first) <= first:
            return False
        del self._suspects[target.url]
        return True


def _instance(url: httpx.URL) -> str:
    return str(url.copy_with(query=None)).partition("/_history/")[0]


def _bearer(token: str) -> dict[str, str]:
    return {"Accept": _ACCEPT, "Authorization": f"Bearer {token}"}

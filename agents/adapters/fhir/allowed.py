"""Which URLs may be asked for: those under a configured base, and nothing else.

A reference comes from a feed, and fetching what it says from inside a hospital's network is the
classic server-side request forgery. So the rule is a comparison, not a list of bad things: scheme,
host and port must equal a base's, and the path must lie under the base's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import httpx

from agents.adapters.fhir.auth import Auth
from agents.adapters.fhir.errors import AttachmentError
from agents.adapters.fhir.urls import has_scheme, is_secure, not_allowed, plain_url


@dataclass(frozen=True)
class FhirBase:
    """A server's base URL, `https://fhir.example.org/r4`, and how to get in.

    http is for loopback, unless `allow_http`. Raises `ValueError` when the URL is no base.
    """

    url: str
    auth: Auth | None = field(default=None, repr=False)
    allow_http: bool = False

    def __post_init__(self) -> None:
        try:
            parsed = plain_url(self.url)
        except AttachmentError:
            raise ValueError("a FHIR base must be a plain absolute URL") from None
        if "?" in self.url or "#" in self.url or not parsed.host:
            raise ValueError("a FHIR base must be an absolute URL without query and fragment")
        if not is_secure(parsed, allow_http=self.allow_http):
            raise ValueError("a FHIR base must be https, or http on loopback")
        object.__setattr__(self, "url", str(parsed).rstrip("/"))

    def holds(self, url: httpx.URL) -> bool:
        root = httpx.URL(self.url)
        prefix = root.raw_path.rstrip(b"/") + b"/"
        path = url.raw_path.partition(b"?")[0]
        return (
            (url.scheme, url.raw_host, url.port) == (root.scheme, root.raw_host, root.port)
            and path.startswith(prefix)
            and path != prefix
        )


@dataclass(frozen=True)
class Target:
    """A URL that may be asked for, and the base it lies under."""

    base: FhirBase
    url: httpx.URL


class Allowed:
    """The configured bases; relative references are relative to the first."""

    def __init__(self, bases: Sequence[FhirBase]) -> None:
        if not bases:
            raise ValueError("a FHIR client needs at least one base")
        self._default = httpx.URL(bases[0].url + "/")
        # The longest first: a base may lie under another, with its own credentials.
        self._bases = sorted(bases, key=lambda base: len(base.url), reverse=True)

    def resolve(self, reference: str) -> Target:
        """Where `reference` may be asked for. Raises `AttachmentError` (`url_not_allowed`)."""
        text = reference.strip()
        url = plain_url(text if has_scheme(text) else self._absolute(text))
        for base in self._bases:
            if base.holds(url):
                return Target(base, url.copy_with(fragment=None))
        raise not_allowed("it lies under no configured FHIR base")

    def redirected(self, target: Target, location: str) -> Target:
        """Where a redirect of `target` may go: nowhere but under the same base."""
        if has_scheme(location):
            plain_url(location)
        try:
            joined = str(target.url.join(location))
        except (httpx.InvalidURL, ValueError):
            raise not_allowed("it is redirected to what is no URL") from None
        url = plain_url(joined)
        if not target.base.holds(url):
            raise not_allowed("it is redirected off its FHIR base")
        return Target(target.base, url.copy_with(fragment=None))

    def _absolute(self, text: str) -> str:
        if text.startswith("//"):
            raise not_allowed("it names a host without a scheme")
        root = self._default.copy_with(path="/") if text.startswith("/") else self._default
        return f"{root}{text.removeprefix('/')}"

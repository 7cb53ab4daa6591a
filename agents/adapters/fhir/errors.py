"""How a fetch ends other than with an attachment, and httpx' errors as ours.

AttachmentError (PermanentError)      a repeat would end the same; `reason` says how
TransientError
├── Throttled (DependencyOverloaded)  429, 503 and their like
├── SpoiltAnswer (DependencyUnavailable)  it answers, but not properly: 500, a body cut short
├── DependencyUnavailable             it does not answer
└── DeadlineExceeded                  it did not answer in time

Messages hold a status and advice, never a URL, a header or what the server said: those hold ids and
tokens. For the same reason the original is not chained (`from None`), and httpx' loggers, which
print URLs, are silenced.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum

import httpx

from agents.errors import (
    DeadlineExceeded,
    DependencyOverloaded,
    DependencyUnavailable,
    PermanentError,
)

FHIR = "fhir"


class AttachmentReason(StrEnum):
    NOT_FOUND = "attachment_not_found"
    """404 or 410: it is not there, or no longer."""
    URL_NOT_ALLOWED = "url_not_allowed"
    """Not under a configured base, so never asked for; also where a redirect led."""
    TOO_LARGE = "attachment_too_large"
    FORBIDDEN = "attachment_forbidden"
    """401 with a fresh token, or 403."""
    REFUSED = "attachment_refused"
    """Another answer that says no: 400, 406, an OperationOutcome, redirects without end."""
    BROKEN = "attachment_broken"
    """The server keeps failing on this one while it answers others, or sends what is no Binary."""


class AttachmentError(PermanentError):
    """`reason` is an `AttachmentReason`."""

    reason: AttachmentReason

    def __init__(self, reason: AttachmentReason, message: str) -> None:
        super().__init__(reason, message)


class Unauthorised(AttachmentError):
    """401: worth one more attempt with another token."""

    def __init__(self) -> None:
        super().__init__(
            AttachmentReason.FORBIDDEN,
            "The FHIR server refuses our credentials (401): check the token or the client's scopes",
        )


class Throttled(DependencyOverloaded):
    """`wait_s`: seconds that the server asks to be left alone for, when it says so."""

    def __init__(self, message: str, wait_s: float | None = None) -> None:
        super().__init__(FHIR, message)
        self.wait_s = wait_s


class SpoiltAnswer(DependencyUnavailable):
    """May be the server's state, or this one attachment: see `client.FhirClient`."""

    def __init__(self, message: str) -> None:
        super().__init__(FHIR, message)


def unavailable(why: str) -> DependencyUnavailable:
    return DependencyUnavailable(
        FHIR,
        f"The FHIR server does not answer ({why}): check that it runs and that its base URL and "
        "TLS settings are right",
    )


@contextmanager
def http_errors() -> Iterator[None]:
    """Map what httpx raises to `TransientError`s."""
    try:
        yield
    except httpx.ConnectTimeout:
        raise unavailable("no connection in time") from None
    except (TimeoutError, httpx.TimeoutException):
        raise DeadlineExceeded(FHIR, "The FHIR server did not answer in time") from None
    except httpx.RemoteProtocolError:
        raise SpoiltAnswer("The FHIR server broke HTTP, or off in the middle of a body") from None
    except httpx.HTTPError as error:
        raise unavailable(type(error).__name__) from None


def silence_httpx() -> None:
    for name in ("httpx", "httpcore"):
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)

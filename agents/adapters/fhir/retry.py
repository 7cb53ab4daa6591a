"""Which answers are worth asking again, and when."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus

import httpx

from agents.adapters.fhir.errors import (
    AttachmentError,
    AttachmentReason,
    SpoiltAnswer,
    Throttled,
    Unauthorised,
    unavailable,
)
from agents.adapters.fhir.limits import Limits
from agents.errors import DeadlineExceeded, TransientError

_BUSY = frozenset({408, 425, 429, 503})
_BEHIND_A_GATEWAY = frozenset({502, 504})
_GONE = frozenset({404, 410})


def check_status(response: httpx.Response) -> None:
    """Return for 200, 203 and 204. Raises what the status means otherwise."""
    status = response.status_code
    if status in {HTTPStatus.OK, HTTPStatus.NON_AUTHORITATIVE_INFORMATION, HTTPStatus.NO_CONTENT}:
        return
    if status in _BUSY:
        wait = retry_after(response.headers.get("retry-after"), datetime.now(UTC))
        raise Throttled(f"The FHIR server is busy ({status})", wait)
    if status in _BEHIND_A_GATEWAY:
        raise unavailable(f"its gateway says {status}")
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        raise SpoiltAnswer(f"The FHIR server failed ({status}): its own log says why")
    if status == HTTPStatus.UNAUTHORIZED:
        raise Unauthorised
    if status == HTTPStatus.FORBIDDEN:
        raise AttachmentError(
            AttachmentReason.FORBIDDEN, "The FHIR server forbids it (403): check the scopes."
        )
    if status in _GONE:
        raise AttachmentError(
            AttachmentReason.NOT_FOUND, f"The FHIR server does not have it ({status})."
        )
    raise AttachmentError(AttachmentReason.REFUSED, f"The FHIR server refuses it ({status}).")


def retry_after(header: str | None, now: datetime) -> float | None:
    """Seconds to wait; `header` is a number of them or an HTTP date (RFC 9110 section 10.2.3)."""
    text = (header or "").strip()
    if text.isascii() and text.isdigit():
        return float(text)
    try:
        date = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return None
    if date.tzinfo is None:
        date = date.replace(tzinfo=UTC)
    return max(0.0, (date - now).total_seconds())


def wait_before(attempt: int, error: TransientError, limits: Limits) -> float | None:
    """Seconds before `attempt` (the second is 2), or None when `error` is the caller's to wait."""
    if attempt > limits.attempts or isinstance(error, DeadlineExceeded):
        return None
    if isinstance(error, Throttled) and error.wait_s is not None:
        return error.wait_s if error.wait_s <= limits.retry_after_s else None
    return limits.backoff_s * 2.0 ** (attempt - 2)

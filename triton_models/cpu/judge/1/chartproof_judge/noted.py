"""When a fact was noted, as far as the context tells: at a time, or so long before the text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Any, NamedTuple

UNKNOWN = "an unknown time"
_RELATIVE = re.compile(
    r"(?:(?P<days>\d{1,6}) days? ?)?(?:(?P<hours>\d{1,6}) hours? |less than 1 hour )?"
    r"(?P<side>before|after) the text"
)


class Noted(NamedTuple):
    """`said`: for a reason. `instant`: seconds since the epoch, or before the text where only that
    is known; what is not known is older than any. `day`: in the zone that was told."""

    said: str = UNKNOWN
    instant: float = float("-inf")
    day: date | None = None


def noted(fact: Mapping[str, Any], as_of: object) -> Noted:
    """By the fact's `time` (RFC 3339), else its `relative_time` and the text's own time."""
    time, relative = fact.get("time"), fact.get("relative_time")
    if isinstance(time, str) and (at := _time(time)):
        return Noted(time[:16].replace("T", " "), _instant(at), at.date())
    if not isinstance(relative, str) or not (found := _RELATIVE.fullmatch(relative)):
        return Noted()
    before = timedelta(days=int(found["days"] or 0), hours=int(found["hours"] or 0))
    if found["side"] == "after":
        before = -before
    text = _time(as_of) if isinstance(as_of, str) else None
    try:
        at = text - before if text else None
    except OverflowError:  # before any calendar
        at = None
    if at is None:
        return Noted(relative, -before.total_seconds())
    return Noted(relative, _instant(at), at.date())


def day_of(time: object) -> date | None:
    """The day that an RFC 3339 time says, in the zone that it says; None when it cannot be read."""
    found = _time(time) if isinstance(time, str) else None
    return found.date() if found else None


def _time(said: str) -> datetime | None:
    try:
        return datetime.fromisoformat(said)
    except ValueError:
        return None


def _instant(at: datetime) -> float:
    try:
        return (at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp()
    except (OverflowError, OSError):
        return float("-inf")

"""FHIR dateTimes as they really come: date-only, without a zone, with seven-digit fractions.

Reading never raises: a time that cannot be read is absent, and the next source of a note's time is
asked. So is one outside 1850 to 2199: those are how systems write "not set" (.NET sends
0001-01-01, others 9999-12-31), and at the edges of the calendar a zone shift overflows.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone, tzinfo

_YEARS = range(1850, 2200)
_TIME = re.compile(
    r"(\d{4})(?:-(\d\d?)(?:-(\d\d?))?)?"
    r"(?:[T ](\d\d?):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?)?"
    r"\s*(Z|z|[+-]\d\d:?\d\d)?",
    re.ASCII,
)


def parse_time(value: object, zone: tzinfo = UTC, *, end_of_day: bool = False) -> datetime | None:
    """The instant in UTC, or None. `zone` holds where the value names none.

    A date alone is its midnight; with `end_of_day` it is the last microsecond of that day, for
    limits: "as of the 3rd" includes the 3rd. Fractions are cut to microseconds.
    """
    match = _TIME.fullmatch(value.strip()) if isinstance(value, str) else None
    if match is None or int(match[1]) not in _YEARS:
        return None
    year, month, day, hour, minute, second, fraction, offset = match.groups()
    try:
        local = datetime(
            int(year),
            int(month or 1),
            int(day or 1),
            int(hour or 0),
            int(minute or 0),
            min(int(second or 0), 59),  # a leap second
            int((fraction or "0")[:6].ljust(6, "0")),
            _zone(offset) or zone,
        )
    except ValueError:
        return None
    if end_of_day and day and hour is None:
        local = local.replace(hour=23, minute=59, second=59, microsecond=999_999)
    return local.astimezone(UTC)


def _zone(offset: str | None) -> tzinfo | None:
    if offset is None:
        return None
    if offset in "Zz":
        return UTC
    minutes = int(offset[1:3]) * 60 + int(offset[-2:])
    return timezone(timedelta(minutes=-minutes if offset[0] == "-" else minutes))

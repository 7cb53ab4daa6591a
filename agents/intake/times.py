"""FHIR dateTimes as they really come: date-only, without a zone, with seven-digit fractions, as HL7
v2 or a database prints them.

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
    r"\s*(Z|z|[+-]\d\d(?::?\d\d)?)?(?:\[[\w/+-]{1,40}\])?",  # Java adds the zone's name
    re.ASCII,
)
# HL7 v2 (2.A.22) and ISO 8601's basic format: 20240501083000-0500.
_COMPACT = re.compile(
    r"(\d{4})(\d\d)(\d\d)(?:T?(\d\d)(\d\d)(?:(\d\d)(?:\.(\d+))?)?)?(Z|[+-]\d{4})?", re.ASCII
)


def parse_time(value: object, zone: tzinfo = UTC, *, end_of_day: bool = False) -> datetime | None:
    """The instant in UTC, or None. `zone` holds where the value names none.

    A date alone is its midnight; with `end_of_day` it is its last microsecond, for limits: "as of
    the 3rd" includes the 3rd, "until May" includes May. Fractions are cut to microseconds; 24:00 is
    the midnight that ends the day.
    """
    said = value.strip() if isinstance(value, str) else ""
    match = _TIME.fullmatch(said) or _COMPACT.fullmatch(said)
    if match is None or int(match[1]) not in _YEARS:
        return None
    year, month, day, hour, minute, second, fraction, offset = match.groups()
    midnight = hour == "24" and not int(minute + (second or ""))
    try:
        local = datetime(
            int(year),
            int(month or 1),
            int(day or 1),
            0 if midnight else int(hour or 0),
            int(minute or 0),
            min(int(second or 0), 59),  # a leap second
            int((fraction or "0")[:6].ljust(6, "0")),
            _zone(offset) or zone,
        )
    except ValueError:
        return None
    if midnight:
        local += timedelta(days=1)
    if end_of_day and hour is None:
        local = _end(local, month, day)
    return local.astimezone(UTC)


def _end(begin: datetime, month: str | None, day: str | None) -> datetime:
    """The last microsecond of the day, month or year that begins then."""
    if month is None:
        next_one = begin.replace(year=begin.year + 1)
    elif day is None:
        next_one = (begin + timedelta(days=31)).replace(day=1)
    else:
        next_one = begin + timedelta(days=1)
    return next_one - timedelta(microseconds=1)


def _zone(offset: str | None) -> tzinfo | None:
    if offset is None:
        return None
    if offset in "Zz":
        return UTC
    minutes = int(offset[1:3]) * 60 + (int(offset[-2:]) if len(offset) > len("+02") else 0)
    return timezone(timedelta(minutes=-minutes if offset[0] == "-" else minutes))

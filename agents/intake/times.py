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


_MONTH_NAMES = "jan feb mar apr may jun jul aug sep oct nov dec"
_MONTHS = {name: number for number, name in enumerate(_MONTH_NAMES.split(), 1)}
_CLOCK = (
    r"(?:,?[T ]\s*(?P<hour>\d\d?):(?P<minute>\d\d)(?::(?P<second>\d\d)(?:\.\d+)?)?"
    r"\s*(?P<half>[AaPp]\.?[Mm]\.?)?)?"
)
_OFFSET = r"\s*(?P<zone>Z|UTC|GMT|[+-]\d\d:?\d\d)?"
_WRITTEN = tuple(
    re.compile(day + _CLOCK + _OFFSET, re.ASCII)
    for day in (
        # As the United States write it; a number over 12 can be no month. With dots: day first.
        r"(?P<month>\d\d?)/(?P<day>\d\d?)/(?P<year>\d{4})",
        r"(?P<day>\d\d?)\.(?P<month>\d\d?)\.(?P<year>\d{4})",
        r"(?P<year>\d{4})/(?P<month>\d\d?)/(?P<day>\d\d?)",
        # RFC 1123, Oracle, and in words.
        r"(?:[A-Z][a-z]{2,8}, )?(?P<day>\d\d?)[ -](?P<name>[A-Za-z]{3,9})\.?,?[ -](?P<year>\d{4})",
        r"(?:[A-Z][a-z]{2,8},? )?(?P<name>[A-Za-z]{3,9})\.? (?P<day>\d\d?),? (?P<year>\d{4})",
    )
)
_EPOCH = re.compile(r"-?\d{9,19}(?:\.\d+)?")
_UNITS = ((1e11, 1), (1e14, 1_000), (1e17, 1_000_000), (1e20, 1_000_000_000))
"""Up to which size a count since 1970 is one of seconds, of milliseconds, ..."""


def parse_time(value: object, zone: tzinfo = UTC, *, end_of_day: bool = False) -> datetime | None:
    """The instant in UTC, or None. `zone` holds where the value names none.

    Beside FHIR's own form: HL7 v2's, seconds, milliseconds, micro- and nanoseconds since 1970, US
    dates, RFC 1123 and dates in words. `2/1/2026` is read as the United States write it.

    A date alone is its midnight; with `end_of_day` it is its last microsecond, for limits: "as of
    the 3rd" includes the 3rd, "until May" includes May. Fractions are cut to microseconds; 24:00 is
    the midnight that ends the day.
    """
    if isinstance(value, dict) and len(value) == 1:  # MongoDB's {"$date": ...}
        value = next(iter(value.values()))
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _of_epoch(float(value))
    text = value.strip() if isinstance(value, str) else ""
    match = _TIME.fullmatch(text) or _COMPACT.fullmatch(text)
    if match is None:
        counted = _EPOCH.fullmatch(text)
        return _of_epoch(float(text)) if counted else _of_words(text, zone, end_of_day=end_of_day)
    if int(match[1]) not in _YEARS:
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


def _of_epoch(count: float) -> datetime | None:
    for limit, per_second in _UNITS:
        if abs(count) < limit:
            try:
                time = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=count / per_second)
            except (OverflowError, ValueError):
                return None
            # A small count is more likely a code, or a year, than a moment of 1970.
            return time if time.year in _YEARS and abs(count) >= _LEAST_EPOCH else None
    return None


_LEAST_EPOCH = 1e8


def _of_words(text: str, zone: tzinfo, *, end_of_day: bool) -> datetime | None:
    match = next(filter(None, (form.fullmatch(text) for form in _WRITTEN)), None)
    if match is None or int(match["year"]) not in _YEARS:
        return None
    parts = match.groupdict()
    month = int(parts.get("month") or _MONTHS.get((parts.get("name") or "")[:3].lower(), 0))
    day = int(match["day"])
    if month > _LAST_MONTH and day <= _LAST_MONTH and parts.get("name") is None:
        month, day = day, month
    hour = int(match["hour"] or 0)
    if half := (match["half"] or "").lower():
        hour = hour % 12 + (12 if half[0] == "p" else 0)
    offset = match["zone"]
    offset = "Z" if offset in ("UTC", "GMT") else offset
    try:
        local = datetime(
            int(match["year"]),
            month,
            day,
            hour,
            int(match["minute"] or 0),
            min(int(match["second"] or 0), 59),
            tzinfo=_zone(offset) or zone,
        )
    except ValueError:
        return None
    if end_of_day and match["hour"] is None:
        local = _end(local, "month", "day")
    return local.astimezone(UTC)


_LAST_MONTH = 12


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

"""FHIR dateTimes as they come."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from agents.intake.times import parse_time

BERLIN = ZoneInfo("Europe/Berlin")


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("2024-05-01T08:30:00Z", "2024-05-01T08:30:00+00:00"),
        ("2024-05-01T08:30:00+05:30", "2024-05-01T03:00:00+00:00"),
        ("2024-05-01T08:30:00-0400", "2024-05-01T12:30:00+00:00"),
        ("2021-09-08T01:14:04.5613214Z", "2021-09-08T01:14:04.561321+00:00"),
        ("2024-05-01T08:30:00.5Z", "2024-05-01T08:30:00.500000+00:00"),
        ("2024-05-01T08:30", "2024-05-01T06:30:00+00:00"),
        ("2024-05-01 08:30:00", "2024-05-01T06:30:00+00:00"),
        ("2024-01-01", "2023-12-31T23:00:00+00:00"),
        ("2024-07", "2024-06-30T22:00:00+00:00"),
        ("2024", "2023-12-31T23:00:00+00:00"),
        ("2016-12-31T23:59:60Z", "2016-12-31T23:59:59+00:00"),
        ("2024-02-29T24:00:00Z", "2024-03-01T00:00:00+00:00"),
        ("2024-12-31T24:00", "2024-12-31T23:00:00+00:00"),
        ("2024-05-01 08:30:00+02", "2024-05-01T06:30:00+00:00"),
        ("2024-05-01T08:30:00-03", "2024-05-01T11:30:00+00:00"),
        ("2024-05-01T08:30:00+02:00[Europe/Paris]", "2024-05-01T06:30:00+00:00"),
        ("20240501083000-0500", "2024-05-01T13:30:00+00:00"),
        ("20240501083000.1234+0200", "2024-05-01T06:30:00.123400+00:00"),
        ("202405010830", "2024-05-01T06:30:00+00:00"),
        ("20240501T083000Z", "2024-05-01T08:30:00+00:00"),
        ("20240101", "2023-12-31T23:00:00+00:00"),
    ],
)
def test_times_are_read_with_the_site_zone_where_they_name_none(said, expected):
    assert parse_time(said, BERLIN).isoformat() == expected


@pytest.mark.parametrize(
    "said",
    [
        None, "", "soon", 20240501, "2024-13-01", "2024-02-30", "2024-05-01T25:00:00Z",
        "0000-01-01", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59-12:00", "12024-01-01",
        "2024-05-01T24:30:00Z", "24:00", "20241301", "13/13/2024", "1714",
        "2024-05-01T08:30:00+99:99", "2024-05-01T08:30:00Z; drop", "٢٠٢٤-٠١-٠١", ["2024-05-01"],
    ],
)  # fmt: skip
def test_what_is_no_plausible_time_is_absent_and_never_raises(said):
    assert parse_time(said, BERLIN) is None


def test_a_date_as_a_limit_includes_its_day():
    limit = parse_time("2024-05-03", UTC, end_of_day=True)
    assert datetime(2024, 5, 3, 23, 59, tzinfo=UTC) < limit < datetime(2024, 5, 4, tzinfo=UTC)
    exact = parse_time("2024-05-03T10:00:00", UTC, end_of_day=True)
    assert exact == datetime(2024, 5, 3, 10, tzinfo=UTC)


@pytest.mark.parametrize(
    ("said", "after", "before"),
    [("2024-02", "2024-02-29T23:59", "2024-03-01"), ("2024-12", "2024-12-31T23:59", "2025-01-01"),
     ("2024", "2024-12-31T23:59", "2025-01-01")],
)  # fmt: skip
def test_a_month_or_a_year_as_a_limit_includes_all_of_it(said, after, before):
    limit = parse_time(said, UTC, end_of_day=True)
    assert parse_time(after) < limit < parse_time(before)

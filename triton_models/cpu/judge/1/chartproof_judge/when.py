"""From times as said to days of the calendar: by the note's own date, and by the text's.

`Yesterday` in a note of March 5 is March 4, and in a text of March 6 it is March 5.
"""

from __future__ import annotations

from calendar import monthrange
from datetime import date, timedelta
from typing import NamedTuple

from . import dates
from .quantities import Quantity
from .times import Time

Days = tuple[date, date]
"""The first and the last day that a time may mean."""


class When(NamedTuple):
    """The day of the text that is verified and that of the fact's note; None where not known."""

    text: date | None = None
    note: date | None = None

    @property
    def shift(self) -> float:
        """Days from the note to the text; 0 where one is not known."""
        return float((self.text - self.note).days) if self.text and self.note else 0.0


def of_point(told: Time | Quantity, day: date | None) -> Days | None:
    """The days of a point in time (`ago`) that is told on `day`."""
    if day is None:
        return None
    try:
        return day - timedelta(days=told.high), day - timedelta(days=told.low)
    except OverflowError:  # before any calendar
        return None


def of_date(told: Quantity, day: date | None) -> Days | None:
    """The days of a date, of which the last such up to `day` is meant where it says no year."""
    first, last = _days(told.low, day), _days(told.high, day)
    return (first[0], last[1]) if first and last else None


def overlap(one: Days, two: Days, slack: int = 0) -> bool:
    """Whether two stretches of days have one in common, or miss by no more than `slack`."""
    allowed = timedelta(days=slack)
    return one[0] <= two[1] + allowed and two[0] <= one[1] + allowed


def _days(coded: float, day: date | None) -> Days | None:
    year, month, number = dates.parts(coded)
    if not year:
        if day is None or not month:
            return None
        year = day.year - ((month, number or 1) > (day.month, day.day))
    try:
        if not month:
            return date(year, 1, 1), date(year, 12, 31)
        first = date(year, month, number or 1)
        return first, date(year, month, number or monthrange(year, month)[1])
    except ValueError:  # February 30
        return None

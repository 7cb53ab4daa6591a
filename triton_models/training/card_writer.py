"""Write the sentences of a scenario card with the values its slots were filled with."""

import random
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from .card_slots import PLACE, CardError, Filling, Number, Row
from .card_words import as_ordinal, in_words


@dataclass(frozen=True)
class Writer:
    """Writes sentences for one card: its filling, its day, and the patient's own words."""

    filling: Filling
    day: datetime
    patient: Mapping[str, str]
    american: bool

    def _date(self, form: str, offset: int) -> str:
        """Write a date as the country of the patient does."""
        day = self.day + timedelta(days=offset)
        if form == "W":
            return day.strftime("%A")
        if form == "L":
            return (
                day.strftime("%B ") + str(day.day)
                if self.american
                else f"{day.day} {day.strftime('%B')}"
            )
        return f"{day.month}/{day.day}" if self.american else f"{day.day} {day.strftime('%b')}"

    def write(self, template: str, rng: random.Random) -> str:
        """Fill every brace of a sentence."""

        def put(match: re.Match[str]) -> str:
            name, mark, column, offset, form = match.groups()
            if name in ("D", "L", "W") and name not in self.filling:
                return self._date(name, int(offset or 0))
            if name in self.patient:
                return self.patient[name]
            value = self.filling.get(name)
            if isinstance(value, Number):
                words = {"w": in_words, "W": in_words, "o": as_ordinal}.get(form or "")
                text = words(int(value.value)) if words else value.text()
                return text[:1].upper() + text[1:] if form == "W" else text
            if isinstance(value, Row):
                row = value.other if mark == "!" else value.chosen
                cell = rng.choice(row[value.columns.index(column or value.columns[0])].split("/"))
                return cell[:1].upper() + cell[1:] if form == "W" else cell
            raise CardError(f"no slot for {match.group(0)} in {template!r}")

        return PLACE.sub(put, template)

"""Synthea's bulk export: per patient the notes, and what the structured resources record.

Conditions, MedicationRequests, Procedures, Immunizations and AllergyIntolerances say what is true
of a patient and since when, apart from the notes; `synthea_statements` makes gold labels of them.
"""

from __future__ import annotations

import re
from base64 import b64decode
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any

import orjson


@dataclass(frozen=True)
class Item:
    """What a structured resource records. `kind` is its type, `name` the display of its code."""

    kind: str
    name: str


@dataclass(frozen=True)
class SyntheaChart:
    """One patient. `notes`: (time, text) in order of time; `recorded`: when each item first was."""

    patient_id: str
    notes: tuple[tuple[datetime, str], ...]
    recorded: Mapping[Item, datetime]

    @cached_property
    def _lowered(self) -> tuple[tuple[datetime, str], ...]:
        return tuple((time, text.lower()) for time, text in self.notes)

    def says(self, words: str, until: datetime | None = None) -> bool:
        """Whether a note up to `until` (any note without it) has `words`, whatever their case."""
        sought = words.lower()
        return any(sought in text for time, text in self._lowered if until is None or time <= until)

    def middle(self) -> datetime:
        """The time of the middle note: an `as_of` with a past and a future."""
        return self.notes[len(self.notes) // 2][0]


@dataclass(frozen=True)
class _Elements:
    """Where a resource type has its code, its patient and its time (FHIR R4)."""

    code: str
    patient: str
    time: Callable[[Any], str]


_ELEMENTS: Mapping[str, _Elements] = MappingProxyType(
    {
        "Condition": _Elements("code", "subject", lambda r: r["recordedDate"]),
        "MedicationRequest": _Elements(
            "medicationCodeableConcept", "subject", lambda r: r["authoredOn"]
        ),
        "Procedure": _Elements("code", "subject", lambda r: r["performedPeriod"]["start"]),
        "Immunization": _Elements("vaccineCode", "patient", lambda r: r["occurrenceDateTime"]),
        "AllergyIntolerance": _Elements("code", "patient", lambda r: r["recordedDate"]),
    }
)
_SNOMED_TAG = re.compile(
    r" \((disorder|finding|situation|procedure|regime/therapy|organism|substance)\)$"
)


def load_synthea(folder: Path) -> tuple[SyntheaChart, ...]:
    """Every patient with notes in a bulk export (`<type>.*.ndjson`), in order of patient id.

    Raises `FileNotFoundError` when the folder holds no DocumentReferences.
    """
    notes: dict[str, list[tuple[datetime, str]]] = defaultdict(list)
    for resource in resources(folder, "DocumentReference"):
        text = b64decode(resource["content"][0]["attachment"]["data"]).decode()
        notes[patient_of(resource["subject"])].append((parsed_time(resource["date"]), text))
    if not notes:
        raise FileNotFoundError(f"{folder}: no DocumentReference.*.ndjson with notes here")
    recorded: dict[str, dict[Item, datetime]] = defaultdict(dict)
    for patient_id, item, time in _items(folder):
        first = recorded[patient_id].get(item, time)
        recorded[patient_id][item] = min(first, time)
    return tuple(
        SyntheaChart(patient_id, tuple(sorted(notes[patient_id])), recorded[patient_id])
        for patient_id in sorted(notes)
    )


def _items(folder: Path) -> Iterator[tuple[str, Item, datetime]]:
    for kind, elements in _ELEMENTS.items():
        for resource in resources(folder, kind):
            item = Item(kind, _SNOMED_TAG.sub("", resource[elements.code]["text"]))
            yield patient_of(resource[elements.patient]), item, parsed_time(elements.time(resource))


def resources(folder: Path, resource_type: str) -> Iterator[Any]:
    """Every resource of a type in a bulk export (`<type>.*.ndjson`)."""
    for path in sorted(folder.glob(f"{resource_type}.*.ndjson")):
        with path.open("rb") as lines:
            yield from (orjson.loads(line) for line in lines if line.strip())


def patient_of(reference: Mapping[str, str]) -> str:
    """The id in a reference such as `{"reference": "Patient/1"}`."""
    return reference["reference"].removeprefix("Patient/")


def parsed_time(value: str) -> datetime:
    """A FHIR instant or dateTime with a zone."""
    return datetime.fromisoformat(value)

"""Labelled statements about a whole chart, made from the structured resources beside its notes.

As of a time, a statement is

- `true`: recorded by then, and named in a note by then;
- `later`: recorded only after it, and named in no note up to it;
- `foreign`: recorded of another patient, never of this one, and named in none of this one's notes.

Both conditions are needed: many items are shared by patients and a note can come later than its
record, so the record alone would give wrong labels. What meets no rule is left out, and so are
allergies where a note says that there are none, as most do whatever the record holds: there notes
and record disagree. The notes decide which items are asked about, never how they are phrased.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType

from agents.evaluation.synthea import Item, SyntheaChart
from schemas.verdicts import Verdict


class Label(StrEnum):
    TRUE = "true"
    LATER = "later"
    FOREIGN = "foreign"


EXPECTED: Mapping[str, Verdict] = MappingProxyType(
    {
        Label.TRUE: Verdict.SUPPORTED,
        Label.LATER: Verdict.NOT_ADDRESSED,
        Label.FOREIGN: Verdict.NOT_ADDRESSED,
    }
)


@dataclass(frozen=True)
class Statement:
    patient_id: str
    text: str
    as_of: datetime
    label: Label
    kind: str
    """The type of the resource that it was made from: Condition, Procedure, ..."""


_SENTENCES: Mapping[str, str] = MappingProxyType(
    {
        "Condition": "The patient has a history of {}.",
        "MedicationRequest": "The patient was prescribed {}.",
        "Procedure": "{} was performed.",
        "Immunization": "The patient was immunized with {}.",
        "AllergyIntolerance": "The patient is allergic to {}.",
    }
)
_SNOMED_INSIDE = frozenset({"Condition", "AllergyIntolerance"})
"""Kinds whose name, capitalised as SNOMED does, comes inside the sentence."""
_UNSAYABLE = re.compile(r"^(History of|Has) | \(physical object\)$")
"""Names that the sentence of their kind cannot take: "a history of History of ..."."""


def statements(
    chart: SyntheaChart, others: Iterable[SyntheaChart], as_of: datetime, *, seed: int, n: int
) -> list[Statement]:
    """At most `n` statements of each label, drawn at random from different items.

    The same arguments give the same statements, whatever the order of `others`.
    """
    elsewhere = {item for other in others for item in other.recorded} - set(chart.recorded)
    own = chart.recorded.items()
    groups = {
        Label.TRUE: [i for i, time in own if time <= as_of and chart.says(i.name, until=as_of)],
        Label.LATER: [i for i, time in own if time > as_of and not chart.says(i.name, until=as_of)],
        Label.FOREIGN: [i for i in elsewhere if not chart.says(i.name)],
    }
    drawn = random.Random(f"{seed} {chart.patient_id} {as_of.isoformat()}")  # noqa: S311
    return [
        Statement(chart.patient_id, sentence(item), as_of, label, item.kind)
        for label, items in groups.items()
        for item in _draw(drawn, [i for i in items if _fit(i, chart, as_of)], n)
    ]


def sentence(item: Item) -> str:
    """`item` as a plain clinical sentence."""
    name = item.name
    first = name.split(maxsplit=1)[0]
    if item.kind in _SNOMED_INSIDE and first[1:].islower():  # "Fever", and not "COVID-19"
        name = name[0].lower() + name[1:]
    return _SENTENCES[item.kind].format(name)


def _fit(item: Item, chart: SyntheaChart, as_of: datetime) -> bool:
    denied = item.kind == "AllergyIntolerance" and chart.says("no known allergies", until=as_of)
    return not denied and not _UNSAYABLE.search(item.name)


def _draw(drawn: random.Random, items: Sequence[Item], n: int) -> list[Item]:
    ordered = sorted(items, key=lambda item: (item.kind, item.name))
    return drawn.sample(ordered, min(n, len(ordered)))

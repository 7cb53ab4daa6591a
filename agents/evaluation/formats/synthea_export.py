"""A folder of a Synthea bulk export: its notes as they are, and statements made from its records.

The notes are of templates, so such a set shows plumbing, time order and isolation; of how well
language is understood it says little.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import orjson

from agents.evaluation.dataset import ChartNote, Dataset, EvaluationChart, Item, LabelledSpan
from agents.evaluation.measures.outcomes import Label as Gold
from agents.evaluation.synthea import load_synthea
from agents.evaluation.synthea_statements import Label, Statement, statements
from schemas.identity import of_reference

NOTES = "DocumentReference.*.ndjson"
PER_CLASS = 10
"""Statements of each class a patient."""
_GOLD: Mapping[Label, Gold] = MappingProxyType(
    {Label.TRUE: "supported", Label.LATER: "not_addressed", Label.FOREIGN: "not_addressed"}
)


def is_synthea(folder: Path) -> bool:
    return folder.is_dir() and any(folder.glob(NOTES))


def read_synthea(folder: Path, seed: int) -> Dataset:
    """Statements are as of the middle note of each patient."""
    notes, digest = _notes(folder)
    charts = load_synthea(folder)
    items = [
        _item(n, statement)
        for chart in charts
        for n, statement in enumerate(
            statements(chart, charts, chart.middle(), seed=seed, n=PER_CLASS)
        )
    ]
    held = {chart.patient_id: notes[chart.patient_id] for chart in charts}
    return Dataset(
        name=folder.name,
        format="synthea",
        sha256=digest,
        charts=tuple(EvaluationChart(p, p, tuple(some)) for p, some in held.items()),
        items=tuple(items),
        notices=(f"{folder.name}: statements are made from the records beside the notes",),
    )


def _notes(folder: Path) -> tuple[dict[str, list[ChartNote]], str]:
    notes: dict[str, list[ChartNote]] = defaultdict(list)
    digest = hashlib.sha256()
    for path in sorted(folder.glob(NOTES)):
        content = path.read_bytes()
        digest.update(content)
        for line in filter(bytes.strip, content.splitlines()):
            resource = orjson.loads(line)
            patient = of_reference(resource["subject"]["reference"], "Patient")
            notes[patient].append(ChartNote(resource["id"], "", resource=line))
    return notes, digest.hexdigest()


def _item(n: int, statement: Statement) -> Item:
    item_id = f"{statement.patient_id}/{n}"
    kind = f"{statement.label.value}, {statement.kind}"
    span = LabelledSpan(item_id, 0, len(statement.text), _GOLD[statement.label], kind)
    return Item(item_id, statement.patient_id, "claim", statement.text, (span,), statement.as_of)

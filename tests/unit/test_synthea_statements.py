"""Statements made from structured resources have the label that record and notes agree on."""

from __future__ import annotations

import json
from base64 import b64encode
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from agents.evaluation.synthea import Item, SyntheaChart, load_synthea
from agents.evaluation.synthea_statements import (
    EXPECTED,
    Label,
    Statement,
    sentence,
    statements,
)

AS_OF = datetime(2020, 6, 1, tzinfo=UTC)


def note(patient: str, date: str, text: str) -> dict[str, Any]:
    data = b64encode(text.encode()).decode()
    return {
        "subject": {"reference": f"Patient/{patient}"},
        "status": "superseded",
        "date": date,
        "content": [{"attachment": {"data": data}}],
    }


def condition(patient: str, recorded: str, name: str) -> dict[str, Any]:
    return {
        "subject": {"reference": f"Patient/{patient}"},
        "recordedDate": recorded,
        "code": {"text": name},
    }


def export(folder: Path, **resources: list[dict[str, Any]]) -> Path:
    for name, rows in resources.items():
        lines = "\n".join(json.dumps(row) for row in rows)
        (folder / f"{name}.000.ndjson").write_text(lines + "\n")
    return folder


@pytest.fixture
def charts(tmp_path: Path) -> dict[str, SyntheaChart]:
    """Two invented patients: Ada has a past and a future, Ben shares some of it."""
    folder = export(
        tmp_path,
        DocumentReference=[
            note("ada", "2021-03-01T09:00:00Z", "History of gout (disorder), migraine."),
            note("ada", "2020-03-01T09:00:00+01:00", "History of gout (disorder). Lives alone."),
            note("ben", "2020-04-01T09:00:00Z", "Sprain, tinnitus, gout. Asked about migraine."),
        ],
        Condition=[
            condition("ada", "2021-03-01T09:00:00Z", "Gout (disorder)"),
            condition("ada", "2020-03-01T09:00:00Z", "Gout (disorder)"),
            condition("ada", "2021-03-01T09:00:00Z", "Migraine (disorder)"),
            condition("ada", "2020-01-01T09:00:00Z", "Sinusitis"),
            condition("ben", "2020-04-01T09:00:00Z", "Gout (disorder)"),
            condition("ben", "2020-04-01T09:00:00Z", "Tinnitus (finding)"),
            condition("ben", "2020-04-01T09:00:00Z", "History of gout (situation)"),
        ],
        Procedure=[
            {
                "subject": {"reference": "Patient/ben"},
                "performedPeriod": {"start": "2020-04-01T10:00:00Z"},
                "code": {"text": "Sprain taping (procedure)"},
            }
        ],
        AllergyIntolerance=[
            {
                "patient": {"reference": "Patient/ben"},
                "recordedDate": "2020-04-01T10:00:00Z",
                "code": {"text": "Latex (substance)"},
            }
        ],
    )
    return {chart.patient_id: chart for chart in load_synthea(folder)}


def ask(charts: dict[str, SyntheaChart], patient: str, **options: int) -> list[Statement]:
    options = {"seed": 1, "n": 9} | options
    return statements(charts[patient], charts.values(), AS_OF, **options)


def texts(found: list[Statement], label: Label) -> set[str]:
    return {statement.text for statement in found if statement.label is label}


def test_notes_are_in_order_of_time_whatever_their_status(charts: dict[str, SyntheaChart]) -> None:
    times = [time for time, _ in charts["ada"].notes]
    assert times == sorted(times)
    assert len(times) == 2
    assert charts["ada"].middle() == times[1]


def test_recorded_by_then_and_named_in_a_note_is_true(charts: dict[str, SyntheaChart]) -> None:
    found = ask(charts, "ada")
    assert texts(found, Label.TRUE) == {"The patient has a history of gout."}


def test_recorded_only_afterwards_is_later(charts: dict[str, SyntheaChart]) -> None:
    found = ask(charts, "ada")
    assert texts(found, Label.LATER) == {"The patient has a history of migraine."}


def test_shared_items_are_not_foreign(charts: dict[str, SyntheaChart]) -> None:
    found = ask(charts, "ada")
    assert texts(found, Label.FOREIGN) == {
        "The patient has a history of tinnitus.",
        "Sprain taping was performed.",
        "The patient is allergic to latex.",
    }


def test_what_only_this_patients_notes_name_is_not_foreign(charts: dict[str, SyntheaChart]) -> None:
    found = ask(charts, "ben")
    assert texts(found, Label.FOREIGN) == {"The patient has a history of sinusitis."}


def test_allergies_are_not_asked_about_where_notes_deny_them(tmp_path: Path) -> None:
    allergy = {
        "patient": {"reference": "Patient/cy"},
        "recordedDate": "2020-04-01T10:00:00Z",
        "code": {"text": "Latex (substance)"},
    }
    said = ["Reacts to latex.", "No Known Allergies."]
    for count, expected in ((1, {"The patient is allergic to latex."}), (2, set())):
        notes = [note("cy", "2020-04-02T09:00:00Z", text) for text in said[:count]]
        export(tmp_path, DocumentReference=notes, AllergyIntolerance=[allergy])
        (chart,) = load_synthea(tmp_path)
        assert texts(statements(chart, [], AS_OF, seed=1, n=9), Label.TRUE) == expected


def test_the_same_seed_draws_the_same(charts: dict[str, SyntheaChart]) -> None:
    assert ask(charts, "ada", n=1) == ask(dict(reversed(charts.items())), "ada", n=1)
    drawn = {tuple(s.text for s in ask(charts, "ada", n=1, seed=seed)) for seed in range(20)}
    assert len(drawn) > 1


def test_at_most_n_of_each_label(charts: dict[str, SyntheaChart]) -> None:
    labels = [statement.label for statement in ask(charts, "ada", n=1)]
    assert labels == list(EXPECTED)


@pytest.mark.parametrize(
    ("kind", "name", "expected"),
    [
        ("Condition", "COVID-19", "The patient has a history of COVID-19."),
        ("Procedure", "Ankle X-ray", "Ankle X-ray was performed."),
        ("MedicationRequest", "drug 5 MG Tablet", "The patient was prescribed drug 5 MG Tablet."),
        ("Immunization", "Tdap", "The patient was immunized with Tdap."),
    ],
)
def test_an_item_is_said_plainly(kind: str, name: str, expected: str) -> None:
    assert sentence(Item(kind, name)) == expected


def test_an_empty_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="DocumentReference"):
        load_synthea(tmp_path)

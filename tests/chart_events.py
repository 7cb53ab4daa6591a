"""Events of the `chart` topic, short to write."""

from __future__ import annotations

import hashlib
from datetime import datetime
from typing import Any

from schemas.events import Position
from schemas.notes import (
    AuthorCategory,
    DocumentVersion,
    Note,
    NoteChanged,
    NoteRetracted,
    Relation,
    RelationKind,
)
from schemas.patients import PatientMerged
from tests.chart_topic import later

SOURCE = Position(topic="inbound.documents", partition=2, offset=41)


def note(
    document: str,
    text: str,
    version: str | None = "1",
    *,
    patient: str = "p",
    at: float = 0,
    time: datetime | None = None,
    updated: float | None = None,
    encounter: str | None = None,
    author: AuthorCategory = AuthorCategory.UNKNOWN,
    **said: Any,
) -> NoteChanged:
    """`at`: when intake had it; `time`: the note's own, None when it names none."""
    noted = time or later(0)
    kept = hashlib.sha256(f"{text}|{time}|{encounter}|{author}".encode()).hexdigest()
    return NoteChanged(
        occurred_at=later(at),
        patient_id=patient,
        document_id=document,
        version=_version(version, updated, kept),
        note=Note(
            text=text,
            note_time=noted,
            note_time_source="date" if time else "event",
            encounter_id=encounter,
            author_category=author,
        ),
        source=SOURCE,
        **_relations(said),
    )


def retraction(
    document: str,
    version: str | None = "9",
    *,
    patient: str = "p",
    at: float = 50,
    reason: str = "entered_in_error",
    **said: Any,
) -> NoteRetracted:
    return NoteRetracted(
        occurred_at=later(at),
        patient_id=patient,
        document_id=document,
        version=_version(version, None, "retracted"),
        reason=reason,
        source=SOURCE,
        **_relations(said),
    )


def merged(
    patient: str,
    into: str | None,
    version: str,
    *,
    at: float = 60,
    **said: Any,
) -> PatientMerged:
    return PatientMerged(
        occurred_at=later(at),
        patient_id=patient,
        into=into,
        version=_version(version, None, f"{into} {said}"),
        source=SOURCE,
        **said,
    )


def _version(version: str | None, updated: float | None, content: str) -> DocumentVersion:
    return DocumentVersion(
        version_id=version,
        last_updated=None if updated is None else later(updated),
        content_hash=content,
    )


def _relations(said: dict[str, Any]) -> dict[str, Any]:
    relations = tuple(
        Relation(kind=kind, target=target)
        for kind in RelationKind
        for target in said.pop(kind.value, "").split()
    )
    return {**said, "relations": relations}

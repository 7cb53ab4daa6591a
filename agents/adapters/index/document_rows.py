"""Documents and links of patients as rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import orjson

from agents.adapters.index.rows import (
    MAX_ID_BYTES,
    MAX_TEXT_BYTES,
    Row,
    bounded,
    epoch_us,
    time_of,
    version_columns,
    version_of,
)
from agents.adapters.index.write_order import DELETED, latest, written
from agents.chart_records import (
    DocumentHead,
    DocumentRecord,
    DocumentStatus,
    Lineage,
    MergeState,
    PatientLinks,
    WritePosition,
)
from schemas.events import deterministic_id
from schemas.notes import Relation

WRITE_COLUMNS = ("written_at", "facts_written_at")
DOCUMENT_ID_COLUMNS = (
    "patient_id", "document_id", "version_id", "content_hash", "status", "names", *WRITE_COLUMNS,
)  # fmt: skip
DOCUMENT_INT_COLUMNS = ("part", "parts", "last_updated", "note_time", "updated_at", "fact_count")
HEAD_COLUMNS = (*DOCUMENT_ID_COLUMNS, *DOCUMENT_INT_COLUMNS, "lineage")
DOCUMENT_COLUMNS = (*HEAD_COLUMNS, "fact_ids")
DOCUMENT_TEXT_COLUMNS = ("fact_ids", "lineage")
EVIDENCE_COLUMNS = ("document_id", "status", "part", "parts", "fact_count", *WRITE_COLUMNS)
"""What it takes to know which rows of facts count."""
PATIENT_ID_COLUMNS = (
    "patient_id", "state", "merged_into", "formerly_merged_into", "version_id", "content_hash",
    "written_at",
)  # fmt: skip
PATIENT_INT_COLUMNS = ("last_updated", "stated_at")
PATIENT_TEXT_COLUMNS = ("replaces",)
PATIENT_COLUMNS = (*PATIENT_ID_COLUMNS, *PATIENT_INT_COLUMNS, *PATIENT_TEXT_COLUMNS)


def document_key(
    patient_id: str, document_id: str, written_at: WritePosition, part: int = 0
) -> str:
    return deterministic_id("document-row", patient_id, document_id, str(written_at), part)


def document_rows(record: DocumentRecord, at: WritePosition, facts_at: WritePosition) -> list[Row]:
    """The document's row and its continuations. Raises `InvalidEvent` as `fact_row` does."""
    pieces = _pieces(record.fact_ids)
    # One space on each side of every word, so that one can be looked for.
    names = " ".join(["", *sorted(record.head.names), ""])
    rows: list[Row] = [
        {
            "pk": document_key(record.patient_id, record.document_id, at, part),
            "patient_id": record.patient_id,
            "document_id": record.document_id,
            **version_columns(record.version),
            "status": str(record.status),
            "note_time": epoch_us(record.note_time),
            "updated_at": epoch_us(record.updated_at),
            "part": part,
            "parts": len(pieces),
            "fact_count": len(record.fact_ids),
            "fact_ids": orjson.dumps(piece).decode(),
            "lineage": _lineage_json(record.lineage) if part == 0 else "",
            "names": names if part == 0 else "",
            "written_at": str(at),
            "facts_written_at": str(facts_at),
        }
        for part, piece in enumerate(pieces)
    ]
    bounded(rows[0], DOCUMENT_ID_COLUMNS, MAX_ID_BYTES)
    bounded(rows[0], ("lineage",), MAX_TEXT_BYTES)
    return rows


def deleted_row(patient_id: str, document_id: str, at: WritePosition) -> Row:
    """What is left of a document that the patient has no longer."""
    strings = dict.fromkeys((*DOCUMENT_ID_COLUMNS, *DOCUMENT_TEXT_COLUMNS), "")
    numbers = dict.fromkeys(DOCUMENT_INT_COLUMNS, 0)
    return {
        **strings,
        **numbers,
        "pk": document_key(patient_id, document_id, at),
        "patient_id": patient_id,
        "document_id": document_id,
        "status": DELETED,
        "parts": 1,
        "written_at": str(at),
        "facts_written_at": str(at),
    }


def _pieces(fact_ids: Sequence[str]) -> list[list[str]]:
    """Split so that each piece fits a VARCHAR as JSON; one empty piece when there are none."""
    pieces: list[list[str]] = [[]]
    size = 2
    for fact_id in fact_ids:
        length = len(orjson.dumps(fact_id)) + 1
        if size + length > MAX_TEXT_BYTES:
            pieces.append([])
            size = 2
        pieces[-1].append(fact_id)
        size += length
    return pieces


def document_of(rows: Sequence[Mapping[str, Any]]) -> DocumentRecord | None:
    """The record of a document from all its rows, in any order; None where it is deleted."""
    parts = latest(rows)
    if not parts or parts[0]["status"] == DELETED:
        return None
    head = head_of(parts[0])
    return DocumentRecord(
        patient_id=head.patient_id,
        document_id=head.document_id,
        version=head.version,
        status=head.status,
        fact_ids=tuple(fact_id for row in parts for fact_id in orjson.loads(row["fact_ids"])),
        note_time=head.note_time,
        updated_at=head.updated_at,
        lineage=head.lineage,
        written_at=written(parts[0]),
        facts_written_at=WritePosition.parse(parts[0]["facts_written_at"]),
    )


def head_of(row: Mapping[str, Any]) -> DocumentHead:
    """Of a document's row number 0; its `fact_ids` need not be there."""
    return DocumentHead(
        patient_id=row["patient_id"],
        document_id=row["document_id"],
        version=version_of(row),
        status=DocumentStatus(row["status"]),
        note_time=time_of(row["note_time"]),
        updated_at=time_of(row["updated_at"]),
        lineage=_lineage(row["lineage"]),
    )


_DEFAULTS = asdict(Lineage())
_TUPLES = [name for name, value in _DEFAULTS.items() if value == () and name != "relations"]


def _lineage_json(lineage: Lineage) -> str:
    """Only what differs from the defaults."""
    values = asdict(lineage) | {"relations": [r.model_dump(mode="json") for r in lineage.relations]}
    return orjson.dumps({k: v for k, v in values.items() if v != _DEFAULTS[k]}).decode()


def _lineage(value: str) -> Lineage:
    values = orjson.loads(value)
    for name in _TUPLES:
        values[name] = tuple(values.get(name, ()))
    relations = tuple(Relation.model_validate(each) for each in values.pop("relations", ()))
    return Lineage(relations=relations, **values)


def patient_row(links: PatientLinks, at: WritePosition) -> Row:
    """Raises `InvalidEvent` when a value does not fit its column."""
    row: Row = {
        "pk": deterministic_id("patient-row", links.patient_id, str(at)),
        "patient_id": links.patient_id,
        "state": str(links.state),
        "merged_into": links.merged_into or "",
        "formerly_merged_into": links.formerly_merged_into or "",
        "replaces": orjson.dumps(links.replaces).decode(),
        **version_columns(links.version),
        "stated_at": epoch_us(links.stated_at),
        "written_at": str(at),
    }
    bounded(row, PATIENT_ID_COLUMNS, MAX_ID_BYTES)
    bounded(row, PATIENT_TEXT_COLUMNS, MAX_TEXT_BYTES)
    return row


def links_of(rows: Sequence[Mapping[str, Any]]) -> PatientLinks | None:
    """The links of a patient from all the patient's rows."""
    for row in latest(rows):
        return PatientLinks(
            patient_id=row["patient_id"],
            state=MergeState(row["state"]),
            merged_into=row["merged_into"] or None,
            formerly_merged_into=row["formerly_merged_into"] or None,
            replaces=tuple(orjson.loads(row["replaces"])),
            version=version_of(row),
            stated_at=time_of(row["stated_at"]),
        )
    return None

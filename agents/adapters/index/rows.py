"""Facts and documents as rows. The only place that knows the columns.

Both indexes keep rows of this module, so both have the same limits and give back the same values:

- The primary key is derived from the patient and the fact's (document's) id: two patients never
  share a row, whatever their ids are, and a row asked for by key is of the patient asked about.
- Times are INT64 microseconds since the epoch. Milliseconds would lose digits that a FHIR server's
  `lastUpdated` has, and with them the order of two versions.
- A missing string is "" (nullable columns behave differently across versions of Milvus).
- VARCHAR limits count bytes of UTF-8. A value that is too long is an `InvalidEvent`: a cut quote
  would no longer be the note's words. 16,383 characters always fit.
- Milvus wants at least one dimension in a sparse vector: an empty one is stored as `NO_TERMS`,
  which no query holds.
- A document may have more facts than fit one VARCHAR: its row continues in further rows (`part`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import orjson

from agents.errors import InvalidEvent
from agents.ports import DocumentHead, DocumentRecord, EmbeddedFact, Embedding, Lineage
from schemas.events import deterministic_id
from schemas.notes import DocumentVersion, Fact, Quote, Relation

Row = dict[str, Any]

MAX_ID_BYTES = 2048
"""512 characters (`schemas.events.Identifier`) of at most 4 bytes."""
MAX_TEXT_BYTES = 65_535
"""The longest VARCHAR of Milvus."""
NO_TERMS = {2**32 - 2: 1.0}
"""Sparse dimensions are unsigned 32-bit integers below 2**32 - 1; vocabularies end far earlier."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_US = timedelta(microseconds=1)
_NEVER = -(2**63)

FACT_ID_COLUMNS = ("patient_id", "fact_id", "document_id", "encounter_id")
FACT_TEXT_COLUMNS = ("text", "quotes", "section", "note_type")
FACT_INT_COLUMNS = ("start", "end", "ordinal", "note_time")
FACT_COLUMNS = (*FACT_ID_COLUMNS, *FACT_TEXT_COLUMNS, *FACT_INT_COLUMNS, "author_category")
"""All but the key and the vectors: what it takes to rebuild a `Fact`."""
DOCUMENT_ID_COLUMNS = ("patient_id", "document_id", "version_id", "content_hash", "status", "names")
DOCUMENT_INT_COLUMNS = ("part", "parts", "last_updated", "note_time", "updated_at")
HEAD_COLUMNS = (*DOCUMENT_ID_COLUMNS, *DOCUMENT_INT_COLUMNS, "lineage")
DOCUMENT_COLUMNS = (*HEAD_COLUMNS, "fact_ids")
DOCUMENT_TEXT_COLUMNS = ("fact_ids", "lineage")


def fact_key(patient_id: str, fact_id: str) -> str:
    return deterministic_id("fact-row", patient_id, fact_id)


def document_key(patient_id: str, document_id: str, part: int = 0) -> str:
    return deterministic_id("document-row", patient_id, document_id, part)


def epoch_us(time: datetime) -> int:
    """Microseconds since 1970, exact. `time` has a zone."""
    return (time - _EPOCH) // _US


def _time(us: int) -> datetime:
    return _EPOCH + timedelta(microseconds=us)


def _bounded(row: Row, columns: Sequence[str], limit: int) -> None:
    for column in columns:
        if len(row[column].encode()) > limit:
            raise InvalidEvent(
                "value_too_long",
                f"{column} is longer than the {limit} bytes of UTF-8 that the index can hold",
            )


def fact_row(embedded: EmbeddedFact) -> Row:
    """Raises `InvalidEvent` when a value does not fit its column."""
    fact, embedding = embedded.fact, embedded.embedding
    row: Row = {
        "pk": fact_key(fact.patient_id, fact.fact_id),
        "patient_id": fact.patient_id,
        "fact_id": fact.fact_id,
        "document_id": fact.document_id,
        "encounter_id": fact.encounter_id or "",
        "text": fact.text,
        "quotes": _quotes_json(fact.quotes),
        "section": fact.section or "",
        "note_type": fact.note_type or "",
        "start": fact.start,
        "end": fact.end,
        "ordinal": fact.ordinal,
        "note_time": epoch_us(fact.note_time),
        "author_category": str(fact.author_category),
        "dense": np.asarray(embedding.dense, dtype=np.float32),
        "sparse": sparse_terms(embedding.sparse) or NO_TERMS,
    }
    _bounded(row, FACT_ID_COLUMNS, MAX_ID_BYTES)
    _bounded(row, FACT_TEXT_COLUMNS, MAX_TEXT_BYTES)
    return row


def fact_rows(document: DocumentRecord, upsert: Sequence[EmbeddedFact]) -> list[Row]:
    """Rows to write with `document`. Raises ValueError when a fact is of another patient."""
    if any(embedded.fact.patient_id != document.patient_id for embedded in upsert):
        raise ValueError("a write holds facts of one patient, the document's")
    return [fact_row(embedded) for embedded in upsert]


def sparse_terms(sparse: Mapping[int, float]) -> dict[int, float]:
    """Plain ints and floats of float32 precision, as they are stored and asked for."""
    return {int(term): float(np.float32(weight)) for term, weight in sparse.items()}


def fact_of(row: Mapping[str, Any]) -> Fact:
    values = {column: row[column] for column in FACT_COLUMNS}
    for column in ("encounter_id", "section", "note_type"):
        values[column] = values[column] or None
    values["quotes"] = _quotes(row["quotes"])
    return Fact(**{**values, "note_time": _time(row["note_time"])})


def _quotes_json(quotes: Sequence[Quote]) -> str:
    said = [(each.start, each.end, each.quote) for each in quotes]
    return orjson.dumps(said).decode() if said else ""


def _quotes(value: str) -> tuple[Quote, ...]:
    said = orjson.loads(value) if value else ()
    return tuple(Quote(start=start, end=end, quote=quote) for start, end, quote in said)


def embedded_of(row: Mapping[str, Any]) -> EmbeddedFact:
    dense = np.asarray(row["dense"], dtype=np.float32)
    sparse = {} if row["sparse"].keys() == NO_TERMS.keys() else dict(row["sparse"])
    return EmbeddedFact(fact_of(row), Embedding(dense=dense, sparse=sparse))


def document_rows(record: DocumentRecord) -> list[Row]:
    """The document's row and its continuations. Raises `InvalidEvent` as `fact_row` does."""
    pieces = _pieces(record.fact_ids)
    version = record.version
    updated = version.last_updated
    # One space on each side of every word, so that one can be looked for.
    names = " ".join(["", *sorted(record.head.names), ""])
    rows: list[Row] = [
        {
            "pk": document_key(record.patient_id, record.document_id, part),
            "patient_id": record.patient_id,
            "document_id": record.document_id,
            "version_id": version.version_id or "",
            "last_updated": _NEVER if updated is None else epoch_us(updated),
            "content_hash": version.content_hash,
            "status": record.status,
            "note_time": epoch_us(record.note_time),
            "updated_at": epoch_us(record.updated_at),
            "part": part,
            "parts": len(pieces),
            "fact_ids": orjson.dumps(piece).decode(),
            "lineage": _lineage_json(record.lineage) if part == 0 else "",
            "names": names if part == 0 else "",
        }
        for part, piece in enumerate(pieces)
    ]
    _bounded(rows[0], DOCUMENT_ID_COLUMNS, MAX_ID_BYTES)
    _bounded(rows[0], ("lineage",), MAX_TEXT_BYTES)
    return rows


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


def document_of(rows: Sequence[Mapping[str, Any]]) -> DocumentRecord:
    """The record of a document's rows, in any order."""
    parts = sorted(rows, key=lambda row: int(row["part"]))
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
    )


def head_of(row: Mapping[str, Any]) -> DocumentHead:
    """Of a document's row number 0; its `fact_ids` need not be there."""
    updated = row["last_updated"]
    return DocumentHead(
        patient_id=row["patient_id"],
        document_id=row["document_id"],
        version=DocumentVersion(
            version_id=row["version_id"] or None,
            last_updated=None if updated == _NEVER else _time(updated),
            content_hash=row["content_hash"],
        ),
        status=row["status"],
        note_time=_time(row["note_time"]),
        updated_at=_time(row["updated_at"]),
        lineage=_lineage(row["lineage"]),
    )


_PLAIN = asdict(Lineage())


def _lineage_json(lineage: Lineage) -> str:
    """What differs from a lineage that says nothing."""
    said = asdict(lineage) | {"relations": [r.model_dump(mode="json") for r in lineage.relations]}
    return orjson.dumps({k: v for k, v in said.items() if v != _PLAIN[k]}).decode()


def _lineage(value: str) -> Lineage:
    said = orjson.loads(value)
    for several in ("identifiers", "via", "before"):
        said[several] = tuple(said.get(several, ()))
    relations = tuple(Relation.model_validate(each) for each in said.pop("relations", ()))
    return Lineage(relations=relations, **said)

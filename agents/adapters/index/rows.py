"""Facts as rows, and what all rows have in common (documents and patients: `document_rows`).

Both indexes keep rows of this module, so both have the same limits and give back the same values:

- The primary key is derived from the patient, the fact's (document's) id and the position in the
  `chart` topic at which the row is written: two patients never share a row, whatever their ids are,
  and no writer overwrites what another has written at a later position (`write_order`).
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
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import orjson

from agents.chart_records import DocumentRecord, WritePosition
from agents.errors import InvalidEvent
from agents.ports import EmbeddedFact, Embedding
from schemas.events import deterministic_id
from schemas.notes import DocumentVersion, Fact, Quote

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

FACT_ID_COLUMNS = ("patient_id", "fact_id", "document_id", "encounter_id", "written_at")
FACT_TEXT_COLUMNS = ("text", "quotes", "section", "note_type")
FACT_INT_COLUMNS = ("start", "end", "ordinal", "note_time")
FACT_COLUMNS = (*FACT_ID_COLUMNS, *FACT_TEXT_COLUMNS, *FACT_INT_COLUMNS, "author_category")
"""All but the key and the vectors: what it takes to rebuild a `Fact`, and who wrote it."""


def fact_key(patient_id: str, fact_id: str, written_at: WritePosition) -> str:
    return deterministic_id("fact-row", patient_id, fact_id, str(written_at))


def fact_keys(document: DocumentRecord) -> list[str]:
    """Of a record that the index gave."""
    at = document.facts_written_at
    return [fact_key(document.patient_id, fact_id, at) for fact_id in document.fact_ids]


def epoch_us(time: datetime) -> int:
    """Microseconds since 1970, exact. `time` has a zone."""
    return (time - _EPOCH) // _US


def time_of(us: int) -> datetime:
    return _EPOCH + timedelta(microseconds=us)


def bounded(row: Row, columns: Sequence[str], limit: int) -> None:
    for column in columns:
        if len(row[column].encode()) > limit:
            raise InvalidEvent(
                "value_too_long",
                f"{column} is longer than the {limit} bytes of UTF-8 that the index can hold",
            )


def fact_row(embedded: EmbeddedFact, at: WritePosition) -> Row:
    """Raises `InvalidEvent` when a value does not fit its column."""
    fact, embedding = embedded.fact, embedded.embedding
    row: Row = {
        "pk": fact_key(fact.patient_id, fact.fact_id, at),
        "patient_id": fact.patient_id,
        "fact_id": fact.fact_id,
        "document_id": fact.document_id,
        "encounter_id": fact.encounter_id or "",
        "written_at": str(at),
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
    bounded(row, FACT_ID_COLUMNS, MAX_ID_BYTES)
    bounded(row, FACT_TEXT_COLUMNS, MAX_TEXT_BYTES)
    return row


def fact_rows(
    document: DocumentRecord, facts: Sequence[EmbeddedFact] | None, at: WritePosition
) -> list[Row]:
    """Rows to write with `document`. Raises ValueError when a fact is of another document."""
    own = (document.patient_id, document.document_id)
    if any((each.fact.patient_id, each.fact.document_id) != own for each in facts or ()):
        raise ValueError("a write holds facts of one patient's document")
    return [fact_row(each, at) for each in facts or ()]


def sparse_terms(sparse: Mapping[int, float]) -> dict[int, float]:
    """Plain ints and floats of float32 precision, as they are stored and asked for."""
    return {int(term): float(np.float32(weight)) for term, weight in sparse.items()}


def fact_of(row: Mapping[str, Any]) -> Fact:
    values = {column: row[column] for column in FACT_COLUMNS if column != "written_at"}
    for column in ("encounter_id", "section", "note_type"):
        values[column] = values[column] or None
    values["quotes"] = _quotes(row["quotes"])
    return Fact(**{**values, "note_time": time_of(row["note_time"])})


def _quotes_json(quotes: Sequence[Quote]) -> str:
    places = [(each.start, each.end, each.quote) for each in quotes]
    return orjson.dumps(places).decode() if places else ""


def _quotes(value: str) -> tuple[Quote, ...]:
    places = orjson.loads(value) if value else ()
    return tuple(Quote(start=start, end=end, quote=quote) for start, end, quote in places)


def embedded_of(row: Mapping[str, Any]) -> EmbeddedFact:
    dense = np.asarray(row["dense"], dtype=np.float32)
    sparse = {} if row["sparse"].keys() == NO_TERMS.keys() else dict(row["sparse"])
    return EmbeddedFact(fact_of(row), Embedding(dense=dense, sparse=sparse))


def version_columns(version: DocumentVersion) -> Row:
    updated = version.last_updated
    return {
        "version_id": version.version_id or "",
        "last_updated": _NEVER if updated is None else epoch_us(updated),
        "content_hash": version.content_hash,
    }


def version_of(row: Mapping[str, Any]) -> DocumentVersion:
    updated = row["last_updated"]
    return DocumentVersion(
        version_id=row["version_id"] or None,
        last_updated=None if updated == _NEVER else time_of(updated),
        content_hash=row["content_hash"],
    )

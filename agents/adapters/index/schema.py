"""The collections: their schemas and indexes, made on first use.

Production routes a patient by Milvus' partition key. Milvus Lite scans a collection whatever the
key says, so there patients are spread over crc32(patient) % N collections.

DDL goes through pymilvus' synchronous client, which the caller runs in a thread: the asynchronous
one waits for every index with an RPC (AllocTimestamp) that Lite does not have. `sync=False` leaves
out half a second of sleep an index; an empty collection's index has nothing to wait for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import Any, Literal
from zlib import crc32

from pymilvus import DataType, MilvusClient
from pymilvus.client.types import Status
from pymilvus.exceptions import MilvusException
from pymilvus.milvus_client.index import IndexParams
from pymilvus.orm.schema import CollectionSchema

from agents.adapters.index import document_rows, rows
from agents.errors import PermanentError

Kind = Literal["facts", "documents", "patients", "embedder"]
OF_PATIENTS: tuple[Kind, ...] = ("facts", "documents", "patients")
"""The kinds whose rows belong to a patient."""
WITH_VECTORS: tuple[Kind, ...] = ("facts", "embedder")

PARTITIONS = 64
PLACEHOLDER_DIM = 2
"""Milvus wants a vector in every collection; documents and patients have none of their own."""
PLACEHOLDER = [1.0, 0.0]
KEY_LENGTH = 36
"""A UUID."""


_ELSEWHERE = (
    "index the notes again under another CHARTPROOF_MILVUS_DATABASE or CHARTPROOF_MILVUS_PREFIX"
)


@dataclass(frozen=True)
class _Columns:
    ids: Sequence[str]
    ints: Sequence[str]
    texts: Sequence[str]

    @property
    def all(self) -> set[str]:
        return {*self.ids, *self.ints, *self.texts}


_COLUMNS: Mapping[Kind, _Columns] = {
    "facts": _Columns(rows.FACT_ID_COLUMNS, rows.FACT_INT_COLUMNS, rows.FACT_TEXT_COLUMNS),
    "documents": _Columns(
        document_rows.DOCUMENT_ID_COLUMNS,
        document_rows.DOCUMENT_INT_COLUMNS,
        document_rows.DOCUMENT_TEXT_COLUMNS,
    ),
    "patients": _Columns(
        document_rows.PATIENT_ID_COLUMNS,
        document_rows.PATIENT_INT_COLUMNS,
        document_rows.PATIENT_TEXT_COLUMNS,
    ),
    "embedder": _Columns(("version",), (), ()),
}


@dataclass(frozen=True)
class Collection:
    name: str
    kind: Kind


@dataclass(frozen=True)
class Layout:
    """Which collection a patient's rows are in: `facts`, or `facts_7_of_32` where spread."""

    spread: int
    prefix: str = ""

    def collection(self, kind: Kind, patient_id: str) -> Collection:
        return self._numbered(kind, bucket(patient_id, self.spread))

    def embedder(self) -> Collection:
        """One row: the embedder that made the index (`fingerprint`)."""
        return Collection(f"{self.prefix}embedder", "embedder")

    def all(self, kind: Kind) -> list[Collection]:
        """The collections of a kind, in the order of their buckets."""
        return [self._numbered(kind, number) for number in range(self.spread)]

    def _numbered(self, kind: Kind, number: int) -> Collection:
        suffix = "" if self.spread == 1 else f"_{number}_of_{self.spread}"
        return Collection(f"{self.prefix}{kind}{suffix}", kind)

    def check(self, names: Iterable[str]) -> None:
        """Raises `PermanentError` when the collections there are laid out with another spread.

        The patients' facts would be there and never be found, which reads as a silent chart.
        """
        kinds = "|".join(OF_PATIENTS)
        pattern = re.compile(rf"{re.escape(self.prefix)}(?:{kinds})(?:_\d+_of_(\d+))?")
        for match in filter(None, map(pattern.fullmatch, names)):
            spread = int(match.group(1) or 1)
            if spread != self.spread:
                raise PermanentError(
                    "index_spread",
                    f"this index was built with a spread of {spread} collections, not "
                    f"{self.spread}: set CHARTPROOF_MILVUS_SPREAD={spread}, or name another "
                    "CHARTPROOF_MILVUS_DATABASE or CHARTPROOF_MILVUS_PREFIX",
                )


def bucket(patient_id: str, buckets: int) -> int:
    return crc32(patient_id.encode()) % buckets


def ensure(connection: Mapping[str, Any], collection: Collection, dim: int) -> None:
    """Make the collection with its indexes and load it; a repeat or a race changes nothing.

    Blocks. `connection` holds the arguments of `MilvusClient`. Raises `PermanentError` when its
    vectors have another dimension than `dim`.
    """
    name, kind, timeout = collection.name, collection.kind, connection["timeout"]
    with closing(MilvusClient(**connection)) as client:
        if not client.has_collection(name, timeout=timeout):
            with _made_by_another():
                client.create_collection(
                    name,
                    schema=_schema(kind, dim),
                    num_partitions=PARTITIONS if kind in OF_PATIENTS else None,
                    consistency_level="Strong",
                    timeout=timeout,
                )
        described = client.describe_collection(name, timeout=timeout)
        _check_columns(described, name, kind)
        if kind in WITH_VECTORS:
            check_dim(described, name, dim)
        there = client.list_indexes(name, timeout=timeout)
        for field, options in _indexes(kind).items():
            if field not in there:
                with _made_by_another():
                    client.create_index(name, _index(field, options), sync=False, timeout=timeout)
        client.load_collection(name, timeout=timeout)


@contextmanager
def _made_by_another() -> Iterator[None]:
    """Another worker may have made it a moment ago."""
    try:
        yield
    except MilvusException as error:
        if error.code == Status.CONNECT_FAILED or "exist" not in error.message.lower():
            raise


def dim_of(described: Mapping[str, Any]) -> int:
    fields = {field["name"]: field for field in described["fields"]}
    return int(fields["dense"]["params"]["dim"])


def check_dim(described: Mapping[str, Any], name: str, dim: int) -> None:
    """Raises `PermanentError` when the collection's vectors have another dimension than `dim`."""
    stored_dim = dim_of(described)
    if stored_dim != dim:
        raise PermanentError(
            "index_dimension",
            f"collection {name} holds vectors of {stored_dim} dimensions and the embedder gives "
            f"{dim}: serve the embedder that made the index, or {_ELSEWHERE}",
        )


def _check_columns(described: Mapping[str, Any], name: str, kind: Kind) -> None:
    there = {field["name"] for field in described["fields"]}
    if not there.issuperset(_COLUMNS[kind].all):
        raise PermanentError(
            "index_columns",
            f"collection {name} was made by an older chartproof: {_ELSEWHERE}",
        )


def _schema(kind: Kind, dim: int) -> CollectionSchema:
    schema = MilvusClient.create_schema(auto_id=False, enable_dynamic_field=False)
    schema.add_field("pk", DataType.VARCHAR, is_primary=True, max_length=KEY_LENGTH)
    columns = _COLUMNS[kind]
    for column in columns.ids:
        schema.add_field(column, DataType.VARCHAR, max_length=rows.MAX_ID_BYTES,
                         is_partition_key=column == "patient_id")  # fmt: skip
    for column in columns.ints:
        schema.add_field(column, DataType.INT64)
    for column in columns.texts:
        schema.add_field(column, DataType.VARCHAR, max_length=rows.MAX_TEXT_BYTES)
    if kind == "facts":
        schema.add_field("author_category", DataType.VARCHAR, max_length=32)
    if kind in WITH_VECTORS:
        schema.add_field("dense", DataType.FLOAT_VECTOR, dim=dim)
        schema.add_field("sparse", DataType.SPARSE_FLOAT_VECTOR)
    else:
        schema.add_field("placeholder", DataType.FLOAT_VECTOR, dim=PLACEHOLDER_DIM)
    return schema


_VECTOR_INDEXES = {
    "dense": {"index_type": "FLAT", "metric_type": "COSINE"},
    "sparse": {"index_type": "SPARSE_INVERTED_INDEX", "metric_type": "IP"},
}


def _indexes(kind: Kind) -> dict[str, dict[str, str]]:
    """FLAT: with a patient filter it is exact and as fast as HNSW, which lost facts."""
    inverted = {"index_type": "INVERTED"}
    if kind == "embedder":
        return _VECTOR_INDEXES
    if kind != "facts":
        by_document = {"document_id": inverted} if kind == "documents" else {}
        return {
            "placeholder": {"index_type": "FLAT", "metric_type": "COSINE"},
            "patient_id": inverted,
            **by_document,
        }
    return {
        **_VECTOR_INDEXES,
        "patient_id": inverted,
        "document_id": inverted,
        "encounter_id": inverted,
        "note_time": inverted,
        "author_category": inverted,
    }


def _index(field: str, options: Mapping[str, str]) -> IndexParams:
    params = MilvusClient.prepare_index_params()
    params.add_index(field, **options)
    return params

"""Which rows count, of several that were written for one document or one patient.

Milvus has no compare-and-set, so nothing can keep a worker that has lost its partition from writing
after its successor. Instead every write makes rows of its own, with the position of its record in
the `chart` topic, and readers take those of the latest position, whichever came last. A write goes:

1. the rows of the facts: nobody reads them yet;
2. the document's row, part 0 last: from here on this write counts, unless a later one is there;
3. what is outdated now is removed: rows of earlier writes, or this write's own, where a later one
   is there. Rows of later writes stay, for their writer may be between 1 and 2.

A worker that dies before 3 leaves rows that nobody reads; the record comes again and removes them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from functools import reduce
from typing import Any, TypeVar

from agents.chart_records import DocumentStatus, WritePosition

DELETED = "deleted"


def written(row: Mapping[str, Any]) -> WritePosition:
    return WritePosition.parse(row["written_at"])


AnyRow = TypeVar("AnyRow", bound=Mapping[str, Any])


def latest(rows: Sequence[AnyRow]) -> list[AnyRow]:
    """The rows of one document's latest finished write, by part; a write ends with part 0.

    Of a patient's links likewise. Empty where there are none.
    """
    firsts = [row for row in rows if row.get("part", 0) == 0]
    if not firsts:
        return []
    first = reduce(_later, firsts)
    parts = range(int(first.get("parts", 1)))
    same = [row for row in rows if row["written_at"] == first["written_at"]]
    return sorted((r for r in same if r.get("part", 0) in parts), key=lambda r: r.get("part", 0))


def _later(one: AnyRow, other: AnyRow) -> AnyRow:
    return other if written(other).is_after(written(one)) else one


def latest_heads(rows: Iterable[AnyRow]) -> dict[str, AnyRow]:
    """Row 0 of each document of one patient, by id; those that are deleted are not among them."""
    by_document: dict[str, list[AnyRow]] = defaultdict(list)
    for row in rows:
        by_document[row["document_id"]].append(row)
    heads = {name: latest(each)[0] for name, each in by_document.items()}
    return {name: head for name, head in heads.items() if head["status"] != DELETED}


def evidence_write(head: Mapping[str, Any]) -> str | None:
    """The `written_at` of the document's facts that are evidence; None where none is."""
    return head["facts_written_at"] if head["status"] == DocumentStatus.CURRENT else None


def outdated(
    documents: Sequence[AnyRow], facts: Iterable[AnyRow], written_now: Sequence[AnyRow] = ()
) -> tuple[list[AnyRow], list[AnyRow]]:
    """Which of a document's rows, and of the rows of its facts, can go: of facts, of documents.

    `written_now` are the rows of facts that this write has made: a record that comes again may have
    made others the first time, by another model.
    """
    counting = latest(documents)
    if not counting:
        return [], []
    head = counting[0]
    own = {row["written_at"]: {each["pk"] for each in written_now} for row in written_now[:1]}
    return (
        [row for row in facts if _is_outdated(row, head, own)],
        [row for row in documents if written(head).is_after(written(row))],
    )


def _is_outdated(
    fact: Mapping[str, Any], head: Mapping[str, Any], own: Mapping[str, Container[str]]
) -> bool:
    if fact["written_at"] == head["facts_written_at"]:
        return fact["written_at"] in own and fact["pk"] not in own[fact["written_at"]]
    return written(head).is_after(written(fact))


def evidence_count(heads: Iterable[Mapping[str, Any]]) -> int:
    return sum(int(head["fact_count"]) for head in heads if evidence_write(head) is not None)

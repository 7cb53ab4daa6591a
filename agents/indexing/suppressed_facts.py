"""Where the facts of documents stand that are known and not evidence.

What replaces a document may itself turn out to be an error, and then the original must come back
without anybody sending it again. So facts that leave the chart for another document's sake are
kept, with their vectors, as rows of a patient of the index's own: no event can name an id that
begins with a space (`schemas.events.PatientId` strips it), so no search and no text gets at them.
What is retracted is kept nowhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from agents.ports import DocumentRecord, EmbeddedFact, FactIndex

SHELVED = "shelved"


def shelf_of(patient_id: str) -> str:
    """Under which id the index keeps what is the patient's and not in the chart."""
    return f" {patient_id}"


def is_shelf(patient_id: str) -> bool:
    return patient_id.startswith(" ")


def of_patient(facts: Sequence[EmbeddedFact], patient_id: str) -> list[EmbeddedFact]:
    """The same facts, of this patient; ids and vectors stay."""
    return [
        EmbeddedFact(each.fact.model_copy(update={"patient_id": patient_id}), each.embedding)
        for each in facts
    ]


async def shelve(index: FactIndex, record: DocumentRecord, facts: Sequence[EmbeddedFact]) -> None:
    """Put all facts of a document on the shelf; what stood there of it before goes."""
    shelf = shelf_of(record.patient_id)
    before = await index.document(shelf, record.document_id)
    ids = tuple(each.fact.fact_id for each in facts)
    gone = set(before.fact_ids).difference(ids) if before else ()
    row = replace(record, patient_id=shelf, status=SHELVED, fact_ids=ids)
    await index.write(row, of_patient(facts, shelf), sorted(gone))


async def shelved(index: FactIndex, patient_id: str, document_id: str) -> list[EmbeddedFact]:
    """What stands on the shelf of a document, as facts of the patient."""
    shelf = shelf_of(patient_id)
    row = await index.document(shelf, document_id)
    return of_patient(await index.facts(shelf, row.fact_ids if row else ()), patient_id)


async def clear(index: FactIndex, patient_id: str, document_id: str) -> None:
    """Take a document off the shelf."""
    shelf = shelf_of(patient_id)
    row = await index.document(shelf, document_id)
    if row is not None:
        await index.forget(shelf, document_id, row.fact_ids)

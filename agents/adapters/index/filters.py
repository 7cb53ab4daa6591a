"""Milvus filter expressions: written here and nowhere else.

Milvus Lite cannot parse filter templates, so values stand in the expression and must be escaped;
`literal` is the only function that does it. Neither can Lite parse chained comparisons
(`a < x <= b`). A filter over facts is made from a `FactQuery`, which cannot be built without a
patient, so no query of facts can be built without one.
"""

from __future__ import annotations

from collections.abc import Iterable

from agents.adapters.index.rows import epoch_us
from agents.ports import FactQuery
from schemas.notes import AuthorCategory

_ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r"})
"""What cannot stand in a double-quoted string, in Milvus' grammar (Plan.g4) and in Lite's lexer."""


def literal(value: str) -> str:
    """`value` as a string literal of the filter language."""
    return f'"{value.translate(_ESCAPES)}"'


def literals(values: Iterable[str]) -> str:
    """A list of string literals, sorted, so that equal sets give equal expressions."""
    return f"[{', '.join(literal(value) for value in sorted(values))}]"


def of_patient(patient_id: str) -> str:
    """Rows of one patient."""
    if not patient_id.strip():
        raise ValueError("a filter needs a patient id")
    return f"patient_id == {literal(patient_id)}"


def of_heads(
    patient_id: str,
    names: Iterable[str] | None = None,
    document_ids: Iterable[str] | None = None,
) -> str:
    """The first rows of a patient's documents, or of those that have one of `names`, or an id."""
    terms = [of_patient(patient_id), "part == 0"]
    if names is not None:
        # Letters and digits only: nothing in them means anything to `like`.
        likes = [f'names like "% {word} %"' for word in sorted(names) if word.isalnum()]
        terms.append(f"({' or '.join(likes)})")
    if document_ids is not None:
        terms.append(f"document_id in {literals(document_ids)}")
    return " and ".join(terms)


def of_document(patient_id: str, document_id: str) -> str:
    """All rows of a document of a patient: its own, or those of its facts."""
    return f"{of_patient(patient_id)} and document_id == {literal(document_id)}"


def of_document_of_anyone(document_id: str) -> str:
    """The first rows of a document, whoever's it is: the one filter that names no patient."""
    return f"document_id == {literal(document_id)} and part == 0"


def of_rows(keys: Iterable[str]) -> str:
    """Rows by primary key. Keys hold the patient (see `rows.fact_key`), so they belong to one."""
    return f"pk in {literals(keys)}"


def of_query(query: FactQuery) -> str:
    """The facts that may answer a query."""
    terms = [of_patient(query.patient_id)]
    if query.as_of is not None:
        terms.append(f"note_time <= {epoch_us(query.as_of)}")
    if query.encounter_id is not None:
        terms.append(f"encounter_id == {literal(query.encounter_id)}")
    if query.exclude_documents:
        terms.append(f"document_id not in {literals(query.exclude_documents)}")
    if not query.include_ai_authored:
        terms.append(f"author_category != {literal(AuthorCategory.AI)}")
    return " and ".join(terms)

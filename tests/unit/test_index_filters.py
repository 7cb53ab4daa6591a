"""Filter expressions: whatever the values are, they stay inside their literals."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from milvus_lite.search.filter import parse_expr
from milvus_lite.search.filter.tokens import TokenKind, tokenize

from agents.adapters.index import filters
from agents.ports import Embedding, FactQuery

EMBEDDING = Embedding(np.zeros(2, dtype=np.float32), {})
ANY_TEXT = st.text() | st.text(alphabet="\"'\\\n\r\t {}%ab;")


@given(ANY_TEXT)
def test_a_literal_is_one_token_that_says_the_value(value: str):
    token, end = tokenize(filters.literal(value))
    assert (token.kind, token.value, end.kind) == (TokenKind.STRING, value, TokenKind.EOF)


def shape(expression: str) -> list[TokenKind]:
    parse_expr(expression)
    return [token.kind for token in tokenize(expression)]


@given(ANY_TEXT.filter(str.strip), ANY_TEXT, ANY_TEXT)
def test_values_never_change_what_a_filter_asks(patient: str, encounter: str, document: str):
    def asked(patient: str, encounter: str, document: str) -> str:
        return filters.of_query(
            FactQuery(
                patient_id=patient,
                embedding=EMBEDDING,
                as_of=datetime(1950, 1, 1, tzinfo=UTC),
                encounter_id=encounter,
                exclude_documents=frozenset({document}),
            )
        )

    assert shape(asked(patient, encounter, document)) == shape(asked("p", "e", "d"))


@pytest.mark.parametrize("patient", ["", " ", "\n"])
def test_no_query_without_a_patient(patient: str):
    with pytest.raises(ValueError, match="patient"):
        FactQuery(patient_id=patient, embedding=EMBEDDING)
    with pytest.raises(ValueError, match="patient"):
        filters.of_patient(patient)


def test_every_filter_begins_with_the_patient():
    asked = FactQuery(patient_id='a"b', embedding=EMBEDDING, include_ai_authored=True)
    assert filters.of_query(asked) == 'patient_id == "a\\"b"'
    assert filters.of_patient('a"b') == 'patient_id == "a\\"b"'

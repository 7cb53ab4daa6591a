"""Tokens of what people and tokenisers write."""

import pytest
from chartproof_judge.words import tokens


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("did n't", ["did", "not"]),
        ("n't", ["not"]),
        ("didn't", ["did", "not"]),
        ("can't won't", ["can", "not", "will", "not"]),
    ],
)
def test_contractions_keep_their_negation_and_leave_no_empty_token(
    text: str, found: list[str]
) -> None:
    assert tokens(text) == found

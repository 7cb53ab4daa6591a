"""Tokens of what people and tokenisers write."""

import pytest
from chartproof_judge.words import tokens

from tests.unit.judge_asking import ask, verdict


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


@pytest.mark.parametrize(
    ("proposition", "chart", "expected"),
    [
        ("The patient has breast cancer.", "PMH: breast CA, treated in 2015.", "supported"),
        ("The patient has ovarian cancer.", "Ovarian CA 125 was 12.", "not_addressed"),
        ("Blood cultures were negative.", "Blood cx NGTD.", "supported"),
        ("Dialysis is on Mondays, Wednesdays and Fridays.", "Dialysis MWF.", "supported"),
        ("Dialysis is on Tuesdays, Thursdays and Saturdays.", "Dialysis T/Th/S.", "supported"),
        ("Dialysis is on Tuesdays.", "Dialysis is on Mondays.", "not_supported"),
    ],
)
def test_abbreviations_are_read_by_what_stands_around_them(
    proposition: str, chart: str, expected: str
) -> None:
    assert verdict(proposition, chart) == expected, ask(proposition, chart)

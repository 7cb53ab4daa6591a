"""The confusion table counts everything, and has no share where there is nothing."""

from __future__ import annotations

from agents.evaluation.confusion import Confusion, markdown
from schemas.verdicts import Verdict

PAIRS = [
    ("true", Verdict.SUPPORTED),
    ("true", Verdict.SUPPORTED),
    ("true", Verdict.FAILED),
    ("later", Verdict.NOT_ADDRESSED),
]


def test_failures_count_against_the_share() -> None:
    table = Confusion.of(PAIRS)
    assert table.total("true") == 3
    assert table.share("true", Verdict.SUPPORTED) == 2 / 3
    assert table.share("later", Verdict.NOT_ADDRESSED) == 1.0


def test_a_label_without_statements_has_no_share() -> None:
    assert Confusion.of([]).share("true", Verdict.SUPPORTED) is None


def test_the_table_has_a_row_for_every_label_expected() -> None:
    expected = {
        "true": Verdict.SUPPORTED,
        "later": Verdict.NOT_ADDRESSED,
        "foreign": Verdict.NOT_ADDRESSED,
    }
    assert markdown(Confusion.of(PAIRS), expected).splitlines() == [
        "| label | supported | not_supported | not_addressed | abstained | failed | all | right |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
        "| true | 2 | 0 | 0 | 0 | 1 | 3 | 66.7% |",
        "| later | 0 | 0 | 1 | 0 | 0 | 1 | 100.0% |",
        "| foreign | 0 | 0 | 0 | 0 | 0 | 0 | n/a |",
    ]

"""A check that decided says what a proposition is about, whatever its words; allergies go first."""

from __future__ import annotations

import pytest

from agents.alerting.category import category_of
from agents.alerting.policy import AlertPolicy, read_policy
from schemas.alerts import Category, Severity
from schemas.propositions import Proposition
from schemas.verdicts import JudgedProposition, Verdict


def of(text: str, *checks: str, section: str | None = None) -> Category:
    proposition = Proposition(
        proposition_id="p", ordinal=0, unit="claim", text=text, start=0, end=len(text)
    ).model_copy(update={"section": section})
    return category_of(
        JudgedProposition(
            proposition=proposition,
            verdict=Verdict.NOT_SUPPORTED,
            confidence=0.9,
            reason="r",
            checks=checks,
        )
    )


@pytest.mark.parametrize(
    ("check", "category"),
    [
        ("side", Category.SIDE),
        ("drugs", Category.DOSE),
        ("demographics", Category.DEMOGRAPHIC),
        ("procedures", Category.PROCEDURE),
        ("attempts", Category.PROCEDURE),
        ("family_history", Category.DIAGNOSIS),
        ("relatives", Category.DIAGNOSIS),
        ("allergies", Category.ALLERGY),
        ("disposition", Category.FOLLOW_UP),
    ],
)
def test_the_check_that_decided_says_it(check: str, category: Category) -> None:
    assert of("It was so.") == Category.OTHER
    assert of("It was so.", "coverage", check) == category


@pytest.mark.parametrize("check", ["drugs", "side", "procedures"])
def test_an_allergy_is_one_whatever_check_decided(check: str) -> None:
    assert of("Penicillin causes hives.", check, section="Allergies") == Category.ALLERGY
    assert of("She has anaphylaxis to iron.", check) == Category.ALLERGY


def test_a_table_that_does_not_say_what_goes_at_once_means_the_urgent_ones() -> None:
    table = read_policy().model_dump(exclude={"immediate"})
    assert AlertPolicy.model_validate(table).immediate == {Severity.HIGH}

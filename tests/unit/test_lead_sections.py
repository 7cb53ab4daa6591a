"""A lead-in that says that something was done says so of a plan's items; invented notes."""

from __future__ import annotations

import json

import pytest
from chartproof_decomposer import load

from tests.unit.judge_asking import ask, fact

NOTE = """Plan:
{lead}
- Sputum culture
- Colonoscopy
"""


def facts(lead: str) -> dict[str, str]:
    """Text -> section of the facts of a note."""
    (answer,) = load().decompose([(NOTE.format(lead=lead), "sentence", "{}")])
    return {each["text"]: each["section"] for each in json.loads(answer)}


@pytest.mark.parametrize(
    ("lead", "verdict"),
    [
        ("The following procedures were performed:", "supported"),
        ("These tests were completed today in clinic:", "supported"),
        ("The following tests are to be arranged:", "not_supported"),
        ("We talked about these tests:", "not_supported"),
    ],
)
def test_the_lead_in_says_whether_items_of_a_plan_were_done(lead: str, verdict: str) -> None:
    section = facts(lead)["Colonoscopy"]
    found = ask("A colonoscopy was performed.", fact("Colonoscopy", section=section))
    assert found["verdict"] == verdict, (section, found)


def test_the_section_keeps_its_name() -> None:
    done = facts("The following tests were done:")["Colonoscopy"]
    assert done == "Plan: The following tests were done"
    assert facts("We talked about these tests:")["Colonoscopy"] == "Plan"

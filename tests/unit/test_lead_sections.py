"""A lead-in that says that something was done says so of a plan's items; invented notes."""

from __future__ import annotations

import json

import pytest
from chartproof_decomposer import load

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
    "lead",
    ["The following procedures were performed:", "These tests were completed today in clinic:"],
)
def test_a_lead_in_that_says_done_is_part_of_the_section(lead: str) -> None:
    assert facts(lead)["Colonoscopy"] == f"Plan: {lead.rstrip(':')}"


def test_the_section_keeps_its_name() -> None:
    done = facts("The following tests were done:")["Colonoscopy"]
    assert done == "Plan: The following tests were done"
    assert facts("We talked about these tests:")["Colonoscopy"] == "Plan"
